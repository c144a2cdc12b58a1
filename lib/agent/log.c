/* log.c: one open, one write, one close a line, so that lines of programs
 * that run at once do not mix.
 *
 * Known limit: two that find it too long at once may drop one another's NAME.old.
 */
#include "agent/log.h"

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
	const int flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW |
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

static void write_line(int dir, const char *name, const struct buf *line)
{
	struct buf old = {0};
	off_t size;
	int fd = open_log(dir, name, &size);

	if (fd >= 0 && size > LOG_MAX) {
		buf_addf(&old, "%s.old", name);
		close(fd);
		fd = renameat(dir, name, dir, old.p) == 0
			     ? open_log(dir, name, &size)
			     : -1;
		buf_release(&old);
	}
	if (fd >= 0) {
		io_write(fd, line->p, line->len);
		close(fd);
	}
}

void log_add_data(const char *name, const struct buf *line)
{
	struct buf whole = {0};
	struct err none;
	char *path;
	int dir;

	if (dirs_state(&path, &none) < 0)
		return;
	if (file_make_path(path, 0700, &dir, &none) == 0) {
		buf_addf(&whole, "%s\n", buf_str(line));
		write_line(dir, name, &whole);
		close(dir);
		buf_release(&whole);
	}
	free(path);
}

void log_add(const char *name, const char *text)
{
	char now[INSTANT_TEXT];
	struct buf line = {0};

	buf_addf(&line, "%s ", instant_format(instant_now(), now));
	sanitize_terminal(&line, text, strlen(text), false);
	if (line.len > LINE_MAX_BYTES)
		buf_cut(&line, LINE_MAX_BYTES);
	log_add_data(name, &line);
	buf_release(&line);
}
