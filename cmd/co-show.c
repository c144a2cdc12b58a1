/* co-show: show memories of both stores. */
#include "cli/choose.h"
#include "cli/out.h"

#include <unistd.h>

static struct out out;
static const char *color;
static bool interactive, raw;

static const struct opt opts[] = {
	OUT_OPTS(&out),
	OPT_COLOR(&color),
	FLAG(0, "raw", &raw, "show the files as they are, as in a pipe"),
	OPT_INTERACTIVE(&interactive),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-show",
	.summary = "show memories",
	.synopsis = "[--json|--format=TEMPLATE] [-z] [--color=WHEN] [--raw] "
		    "[ID|PATH|WORD...]\n"
		    "-i [--json|--format=TEMPLATE] [-z] [--color=WHEN] "
		    "[--raw] [WORD...]\n"
		    "[--json|--format=TEMPLATE] [-z] [--color=WHEN] [--raw] -",
	.operands = "[ID|PATH|WORD...]",
	.items = "an operand is -",
	.opts = opts,
	.hint = "'co list' shows the memories",
};

int main(int argc, char **argv)
{
	struct buf page = {0};
	struct out_show show = {.out = &out, .page = &page};
	char *argv0 = argv[0], **operands;
	int n;

	operands = cli_start(&cmd, argc, argv, &n);
	operands = interactive ? cli_pick_operand(operands, &n, false, argv0)
			       : cli_or_last(operands, &n);
	n = cli_choose(operands, n, false, CHOOSE_ALL);
	out_open(&out, &cli_arena);
	show.coloring = cli_colors(color);
	show.rendered = !raw && isatty(STDOUT_FILENO);
	cli_each(operands, out.zero, out_show, &show);
	if (page.len)
		out_page(&page, true);
	if (*show.first)
		cli_note_shown(show.first);
	out_show_release(&show);
	return cli_finish(0);
}
