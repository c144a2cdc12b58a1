/* co-memory-next-id: print the next free id. */
#include "cli/cli.h"
#include "cli/stores.h"

static bool global;

static const struct opt opts[] = {
	OPT_GLOBAL(&global),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-memory-next-id",
	.summary = "print the next free id",
	.opts = opts,
};

int main(int argc, char **argv)
{
	struct store store;
	struct err e;
	int64_t id;
	int n;

	cli_start(&cmd, argc, argv, &n);
	cli_open_store(&store, global);
	if (store_next_id(&store, &id, &e) < 0)
		cli_die(&e);
	cli_outf("%lld\n", (long long)id);
	store_close(&store);
	return cli_finish(0);
}
