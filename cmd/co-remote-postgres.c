/* co-remote-postgres: answer a request to a remote index in PostgreSQL. */
#include "cli/cli.h"
#include "remote/postgres-request.h"

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
	struct postgres_request r = {.argv0 = argv[0],
				     .in = {.fd = STDIN_FILENO,
					    .path = "standard input",
					    .max = POSTGRES_REQUEST_MAX}};
	int n, result;

	cli_start(&cmd, argc, argv, &n);
	r.url = getenv("CO_REMOTE_URL");
	r.ms = read_timeout();
	result = postgres_answer(&r);
	cli_out(r.out.p, r.out.len);
	postgres_request_release(&r);
	return cli_finish(result ? ERR_HELPER : ERR_NONE);
}
