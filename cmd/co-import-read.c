/* co-import-read: print memories of another program as JSON lines. */
#include "cli/cli.h"
#include "exchange/exchange.h"

static const struct opt opts[] = {
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-import-read",
	.summary = "print the memories of another program as JSON",
	.operands = "[FORMAT] FILE|DIR...",
	.input = "the file, where FILE is -",
	.opts = opts,
};

static int print_line(void *ctx, const char *line, size_t len, struct err *e)
{
	(void)ctx;
	(void)e;
	cli_out(line, len);
	cli_outs("\n");
	return 0;
}

int main(int argc, char **argv)
{
	const char *const *paths;
	const char *format;
	struct err e;
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	format = exchange_split((const char *const *)operands, &paths, &e);
	if (!format)
		cli_die(&e);
	if (exchange_read(format, paths, print_line, NULL, cli_complaints(),
			  &e) < 0)
		cli_complain(&e);
	return cli_finish(0);
}
