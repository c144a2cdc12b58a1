/* co-memory-show: print memories as files or as records. */
#include "cli/out.h"

static struct out out;
static const char *color;
static bool global;

static const struct opt opts[] = {
	OPT_GLOBAL(&global),
	OUT_OPTS(&out),
	OPT_COLOR(&color),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-memory-show",
	.summary = "print memories",
	.operands = "[ID|PATH...]",
	.items = "there are no operands",
	.opts = opts,
};

int main(int argc, char **argv)
{
	struct out_show show = {.out = &out};
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	out_open(&out, &cli_arena);
	show.global = global;
	show.coloring = cli_colors(color);
	cli_each(operands, out.zero, out_show, &show);
	out_show_release(&show);
	return cli_finish(0);
}
