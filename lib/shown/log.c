/* log.c: each line takes one open, one write and one close, so that lines of
 * concurrent programs do not mix.
 *
 * Known limit: a line that is written while another program rotates the file may go
 * to NAME.old.
 */
#include "shown/log.h"

#include "base/compat.h"
#include "base/instant.h"
#include "sys/dirs.h"
#include "sys/file.h"
#include "sys/io.h"
#include "text/sanitize.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE_MAX_BYTES 1000

/* Open the log for appending; -1 where that cannot be. */
static int open_log(int dir, const char *name, off_t *size)
{
	const int flags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW |
			  O_NONBLOCK | O_NOCTTY;
	int fd = file_open(dir, name, flags, 0600);
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return -1;
	}
	*size = st.st_size;
	return fd;
}

/* Rename the open file FD, which is NAME in DIR, to NAME.old. Only one of several
 * callers does: the others find another file called NAME. */
static void rotate(int dir, const char *name, int fd)
{
	struct buf old = {0};

	buf_addf(&old, "%s.old", name);
	if (compat_lock_open_file(fd) == 0 && file_is_at(fd, dir, name))
		renameat(dir, name, dir, old.p);
	buf_release(&old);
}

/* Return true if FD, of SIZE bytes, ends within a line: of a writer for which the disk
 * had no room. */
static bool is_torn(int fd, off_t size)
{
	char last = '\n';

	return size && pread(fd, &last, 1, size - 1) == 1 && last != '\n';
}

/* Append LINE and a line end to F. Return false if not all of it was written. */
static bool write_line(int dir, const struct log_file *f,
		       const struct buf *line)
{
	struct buf whole = {0};
	off_t size;
	int r, fd = open_log(dir, f->name, &size);

	if (fd >= 0 && size > (off_t)f->max) {
		rotate(dir, f->name, fd);
		close(fd);
		fd = open_log(dir, f->name, &size);
	}
	if (fd < 0)
		return false;
	buf_adds(&whole, is_torn(fd, size) ? "\n" : "");
	buf_add(&whole, buf_str(line), line->len);
	buf_addc(&whole, '\n');
	r = io_write(fd, whole.p, whole.len);
	close(fd);
	buf_release(&whole);
	return !r;
}

int log_add_path(struct buf *out, const struct log_file *f, struct err *e)
{
	char *state;

	if (dirs_state(&state, e) < 0)
		return -1;
	buf_adds(out, state);
	if (f->folder)
		buf_addf(out, "/%s", f->folder);
	free(state);
	return 0;
}

bool log_add_data(const struct log_file *f, const struct buf *line)
{
	struct buf path = {0};
	bool written = false;
	struct err none;
	int dir;

	if (log_add_path(&path, f, &none) == 0 &&
	    file_make_path(path.p, 0700, &dir, &none) == 0) {
		written = write_line(dir, f, line);
		close(dir);
	}
	buf_release(&path);
	return written;
}

/* Append the file NAME in DIR, which is called PATH. Return 0, or -1 if it cannot be
 * read. */
static int read_one(int dir, const char *name, const char *path, size_t max,
		    struct buf *out, struct err *e)
{
	struct buf text = {0};
	int r;

	/* Each hook reads this: the first file is not copied. */
	if (!out->len) {
		r = file_read(dir, name, path, max, out, e);
		if (r != 1)
			buf_cut(out, 0);
		return r < 0 ? -1 : 0;
	}
	r = file_read(dir, name, path, max, &text, e);
	if (r == 1)
		buf_add(out, buf_str(&text), text.len);
	buf_release(&text);
	return r < 0 ? -1 : 0;
}

int log_read(const struct log_file *f, struct buf *out, struct err *e)
{
	struct buf path = {0}, file = {0}, old = {0};
	int dir, r = 0;

	/* Without a state directory there are no logs. */
	if (log_add_path(&path, f, NULL) == 0)
		r = file_open_dir(AT_FDCWD, path.p, path.p, &dir, e);
	if (r == 1) {
		buf_addf(&file, "%s/%s", path.p, f->name);
		buf_addf(&old, "%s.old", file.p);
		r = read_one(dir, old.p + path.len + 1, old.p, 2 * f->max, out,
			     e);
		if (read_one(dir, f->name, file.p, 2 * f->max, out, e) < 0)
			r = -1;
		close(dir);
	}
	buf_release(&path);
	buf_release(&file);
	buf_release(&old);
	return r;
}

void log_add(const char *name, const char *text)
{
	const struct log_file file = {.name = name, .max = LOG_MAX};
	char now[INSTANT_TEXT];
	struct buf line = {0};

	buf_addf(&line, "%s ", instant_format(instant_now(), now));
	sanitize_terminal(&line, text, strlen(text), false);
	if (line.len > LINE_MAX_BYTES)
		buf_cut(&line, LINE_MAX_BYTES);
	log_add_data(&file, &line);
	buf_release(&line);
}
