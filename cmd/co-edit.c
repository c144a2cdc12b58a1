/* co-edit: edit a memory or an article in the editor. */
#include "cli/choose.h"
#include "cli/cli.h"
#include "cli/saving.h"
#include "cli/stores.h"
#include "store/save.h"

static bool resume, global, allow_secret, interactive;

static const struct opt opts[] = {
	FLAG(0, "resume", &resume, "reopen the latest unsaved edit"),
	OPT_INTERACTIVE(&interactive),
	OPT_GLOBAL(&global),
	OPT_ALLOW_SECRET(&allow_secret, "save"),
	OPT_QUIET,
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-edit",
	.summary = "edit a memory or an article",
	.synopsis = "[--resume] [--global] [--allow-secret] [-q] "
		    "[ID|PATH|WORD...]\n"
		    "-i [--global] [--allow-secret] [-q] [WORD...]\n"
		    "--resume [--global] [--allow-secret] [-q]",
	.operands = "[ID|PATH|WORD...]",
	.opts = opts,
	.hint = "'co list' shows the memories",
};

/* The memory being edited. */
struct edit {
	struct store store;
	const char *path;
	struct buf was;
};

/* Find the file OPERAND and read it. It may be malformed: an edit can repair
 * it. End the process if it does not exist. */
static void find_memory(struct edit *ed, const char *operand, struct arena *a)
{
	struct err e;
	struct record r;
	int64_t id;
	int found = cli_select_locate(&ed->store, operand, a, &ed->path, &e);

	if (found == 0 && store_is_id(operand, &id))
		store_absent(&ed->store, operand, &e);
	else if (found == 0)
		err_set(&e, ERR_NO, "no such file: '%s'", operand);
	if (found != 1 || save_read(ed->path, &ed->was, &e) < 0)
		cli_die(&e);
	if (!resume && store_read(&ed->store, ed->path, a, &r, &e) < 0) {
		cli_note("%s", e.text);
		cli_hint_check(ed->store.repo.root.scope == SCOPE_GLOBAL);
	}
}

/* Replace the memory by the edited TEXT, if that is valid. */
static int replace_text(void *ctx, const struct buf *text, const char *path,
			struct err *e)
{
	struct edit *ed = ctx;

	(void)path;
	return save_edit(&ed->store,
			 &(struct save_edit){.path = ed->path,
					     .was = &ed->was,
					     .text = text,
					     .by_person = cli_on_terminal()},
			 NULL, NULL, e) < 0
		       ? -1
		       : 0;
}

static void edit(struct edit *ed)
{
	const char *name = strrchr(ed->path, '/') + 1;
	const struct editor editor = {.path = ed->path,
				      .was = &ed->was,
				      .max = STORE_FILE_MAX,
				      .from = resume ? EDITOR_KEPT : EDITOR_NEW,
				      .use = replace_text,
				      .ctx = ed,
				      .note = cli_note};
	const bool user = ed->store.repo.root.scope == SCOPE_GLOBAL;

	if (cli_confirm_edit(editor, user ? "co edit --resume --global"
					  : "co edit --resume") > 0)
		cli_outf("✓ Edited %s\n", name);
}

/* Return the path, allocated in A, of the memory or article of this store for
 * which an unfinished edit is kept. End the process if there is none, or, after
 * listing them, if there are several. */
static const char *find_kept(struct edit *ed, struct arena *a)
{
	struct editor_kept *kept;
	const char *first = NULL;
	struct buf paths = {0};
	struct layout_place p;
	struct err e;
	size_t n, several = 0;

	editor_list(&kept, &n);
	for (size_t i = 0; i < n; i++) {
		const char *of = arena_strdup(a, kept[i].of);
		size_t before = 0;

		while (before < i && strcmp(kept[before].of, of) != 0)
			before++;
		if (before < i || !layout_parse(&ed->store.repo, of, a, &p) ||
		    (p.area != AREA_MEMORIES && p.area != AREA_ARTICLES))
			continue;
		first = of;
		several++;
		buf_addf(&paths, "%s\n", of);
	}
	editor_list_free(kept, n);
	if (!several) {
		err_set(&e, ERR_NO, "no edit is kept");
		cli_die(&e);
	}
	if (several > 1) {
		cli_out(paths.p, paths.len);
		cli_usage("edits of %zu memories are kept: name one", several);
	}
	buf_release(&paths);
	return first;
}

/* Note for later commands that the memory OPERAND, if that is an id, is edited. */
static void note_edited(const struct edit *ed, const char *operand,
			struct arena *a)
{
	const enum scope scope = ed->store.repo.root.scope;
	int64_t id;

	if (store_is_id(operand, &id) || store_is_global_id(operand, &id))
		cli_note_shown(arena_printf(a, "%s%lld",
					    record_scope_prefix(scope),
					    (long long)id));
}

int main(int argc, char **argv)
{
	struct edit ed = {0};
	int n;
	char *argv0 = argv[0], **operands = cli_start(&cmd, argc, argv, &n);

	if (interactive && resume)
		cli_usage("-i cannot be used with --resume");
	if (n || !resume) {
		operands = interactive ? cli_pick_operand(operands, &n, global,
							  argv0)
				       : cli_or_last(operands, &n);
		cli_choose_one(operands, n, global, CHOOSE_ALL);
	}
	cli_open_store(&ed.store, global || cli_is_global(operands[0]));
	store_allow_secret(&ed.store, allow_secret);
	find_memory(&ed, n ? operands[0] : find_kept(&ed, &cli_arena),
		    &cli_arena);
	if (n)
		note_edited(&ed, operands[0], &cli_arena);
	edit(&ed);
	buf_release(&ed.was);
	store_close(&ed.store);
	return cli_finish(0);
}
