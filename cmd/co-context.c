/* co-context: print the always-loaded context, or edit it. */
#include "agent/context.h"
#include "cli/out.h"
#include "cli/saving.h"
#include "cli/stores.h"
#include "format/frontmatter.h"
#include "text/color.h"
#include "text/sanitize.h"

#include <unistd.h>

static bool edit, resume, global, allow_secret, raw;

static const struct opt opts[] = {
	FLAG(0, "edit", &edit, "edit the project's context in the editor"),
	FLAG(0, "resume", &resume, "reopen the latest unsaved edit"),
	FLAG(0, "global", &global, "show or edit the user's context"),
	FLAG(0, "raw", &raw, "show the files as they are, as in a pipe"),
	OPT_ALLOW_SECRET(&allow_secret, "save"),
	{0},
};

static const struct cmd cmd = {
	.name = "co-context",
	.summary = "show or edit the context",
	.synopsis = "[--global] [--raw]\n"
		    "--edit [--resume] [--global] [--allow-secret]",
	.opts = opts,
};

/* Passed from edit_context() to replace_text(). */
struct edit {
	struct store store;
	struct buf was;
	int found; /* the file existed */
};

/* Replace the context file by the edited TEXT, if that is valid. */
static int replace_text(void *ctx, const struct buf *text, const char *path,
			struct err *e)
{
	struct edit *ed = ctx;

	if (context_check(&ed->store, buf_str(text), text->len, path, e) < 0)
		return -1;
	cli_make_store(&ed->store);
	return context_save(&ed->store, ed->found ? &ed->was : NULL, text, e);
}

static void edit_context(void)
{
	enum scope scope = global ? SCOPE_GLOBAL : SCOPE_PROJECT;
	struct edit ed = {0};
	struct buf path = {0};
	struct context c;
	struct editor editor = {.was = &ed.was,
				.max = CONTEXT_FILE_MAX,
				.from = resume ? EDITOR_KEPT : EDITOR_NEW,
				.use = replace_text,
				.ctx = &ed,
				.note = cli_note};
	struct err e;

	if (store_open(&ed.store, scope, cli_report(), &e) < 0)
		cli_die(&e);
	ed.store.command = cli_name();
	store_allow_secret(&ed.store, allow_secret);
	ed.found = context_read(&ed.store, &ed.was, &e);
	if (ed.found < 0)
		cli_die(&e);
	context_path(&path, &ed.store);
	editor.path = path.p;
	if (cli_confirm_edit(editor,
			     global ? "co context --edit --resume --global"
				    : "co context --edit --resume") > 0) {
		cli_outs("✓ Edited context.md\n");
		context_load(&c, CONTEXT_BOTH, NULL);
		context_budgets(&c, cli_warnings());
		context_release(&c);
	}
	buf_release(&path);
	buf_release(&ed.was);
	store_close(&ed.store);
}

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

/* Print the context files of the user and, unless --global, of the project, with
 * the memories that are always loaded, each after a line with its path. A person on
 * a terminal sees the text rendered, a pipe gets the files. */
static void show_context(void)
{
	const bool rendered = !raw && isatty(STDOUT_FILENO);
	struct buf text = {0}, safe = {0}, page = {0};

	add_file(&text, SCOPE_GLOBAL, rendered);
	if (!global)
		add_file(&text, SCOPE_PROJECT, rendered);
	if (text.len && isatty(STDOUT_FILENO)) {
		sanitize_terminal(&safe, text.p, text.len, true);
		if (rendered)
			color_markdown(&page,
				       cli_colors(NULL) ? &color_plain : NULL,
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

int main(int argc, char **argv)
{
	int n;

	cli_start(&cmd, argc, argv, &n);
	if (raw && edit)
		cli_usage("--raw cannot be used with --edit");
	if ((allow_secret || resume) && !edit)
		cli_usage("%s requires --edit",
			  resume ? "--resume" : "--allow-secret");
	if (edit)
		edit_context();
	else
		show_context();
	return cli_finish(0);
}
