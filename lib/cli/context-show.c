/* context-show.c: a person on a terminal sees the text, rendered; a pipe gets the
 * files.
 */
#include "cli/context-show.h"

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

/* Append the context file of SCOPE, with its path as a heading, and its
 * memories. */
static void add_file(struct buf *out, enum scope scope, bool rendered)
{
	struct buf text = {0};
	struct store s;
	struct err e;
	int found;

	if (store_open(&s, scope, NULL, &e) < 0) {
		cli_complain(&e);
		return;
	}
	found = context_read(&s, &text, &e);
	if (found < 0)
		cli_complain(&e);
	if (found > 0) {
		buf_adds(out, out->len ? "\n==> " : "==> ");
		context_path(out, &s);
		buf_addf(out, " (%s, %zu of %zu bytes) <==\n",
			 record_scope_name(scope), text.len,
			 context_budget(scope));
		add_text(out, &text, rendered);
	}
	add_rules(out, &s);
	buf_release(&text);
	store_close(&s);
}

void context_show(bool global, bool raw)
{
	const bool rendered = !raw && isatty(STDOUT_FILENO);
	static const struct coloring bold;
	struct buf text = {0}, safe = {0}, page = {0};

	add_file(&text, SCOPE_GLOBAL, rendered);
	if (!global)
		add_file(&text, SCOPE_PROJECT, rendered);
	if (text.len && isatty(STDOUT_FILENO)) {
		sanitize_terminal(&safe, text.p, text.len, true);
		if (rendered)
			render_markdown(&page, cli_colors(NULL) ? &bold : NULL,
					safe.p, safe.len);
		out_page(rendered ? &page : &safe, true);
		buf_release(&safe);
	} else if (text.len) {
		out_page(&text, true);
	} else
		cli_hint("'co context --edit%s' makes a context",
			 global ? " --global" : "");
	buf_release(&text);
}
