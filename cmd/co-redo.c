/* co-redo: redo the last undone operation. */
#include "cli/out.h"
#include "cli/stores.h"
#include "history/undo.h"

static bool global, dry;

static const struct opt opts[] = {
	OPT_DRY_RUN(&dry),
	OPT_GLOBAL(&global),
	OPT_QUIET,
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-redo",
	.summary = "redo the last undone operation",
	.opts = opts,
};

static void print_change(void *ctx, const char *path, const char *what)
{
	struct buf line = {0};

	(void)ctx;
	buf_addf(&line, "✓ %s %s%s\n", path, dry ? "would be " : "", what);
	out_buf(&line);
}

int main(int argc, char **argv)
{
	struct store store;
	struct undo u = {.store = &store, .fn = print_change};
	const struct oplog_op *op;
	struct err e;
	int n, r;

	cli_start(&cmd, argc, argv, &n);
	u.dry = dry;
	cli_open_store(&store, global);
	r = undo_newest(&u, true, &op, &e);
	if (r < 0)
		cli_complain(&e);
	else if (r == 0)
		cli_note("nothing to do again");
	arena_release(&u.arena);
	store_close(&store);
	return cli_finish(r == 0 ? ERR_NO : ERR_NONE);
}
