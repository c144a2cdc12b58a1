/* co-memory-purge: permanently delete a memory or article, and verify it. */
#include "cli/cli.h"
#include "cli/stores.h"
#include "forget/forget.h"

static bool proof, dry, global;
static const char *text_from;

static const struct opt opts[] = {
	FLAG(0, "proof", &proof, "search only, and delete nothing"),
	{OPT_WORD, 0, "text", &text_from, "-", "-",
	 "include all that contain a line of standard input"},
	OPT_GLOBAL(&global),
	OPT_DRY_RUN(&dry),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-memory-purge",
	.summary = "delete a memory permanently and verify it",
	.synopsis = "[--proof|-n] [--global] ID|PATH\n"
		    "[--proof|-n] [--global] --text=-",
	.operands = "[ID|PATH]",
	.input = "a text, with --text=-",
	.opts = opts,
};

int main(int argc, char **argv)
{
	struct store store;
	struct forget_purge p = {.s = &store};
	int n, status;
	char **operands = cli_start(&cmd, argc, argv, &n);

	if (n + !!text_from != 1 || (proof && dry))
		cli_usage("say one of ID, PATH and --text=-, and one of "
			  "--proof and -n at most");
	cli_open_store(&store, global);
	p.operand = text_from ? NULL : *operands;
	p.proof = proof;
	p.dry = dry;
	status = forget_purge(&p);
	store_close(&store);
	return cli_finish(status);
}
