/* late-record.c: wait for a session's record that is written after its event.
 *
 * Copilot CLI calls a hook before it writes what led to it, so the record may
 * be missing or lack the user's last words. It writes the time of each line and
 * of each hook. So the record is complete when its last line is as late as the
 * event, or, for releases without these times, when it stops growing.
 */
#include "agent/event.h"

#include "base/mem.h"
#include "format/json-read.h"
#include "sys/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PAUSE_MS 100
#define QUIET_MS 1000 /* without growing: the record is complete */
#define TAIL 65536    /* bytes at the end that are read */

/* Return true if the last whole line in the LEN bytes of P, the end of a
 * record, has the time TIME or a later one. */
static bool has_reached(const char *p, size_t len, const char *time)
{
	struct arena a = {0};
	struct value v;
	struct err why;
	const char *said = NULL;
	size_t start;
	bool come;

	while (len && p[len - 1] != '\n')
		len--;
	for (start = len ? len - 1 : 0; start && p[start - 1] != '\n';)
		start--;
	if (json_parse(p + start, len - start, &a, &v, &why) == 0)
		said = value_text(&v, "timestamp");
	come = said && strlen(said) == strlen(time) && strcmp(said, time) >= 0;
	arena_release(&a);
	return come;
}

/* Return the size of the record at PATH, 0 if it does not exist, or -1 if it
 * cannot be read. Set *COME if it has reached TIME, which may be NULL. */
static off_t check_record(const char *path, const char *time, char *tail,
			  bool *come)
{
	struct stat st;
	ssize_t n;
	int fd;

	if (stat(path, &st) < 0)
		return errno == ENOENT ? 0 : -1;
	if (!S_ISREG(st.st_mode))
		return -1;
	fd = time ? file_open(AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_NOCTTY,
			      0)
		  : -1;
	if (fd < 0)
		return st.st_size;
	n = pread(fd, tail, TAIL, st.st_size > TAIL ? st.st_size - TAIL : 0);
	*come = n > 0 && has_reached(tail, (size_t)n, time);
	close(fd);
	return st.st_size;
}

void event_await_record(const char *path, const char *time)
{
	static const struct timespec pause = {0, PAUSE_MS * 1000000L};
	off_t size = 0, last = 0;
	bool come = false;
	char *tail = mem_alloc(TAIL);
	int quiet = 0;

	for (int ms = 0; ms < EVENT_AWAIT_MS && quiet < QUIET_MS;
	     ms += PAUSE_MS) {
		size = check_record(path, time, tail, &come);
		if (come || size < 0)
			break;
		quiet = size && size == last ? quiet + PAUSE_MS : 0;
		last = size;
		nanosleep(&pause, NULL);
	}
	free(tail);
}
