/* co-memory-restore: restore memories and articles from the trash. */
#include "cli/choose.h"
#include "cli/out.h"
#include "cli/stores.h"
#include "store/trash.h"

#include <unistd.h>

static bool global, zero, dry;

static const struct opt opts[] = {
	OPT_GLOBAL(&global), OPT_Z(&zero),	OPT_DRY_RUN(&dry),
	OPT_QUIET,	     {.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-memory-restore",
	.summary = "restore memories and articles",
	.operands = "[ID|PATH|WORD...]",
	.items = "there are no operands",
	.opts = opts,
	.hint = "'co list --trash' lists the trash",
};

static struct store store;
static struct arena arena;
static struct strings items;

static int restore_item(const char *item, struct err *e)
{
	struct record r;
	const char *path;
	int found;

	arena_reset(&arena);
	found = store_locate(&store, AREA_TRASH, item, &arena, &path, e);
	if (!found || (found == 1 && layout_is_accepted(path)))
		found = store_locate(&store, AREA_ARCHIVE, item, &arena, &path,
				     e);
	else if (found < 0 && e->code == ERR_USAGE &&
		 store_locate(&store, AREA_ARCHIVE, item, &arena, &path,
			      NULL) == 1)
		found = 1;
	if (found < 0)
		return -1;
	if (!found)
		return err_set(e, ERR_NO, "no memory '%s' in the trash", item);
	if (dry) {
		out_path(path, zero);
		return 0;
	}
	if (trash_restore(&store, path, &arena, &r, e) < 0)
		return -1;
	if (zero || !isatty(STDOUT_FILENO))
		out_path(r.path, zero);
	else
		out_saved(&r, out_restored_what(r.path), false);
	return 0;
}

/* Restore all items under one lock. It is taken after standard input was read,
 * so that a slow writer does not block others. */
static void restore_all(void)
{
	struct err e;

	store_batch(&store);
	for (size_t i = 0; i < items.n; i++) {
		if (restore_item(items.items[i], &e) < 0)
			cli_complain(&e);
	}
	free(items.items);
}

int main(int argc, char **argv)
{
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	if (!n && cli_on_terminal())
		cli_want_operand(CHOOSE_TRASH);
	if (n)
		cli_choose_several(&operands, n, global, CHOOSE_TRASH,
				   "Restore which?");
	cli_list_items(operands, zero, &items);
	cli_open_store(&store, global || cli_are_global(items.items, items.n,
							AREA_TRASH));
	restore_all();
	store_close(&store);
	arena_release(&arena);
	return cli_finish(0);
}
