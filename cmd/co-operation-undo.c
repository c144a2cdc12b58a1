/* co-operation-undo: undo one operation on a store. */
#include "cli/out.h"
#include "cli/stores.h"
#include "history/undo.h"
#include "repair/repair.h"

static bool global, dry, zero;

static const struct opt opts[] = {
	OPT_DRY_RUN(&dry), OPT_GLOBAL(&global), OPT_QUIET,
	OPT_Z(&zero),	   {.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-operation-undo",
	.summary = "undo one operation on a store",
	.operands = "OPERATION",
	.opts = opts,
};

static struct store store;

static void print_path(void *ctx, const struct undo_file *f)
{
	struct arena *a = ctx;

	out_path(arena_printf(a, "%s/%s", store.repo.root.path, f->path), zero);
}

int main(int argc, char **argv)
{
	struct undo u = {.store = &store, .fn = print_path, .ctx = &u.arena};
	const struct oplog_op *op;
	struct buf other = {0};
	int64_t number;
	struct err e;
	int n, r;
	char **operands = cli_start(&cmd, argc, argv, &n);

	if (n != 1 || !store_is_id(operands[0], &number))
		cli_usage(
			"name an operation by its number: 'co-operation-list' "
			"prints them");
	u.dry = dry;
	cli_open_store(&store, global);
	r = undo_number(&u, number, &op, &e);
	if (r < 0)
		cli_complain(&e);
	else if (r > 0 && undo_other_half(op, &other))
		cli_hint("it was half of a move; to %s the other half: %s",
			 op->other_number ? "take back" : "see", other.p);
	if (r > 0 && !dry && undo_took_back(&u, "co-resolve") &&
	    repair_reopen_merge(&store, op, &e) < 0)
		cli_complain(&e);
	buf_release(&other);
	arena_release(&u.arena);
	store_close(&store);
	return cli_finish(r == 0 ? ERR_NO : ERR_NONE);
}
