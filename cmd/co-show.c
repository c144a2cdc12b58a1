/* co-show: show memories of both stores */
#include "cli/show.h"

static struct out out;
static const char *color;

static const struct opt opts[] = {
	OUT_OPTS(&out),
	OPT_COLOR(&color),
	{.kind = OPT_END},
};

static const char *const synopsis[] = {
	"[--json|--format=TEMPLATE] [-z] [--color=WHEN] ID|PATH...",
	"[--json|--format=TEMPLATE] [-z] [--color=WHEN] -",
	NULL,
};

static const struct cmd cmd = {
	.name = "co-show",
	.summary = "show memories of both stores",
	.synopsis = synopsis,
	.operands = "ID|PATH...",
	.input = "ids or paths, one a line, where the operand is -",
	.opts = opts,
	.hint = "'co list' shows what there is",
};

/* A text is no name of a memory, though people give it for one. */
static int show_named(void *ctx, const char *operand, struct err *e)
{
	int64_t id;

	if (store_is_id(operand, &id) || store_is_global_id(operand, &id) ||
	    strpbrk(operand, "/."))
		return show_one(ctx, operand, e);
	return err_set(e, ERR_NO,
		       "'%s' is no id and no path: 'co recall %s' searches",
		       operand, operand);
}

int main(int argc, char **argv)
{
	struct buf page = {0};
	struct show show = {.out = &out, .page = &page};
	struct arena templates = {0};
	char **operands;
	int n;

	operands = cli_start(&cmd, argc, argv, &n);
	if (!n)
		cli_usage("say which, by id: 'co list' shows them");
	out_open(&out, &templates);
	show.coloring = cli_colors(color);
	cli_each(operands, out.zero, show_named, &show);
	if (page.len)
		out_page(&page, true);
	show_release(&show);
	arena_release(&templates);
	return cli_finish(0);
}
