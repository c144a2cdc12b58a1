/* co-remote: set up a remote index. */
#include "cli/cli.h"
#include "remote/remote.h"

static bool init, print;

static const struct opt opts[] = {
	{OPT_FLAG, 0, "init", &init, NULL, NULL,
	 "create the schema on the server"},
	{OPT_FLAG, 0, "print", &print, NULL, NULL,
	 "with --init, print the SQL and do not run it"},
	OPT_QUIET,
	{.kind = OPT_END},
};

static const char *const synopsis[] = {"--init [--print] [-q]", NULL};

static const struct cmd cmd = {
	.name = "co-remote",
	.summary = "set up a remote index",
	.synopsis = synopsis,
	.opts = opts,
};

static struct arena arena;
static struct remote remote;

static void create_schema(void)
{
	struct buf request = {0};
	struct remote_reply reply;
	const char *sql;
	struct err e;

	buf_addf(&request, "{\"verb\":\"init\"%s}\n",
		 print ? ",\"print\":true" : "");
	if (remote_ask(&remote, &request, REMOTE_COMMAND_MS, &reply, &arena,
		       &e) < 0)
		cli_die(&e);
	sql = value_text(reply.n ? reply.lines : NULL, "sql");
	if (!print)
		cli_outs("✓ The schema is on the server\n");
	else if (sql)
		cli_out_text(sql, strlen(sql));
	buf_release(&request);
}

int main(int argc, char **argv)
{
	struct err e;
	int n;

	cli_start(&cmd, argc, argv, &n);
	if (!init)
		cli_usage("expected --init");
	if (remote_open(&remote, argv[0], &arena, cli_report(), &e) < 0 &&
	    !print)
		cli_die(&e);
	create_schema();
	arena_release(&arena);
	return cli_finish(ERR_NONE);
}
