/* co-context: print the always-loaded context, or edit it. */
#include "agent/context.h"
#include "cli/context-show.h"
#include "cli/editing.h"
#include "cli/out.h"
#include "cli/stores.h"
#include "cli/confirm.h"
#include "format/frontmatter.h"
#include "text/render.h"
#include "text/sanitize.h"

static bool edit, resume, global, allow_secret, raw;

static const struct opt opts[] = {
	{OPT_FLAG, 0, "edit", &edit, NULL, NULL,
	 "edit the project's context in the editor"},
	{OPT_FLAG, 0, "resume", &resume, NULL, NULL,
	 "open the newest edit that was kept again"},
	{OPT_FLAG, 0, "global", &global, NULL, NULL,
	 "show or edit the user's context"},
	{OPT_FLAG, 0, "raw", &raw, NULL, NULL,
	 "show the files as they are, as in a pipe"},
	{OPT_FLAG, 0, "allow-secret", &allow_secret, NULL, NULL,
	 "save it even if it looks like a secret"},
	{0},
};

static const char *const synopsis[] = {
	"[--global] [--raw]",
	"--edit [--resume] [--global] [--allow-secret]",
	NULL,
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

static void warn_budgets(void)
{
	struct context c;

	context_load(&c, CONTEXT_BOTH, NULL);
	context_budgets(&c, cli_warnings());
	context_release(&c);
}

static void edit_context(void)
{
	enum scope scope = global ? SCOPE_GLOBAL : SCOPE_PROJECT;
	struct edit ed = {0};
	struct buf path = {0};
	struct editor editor = {.was = &ed.was,
				.max = CONTEXT_FILE_MAX,
				.from = resume ? EDITOR_KEPT : EDITOR_NEW,
				.use = replace_text,
				.ctx = &ed,
				.note = cli_note};
	struct err e;

	if (store_open(&ed.store, scope, NULL, &e) < 0)
		cli_die(&e);
	ed.store.command = cli_name();
	store_allow_secret(&ed.store, allow_secret);
	ed.found = context_read(&ed.store, &ed.was, &e);
	if (ed.found < 0)
		cli_die(&e);
	context_path(&path, &ed.store);
	editor.path = path.p;
	if (editing_run(editor, global ? "co context --edit --resume --global"
				       : "co context --edit --resume") > 0)
		warn_budgets();
	buf_release(&path);
	buf_release(&ed.was);
	store_close(&ed.store);
}

int main(int argc, char **argv)
{
	int n;

	cli_start(&cmd, argc, argv, &n);
	if (raw && edit)
		cli_usage("--raw goes without --edit");
	if ((allow_secret || resume) && !edit)
		cli_usage("%s goes with --edit",
			  resume ? "--resume" : "--allow-secret");
	if (edit)
		edit_context();
	else
		context_show(global, raw);
	return cli_finish(0);
}
