/* co-export: write all memories to files or standard output. */
#include "cli/cli.h"
#include "cli/stores.h"
#include "exchange/exchange.h"
#include "sys/file-write.h"
#include "sys/folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define FORMATS "jsonl|json|markdown"

static const char *format;
static bool sensitive, global;

static const struct opt opts[] = {
	{OPT_WORD, 0, "format", &format, "FORMAT", FORMATS,
	 "set the format: records, files of an older co, or Markdown"},
	FLAG(0, "sensitive", &sensitive, "include sensitive ones"),
	OPT_GLOBAL(&global),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-export",
	.summary = "export all memories",
	.synopsis = "[--format=" FORMATS "] [--sensitive] [--global] [DIR|-]",
	.operands = "[DIR|-]",
	.opts = opts,
};

/* The target: MADE, a new directory; else DIR, an existing directory for a
 * single file; else standard output. */
static struct folder_new made;
static const char *folder;
static int dir = -1;
static int status; /* worst error code of memories that could not be read */

static int create_file(const char *name, const char *p, size_t len,
		       struct err *e)
{
	struct buf path = {0};
	int r;

	buf_addf(&path, "%s/%s", folder, name);
	r = file_create(dir, name, path.p, 0666, p, len, e);
	r = r ? r : err_set(e, ERR_SYSTEM, "'%s' already exists", path.p);
	buf_release(&path);
	return r < 0 ? -1 : 0;
}

/* Print the file NAME, whose LEN bytes are P, with a header in the format
 * markdown. */
static void print_file(const char *name, const char *p, size_t len)
{
	struct buf frame = {0};

	if (strcmp(format, "markdown") != 0) {
		cli_out(p, len);
		return;
	}
	buf_addf(&frame, EXCHANGE_FRAME, name, len);
	cli_out_text(frame.p, frame.len);
	cli_out_text(p, len);
	cli_outs("\n");
	buf_release(&frame);
}

static int put_file(void *ctx, const char *name, const char *p, size_t len,
		    struct err *e)
{
	const struct exchange_done *done = ctx;

	if (made.path)
		return folder_new_put(&made, name, p, len, e);
	if (folder)
		return done->unread ? 0 : create_file(name, p, len, e);
	print_file(name, p, len);
	return 0;
}

/* Create the directory PATH. Only jsonl, one file, may use an existing one. */
static void open_folder(const char *path)
{
	struct err e;
	int r = folder_new_begin(&made, path, &e);

	folder = path;
	if (!r && strcmp(format, "jsonl") != 0)
		r = err_set(&e, ERR_SYSTEM,
			    "'%s' already exists: name a new or empty "
			    "directory",
			    path);
	if (!r)
		r = file_open_dir(AT_FDCWD, path, path, &dir, &e);
	if (r < 0)
		cli_die(&e);
}

/* Finish the new directory if all memories were read; otherwise remove it. */
static void close_folder(const struct exchange_done *done)
{
	struct err e;

	if (done->unread) {
		folder_new_drop(&made);
		err_set(&e, done->why,
			"nothing is written to '%s', since the %s above cannot "
			"be read whole",
			folder, done->unread == 1 ? "file" : "files");
		cli_complain(&e);
		cli_hint_check(global);
		cli_hint("'co export%s - >FILE' writes the others",
			 global ? " --global" : "");
	} else if (made.path && folder_new_finish(&made, &e) < 0) {
		cli_die(&e);
	}
}

/* Export S to the target, and report the files that are left out. */
static void write_export(struct store *s)
{
	struct exchange_done done = {0};
	struct buf left = {0};
	const struct exchange_to to = {.format = format,
				       .sensitive = sensitive,
				       .files = folder,
				       .put = put_file,
				       .ctx = &done,
				       .report = cli_report()};
	struct err e;
	bool written;

	if (exchange_export(s, &to, &done, &e) < 0) {
		folder_new_drop(&made);
		cli_die(&e);
	}
	if (folder)
		close_folder(&done);
	written = !folder || !done.unread;
	if (folder && written && isatty(STDOUT_FILENO))
		cli_outf("✓ Exported %zu %s to %s\n", done.memories,
			 done.memories == 1 ? "memory" : "memories", folder);
	if (done.unsaid.len && written)
		cli_note("left out, and kept by --format=jsonl: %s",
			 done.unsaid.p);
	if (written && exchange_left_out(&left, s, &done, &e) < 0)
		cli_note("%s", e.text);
	if (left.len) {
		cli_note("left out: %s", left.p);
		buf_cut(&left, 0);
		buf_add_word(&left, s->repo.root.path);
		cli_hint("cp -a %s COPY copies the whole store, --global "
			 "exports the user's",
			 left.p);
	}
	buf_release(&left);
	buf_release(&done.unsaid);
	status = (int)done.why;
}

/* End the process if OPERAND is a format and no directory. */
static void refuse_format(const char *operand)
{
	const struct value name = value_str(operand);

	if (value_is_word(&name, FORMATS) && access(operand, F_OK) < 0)
		cli_usage("'%s' is a format: 'co export --format=%s'; './%s' "
			  "is a directory",
			  operand, operand, operand);
}

int main(int argc, char **argv)
{
	struct store store;
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	if (n)
		refuse_format(operands[0]);
	format = format ? format : "jsonl";
	cli_open_store(&store, global);
	if (store.repo.root.scope == SCOPE_GLOBAL)
		umask(umask(0) | 077); /* a copy is as private as the store */
	if (n && strcmp(operands[0], "-") != 0)
		open_folder(operands[0]);
	write_export(&store);
	store_close(&store);
	file_close(dir);
	return cli_finish(status);
}
