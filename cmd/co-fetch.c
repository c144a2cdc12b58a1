/* co-fetch: download a page or a file. */
#include "agent/delivery.h"
#include "cli/cli.h"
#include "fetch/fetch.h"
#include "repo/settings.h"
#include "shown/reads.h"
#include "sys/file.h"
#include "sys/io.h"

#include <fcntl.h>
#include <unistd.h>

#define READABLE_BY_ALL 0666 /* before the umask */

static const char *meta, *proxy;
static struct fetch fetch = {.bytes = FETCH_BYTES, .seconds = FETCH_SECONDS};

static const struct opt opts[] = {
	FLAG(0, "allow-private", &fetch.allow_private,
	     "allow addresses of this machine and of the local network"),
	{OPT_STR, 0, "etag", &fetch.etag, "ETAG", NULL,
	 "print nothing if it still has ETAG"},
	{OPT_COUNT, 0, "max-size", &fetch.bytes, "N", NULL,
	 "take at most N bytes, unpacked (default 8388608)"},
	{OPT_STR, 0, "meta", &meta, "FILE", NULL,
	 "write the server's headers to FILE, as JSON"},
	{OPT_STR, 0, "modified", &fetch.modified, "DATE", NULL,
	 "print nothing if it did not change since DATE"},
	FLAG(0, "robots", &fetch.robots,
	     "fetch only pages that the site's robots.txt allows"),
	{OPT_COUNT, 0, "timeout", &fetch.seconds, "S", NULL,
	 "stop after S seconds; default: 30"},
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-fetch",
	.summary = "download a page or a file",
	.operands = "URL",
	.opts = opts,
	.plumbing = true,
};

static void write_meta(void)
{
	struct buf out = {0};
	struct err e;
	int fd;

	fetch_add_json(&out, &fetch);
	fd = file_open(AT_FDCWD, meta, O_WRONLY | O_CREAT | O_TRUNC,
		       READABLE_BY_ALL);
	if (fd < 0 || io_write(fd, out.p, out.len) < 0 || close(fd) < 0) {
		err_sys(&e, "cannot write '%s'", meta);
		cli_die(&e);
	}
	buf_release(&out);
}

/* Refuse control characters: a line break would start another header. */
static void check_line(const char *option, const char *value)
{
	for (const char *p = value ? value : ""; *p; p++) {
		if ((unsigned char)*p < ' ' || *p == 127)
			cli_usage("--%s has a control character", option);
	}
}

static void check_options(void)
{
	check_line("etag", fetch.etag);
	check_line("modified", fetch.modified);
	if (!fetch.seconds || fetch.seconds > FETCH_SECONDS_MAX)
		cli_usage("--timeout is from 1 to %d", FETCH_SECONDS_MAX);
	if (!fetch.bytes || fetch.bytes > FETCH_BYTES_MAX)
		cli_usage("--max-size is from 1 to %zu", FETCH_BYTES_MAX);
}

/* Note that an agent that called this has read the page. */
static void note_page(void)
{
	struct buf page = {0};

	if (reads_add_page(&page, fetch.url))
		delivery_note_read(page.p);
	buf_release(&page);
}

int main(int argc, char **argv)
{
	const struct settings *s;
	struct err e;
	int n, r;
	char **operands = cli_start(&cmd, argc, argv, &n);

	if (n != 1)
		cli_usage("one URL is needed");
	check_options();
	fetch.url = operands[0];
	settings_user(&s, &cli_arena, cli_report(), &e);
	proxy = settings_str(s, "fetch.proxy");
	fetch.proxy = *proxy ? proxy : NULL;
	r = fetch_get(&fetch, &e);
	if (meta && fetch.status)
		write_meta();
	if (r < 0) {
		cli_complain(&e);
	} else {
		note_page();
		cli_out_text(fetch.body.p, fetch.body.len);
	}
	fetch_release(&fetch);
	return cli_finish(0);
}
