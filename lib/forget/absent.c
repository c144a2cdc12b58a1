/* absent.c: guess what a person meant who asked to forget a text that no memory
 * has.
 */
#include "forget/forget.h"

#include "agent/context.h"
#include "cli/choose.h"
#include "text/match.h"

/* Return true if the context file of S contains TEXT. */
static bool has_context(struct store *s, const char *text)
{
	struct buf context = {0};
	struct match *m = NULL;
	struct err none; /* a context that cannot be read has nothing */
	bool has =
		context_read(s, &context, &none) == 1 &&
		match_new(&m, text, strlen(text), MATCH_LITERAL, &none) == 0 &&
		match_test(m, buf_str(&context), context.len, &none) == 1;

	match_free(m);
	buf_release(&context);
	return has;
}

void forget_explain_absent(struct buf *out, struct store *s, const char *text,
			   struct arena *a)
{
	struct store user;

	if (cli_is_id_list(text))
		buf_adds(out, CLI_ID_LIST_HINT);
	else
		cli_select_elsewhere(out, s, text, a);
	if (out->len)
		return;
	if (has_context(s, text)) {
		buf_addf(out, "the context has it: 'co context --edit%s'",
			 record_scope_option(s->repo.root.scope));
	} else if (s->repo.root.scope != SCOPE_GLOBAL &&
		   store_open(&user, SCOPE_GLOBAL, NULL, NULL) == 0) {
		if (has_context(&user, text))
			buf_adds(out, "the user's context has it: 'co context "
				      "--edit --global'");
		store_close(&user);
	}
	if (!out->len)
		buf_addf(out, CLI_SEARCH_HINT, text);
}
