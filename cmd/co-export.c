/* co-export: write all memories out, for another store or another program */
#include "cli/cli.h"
#include "cli/stores.h"
#include "exchange/exchange.h"
#include "exchange/export.h"
#include "sys/file-write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *format = "jsonl";
static bool sensitive, global;

static const struct opt opts[] = {
	{OPT_WORD, 0, "format", &format, "FORMAT", "jsonl|json|markdown",
	 "a record a line, what an older co kept, or the files"},
	{OPT_FLAG, 0, "sensitive", &sensitive, NULL, NULL,
	 "also what is sensitive"},
	OPT_GLOBAL(&global),
	{.kind = OPT_END},
};

static const char *const synopsis[] = {
	"[--format=jsonl|json|markdown] [--sensitive] [--global] [DIR|-]",
	NULL,
};

static const struct cmd cmd = {
	.name = "co-export",
	.summary = "write all memories out, for another store or program",
	.synopsis = synopsis,
	.operands = "[DIR|-]",
	.opts = opts,
};

static struct store store;
static const char *folder;
static int dir = -1; /* of that; -1: all goes to standard output */

/* The path of NAME, of LEN bytes, in the folder; yours, release with free(). */
static char *path_of(const char *name, size_t len)
{
	struct buf path = {0};

	buf_addf(&path, "%s/%.*s", folder, (int)len, name);
	return buf_take(&path);
}

/* Open the folder NAME, of LEN bytes, in that, which is made where it is absent:
 * yours to close; -1. */
static int open_below(const char *name, size_t len, struct err *e)
{
	char *path = path_of(name, len);
	const char *below = path + strlen(folder) + 1;
	int fd = -1;

	if (file_make_dir(dir, below, path, 0777, &fd, NULL, e) < 0)
		fd = -1;
	free(path);
	return fd;
}

static int put(void *ctx, const char *name, const char *p, size_t len,
	       struct err *e)
{
	const bool file = dir >= 0;
	const char *slash = strchr(name, '/');
	char *path;
	int below, r;

	(void)ctx;
	if (!file && !strcmp(format, "markdown"))
		cli_outf(EXCHANGE_FRAME, name, len);
	if (!file) {
		cli_out(p, len);
		cli_outs(strcmp(format, "markdown") ? "" : "\n");
		return 0;
	}
	below = slash ? open_below(name, (size_t)(slash - name), e) : dir;
	if (below < 0)
		return -1;
	path = path_of(name, strlen(name));
	r = file_create(below, slash ? slash + 1 : name, path, 0666, p, len, e);
	if (!r)
		r = err_set(e, ERR_SYSTEM, "'%s' is there already", path);
	free(path);
	if (below != dir)
		close(below);
	return r < 0 ? -1 : 0;
}

static void open_folder(const char *path)
{
	struct err e;

	folder = path;
	if (mkdir(path, 0777) < 0 && errno != EEXIST) {
		err_sys(&e, "cannot make '%s'", path);
		cli_die(&e);
	}
	if (file_open_dir(AT_FDCWD, path, path, &dir, &e) < 0)
		cli_die(&e);
}

int main(int argc, char **argv)
{
	struct export_to to = {.put = put, .report = cli_report()};
	struct buf unsaid = {0};
	char **operands;
	struct err e;
	int n;

	operands = cli_start(&cmd, argc, argv, &n);
	if (n && strcmp(operands[0], "-") != 0)
		open_folder(operands[0]);
	cli_open_store(&store, global);
	to.format = format;
	to.sensitive = sensitive;
	to.files = dir >= 0;
	if (export_store(&store, &to, &unsaid, &e) < 0)
		cli_die(&e);
	if (unsaid.len)
		cli_note("left out, and kept by --format=jsonl: %s", unsaid.p);
	buf_release(&unsaid);
	store_close(&store);
	return cli_finish(0);
}
