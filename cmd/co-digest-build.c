/* co-digest-build: build the digest of items from conversations. */
#include "cli/out.h"
#include "cli/stores.h"
#include "harvest/items.h"

static bool force, global;

static const struct opt opts[] = {
	FLAG(0, "force", &force, "build it even if it was removed"),
	OPT_GLOBAL(&global),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-digest-build",
	.summary = "build the digest of items",
	.opts = opts,
};

int main(int argc, char **argv)
{
	enum digest_state state;
	struct store store;
	struct err e;
	int n;

	cli_start(&cmd, argc, argv, &n);
	cli_open_store(&store, global);
	if (items_build_digest(&store, force, &state, &e) < 0)
		cli_die(&e);
	if (state == DIGEST_CURRENT)
		out_path(layout_path(&store.repo, DIGEST_FILE, &cli_arena),
			 false);
	if (state == DIGEST_REMOVED) {
		cli_note("the digest was removed, and stays so");
		cli_hint("'co-digest-build --force%s' builds it again",
			 global ? " --global" : "");
	}
	store_close(&store);
	return cli_finish(0);
}
