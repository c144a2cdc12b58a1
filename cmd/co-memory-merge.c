/* co-memory-merge: merge three versions of a memory. */
#include "cli/cli.h"
#include "merge/merge.h"
#include "sys/file-write.h"

#include <fcntl.h>
#include <unistd.h>

#define INPUT_MAX ((size_t)64 * 1024 * 1024)

static const char *name, *output;

static const struct opt opts[] = {
	{OPT_STR, 'o', "output", &output, "FILE", NULL,
	 "write FILE instead of OURS, - for standard output"},
	{OPT_STR, 0, "path", &name, "NAME", NULL,
	 "call the file NAME in messages"},
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-memory-merge",
	.summary = "merge three versions of a memory",
	.operands = "BASE OURS THEIRS",
	.opts = opts,
};

/* Write TEXT to PATH atomically. */
static int write_file(const char *path, const struct buf *text, struct err *e)
{
	const char *slash = strrchr(path, '/');
	const char *last = slash ? slash + 1 : path;
	struct buf folder = {0};
	int dir, r;

	buf_add(&folder, path, (size_t)(last - path));
	r = file_open_dir(AT_FDCWD, folder.len ? folder.p : ".", path, &dir, e);
	if (!r)
		r = err_set(e, ERR_SYSTEM, "no directory '%s'", folder.p);
	buf_release(&folder);
	if (r < 0)
		return -1;
	r = faccessat(dir, last, F_OK, AT_SYMLINK_NOFOLLOW);
	if (!r)
		r = file_replace(dir, last, path, buf_str(text), text->len, e);
	else
		r = file_create(dir, last, path, 0666, buf_str(text), text->len,
				e);
	close(dir);
	return r < 0 ? -1 : 0;
}

/* Read the three PATHS, merge them, and write the result. Return as
 * merge_documents(). */
static int merge_paths(char **paths, struct buf *texts, struct err *e)
{
	struct merge m = {.name = name ? name : paths[1]};
	struct buf out = {0};
	struct err unwritten;
	int r;

	for (int i = 0; i < 3; i++) {
		if (file_read_operand(paths[i], INPUT_MAX, &texts[i], e) < 0)
			return -1;
	}
	m.base = (struct merge_text){buf_str(&texts[0]), texts[0].len};
	m.ours = (struct merge_text){buf_str(&texts[1]), texts[1].len};
	m.theirs = (struct merge_text){buf_str(&texts[2]), texts[2].len};
	r = merge_documents(&m, &out, cli_report(), e);
	if (output && !strcmp(output, "-"))
		cli_out_text(buf_str(&out), out.len);
	else if (write_file(output ? output : paths[1], &out, &unwritten) < 0)
		cli_die(&unwritten);
	buf_release(&out);
	return r;
}

int main(int argc, char **argv)
{
	struct buf texts[3] = {{0}};
	struct err e;
	int n, r;
	char **paths = cli_start(&cmd, argc, argv, &n);

	if (n != 3)
		cli_usage("expected BASE, OURS and THEIRS");
	r = merge_paths(paths, texts, &e);
	if (r < 0)
		cli_complain(&e);
	if (r > 0 && name)
		cli_hint("'co resolve --ours' or '--theirs', once git has "
			 "stopped, takes one side");
	for (int i = 0; i < 3; i++)
		buf_release(&texts[i]);
	return cli_finish(r > 0 ? ERR_NO : ERR_NONE);
}
