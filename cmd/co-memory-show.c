/* co-memory-show: print memories as files or as records. */
#include "cli/show.h"

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
	.input = "ids or paths, one a line, when there are no operands",
	.opts = opts,
};

int main(int argc, char **argv)
{
	struct show show = {.out = &out};
	struct arena templates = {0};
	char **operands;
	int n;

	operands = cli_start(&cmd, argc, argv, &n);
	out_open(&out, &templates);
	show.global = global;
	show.coloring = cli_colors(color);
	cli_each(operands, out.zero, show_one, &show);
	show_release(&show);
	arena_release(&templates);
	return cli_finish(0);
}
