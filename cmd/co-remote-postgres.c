/* co-remote-postgres: answer a request to a remote index in PostgreSQL. */
#include "cli/cli.h"
#include "remote/remote.h"

#include <unistd.h>

static const struct opt opts[] = {{.kind = OPT_END}};

static const struct cmd cmd = {
	.name = "co-remote-postgres",
	.summary = "answer a request to a PostgreSQL server",
	.input = "the request, lines of JSON",
	.opts = opts,
};

/* Return the milliseconds that CO_REMOTE_TIMEOUT_MS allows, or 0. */
static int64_t read_timeout(void)
{
	const char *text = getenv("CO_REMOTE_TIMEOUT_MS");
	const size_t len = text ? strlen(text) : 0;

	if (!len)
		return 0;
	if (len > 9 || strspn(text, "0123456789") != len)
		cli_usage(
			"CO_REMOTE_TIMEOUT_MS is not a number of milliseconds");
	return strtoll(text, NULL, 10);
}

int main(int argc, char **argv)
{
	struct buf out = {0};
	int n, result;

	cli_start(&cmd, argc, argv, &n);
	result = remote_answer_postgres(STDIN_FILENO, getenv("CO_REMOTE_URL"),
					argv[0], read_timeout(), &out);
	cli_out(out.p, out.len);
	buf_release(&out);
	return cli_finish(result ? ERR_HELPER : ERR_NONE);
}
