/* co-redo: redo the last undone operation. */
#include "cli/cli.h"
#include "cli/stores.h"
#include "cli/undoing.h"

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

int main(int argc, char **argv)
{
	struct store store;
	struct undoing u = {.store = &store, .redo = true};
	struct err e;
	int n, r;

	cli_start(&cmd, argc, argv, &n);
	u.dry = dry;
	cli_open_store(&store, global);
	r = undoing_run(&u, 0, &e);
	if (r == 0 && u.undo.blocked) {
		cli_note("nothing to redo: operation %lld came after the last "
			 "undo",
			 (long long)u.undo.later);
		cli_hint("'co undo%s %lld' undoes that undo anyway",
			 global ? " --global" : "", (long long)u.undo.blocked);
	} else if (r == 0) {
		cli_note("nothing to redo");
	}
	if (r == 0 && u.elsewhere)
		cli_hint("the last undo was in the user store: 'co redo "
			 "--global' undoes it");
	undoing_release(&u);
	store_close(&store);
	return cli_finish(ERR_NONE);
}
