/* co-history-read: print what a repository's past says that is worth remembering. */
#include "cli/out.h"
#include "cli/stores.h"
#include "format/json-write.h"
#include "mining/mining.h"

static size_t max;

static const struct opt opts[] = {
	{OPT_COUNT, 0, "max", &max, "N", NULL, "print N texts at most"},
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-history-read",
	.summary = "find texts worth remembering in the history",
	.operands = "[RANGE]",
	.opts = opts,
};

static void print_candidate(const struct candidate *c)
{
	struct buf line = {0};

	json_write_open(&line, NULL, '{');
	candidates_json(&line, c);
	out_json(&line);
}

int main(int argc, char **argv)
{
	struct candidates found = {0};
	struct store store;
	struct err e;
	char *dir;
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	cli_open_store(&store, false);
	dir = root_folder(&store.repo.root);
	found.dir = dir;
	found.range = operands[0];
	found.progress = store.progress;
	found.report = cli_complaints();
	if (mining_read(&found, &e) < 0)
		cli_die(&e);
	for (size_t i = 0; i < found.n && (!max || i < max); i++)
		print_candidate(&found.items[i]);
	candidates_release(&found);
	free(dir);
	store_close(&store);
	return cli_finish(0);
}
