/* context-show.c: a person on a terminal sees the text, rendered; a pipe gets the
 * files.
 */

#include "agent/context.h"
#include "cli/out.h"
#include "format/frontmatter.h"
#include "text/render.h"
#include "text/sanitize.h"

#include <unistd.h>

/* Append the always-loaded memories of S. */
static void add_rules(struct buf *out, struct store *s)
{
	struct buf text = {0};
	struct rules rules;
	struct err e;

	if (rules_find(&rules, s, &e) < 0)
		cli_complain(&e);
	rules_text(&text, &rules);
	if (text.len)
		buf_addf(out,
			 "%s==> %s/memories (%s, %zu of them, %zu bytes) <==\n"
			 "%s\n",
			 out->len ? "\n" : "", s->repo.path,
			 record_scope_name(s->repo.root.scope), rules.n,
			 text.len, text.p);
	rules_release(&rules);
	buf_release(&text);
}

/* Append TEXT, a context file, without its frontmatter if RENDERED. */
static void add_text(struct buf *out, const struct buf *text, bool rendered)
{
	struct frontmatter fm;
	const char *p = buf_str(text);
	size_t len = text->len;

	if (rendered) {
		frontmatter_split(&fm, p, len);
		frontmatter_content(&fm, &p, &len);
	}
	buf_add(out, p, len);
	if (out->p[out->len - 1] != '\n')
		buf_addc(out, '\n');
}
