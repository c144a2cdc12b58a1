/* event-record.c: read the record of the session that an event is of: wait until it is
 * written, and detect that it lost its context when it was compressed.
 *
 * Copilot CLI calls a hook before it writes what led to it, so the record may
 * be missing or lack the user's last words. It writes the time of each line and
 * of each hook. So the record is complete when its last line is as late as the
 * event, or, for releases without these times, when it stops growing.
 *
 * When a session grows too long, its agent lets a model summarize it, and
 * continues with the summary. Claude Code calls its hooks afterwards. Gemini
 * CLI calls them before it decides whether to compress, at each prompt, and
 * does not report the result; but its record has the summary, a "snapshot".
 *
 * The record is searched backwards for a snapshot or the context,
 * until one of them is found. This happens at each prompt, so nothing is
 * parsed.
 *
 * Known limit: a person who writes the mark of a snapshot gets the context once
 * more.
 */
#include "agent/event.h"

#include "agent/inject.h"
#include "base/mem.h"
#include "format/json-read.h"
#include "reader/reader.h"
#include "sys/file.h"
#include "text/injected.h"
#include "transcript/transcript.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PAUSE_MS 100
#define QUIET_MS 1000 /* without growing: the record is complete */
#define TAIL 65536    /* bytes at the end that are read */

#define COMPACTION_LOOK ((size_t)64 * 1024 * 1024) /* bytes of the record */
#define CHUNK ((size_t)256 * 1024)
#define NEAR 64		      /* bytes after a mark that are compared */
#define OVERLAP ((size_t)128) /* longer than a mark and NEAR bytes */

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

/* Return true if memories for a prompt follow the mark before P, rather than
 * the context. */
static bool is_recalled(const char *p, size_t len)
{
	return memmem(p, len < NEAR ? len : NEAR, INJECT_RECALLED,
		      strlen(INJECT_RECALLED)) != NULL;
}

/* Return the offset after the last WORD that begins in the first OWN of the LEN
 * bytes of P, or 0 if there is none. Marks of recalled memories are skipped. */
static size_t find_last(const char *p, size_t own, size_t len, const char *word)
{
	const char *at = p, *next;
	size_t last = 0;

	while ((next = memmem(at, len - (size_t)(at - p), word,
			      strlen(word))) &&
	       next < p + own) {
		at = next + strlen(word);
		if (!is_recalled(at, len - (size_t)(at - p)))
			last = (size_t)(at - p);
	}
	return last;
}

/* Return true if a snapshot comes after the last context in the SIZE bytes of
 * FD. */
static bool ends_with_snapshot(int fd, size_t size)
{
	const size_t stop = size > COMPACTION_LOOK ? size - COMPACTION_LOOK : 0;
	char *p = mem_alloc(CHUNK + OVERLAP);
	size_t start = size, snapshot = 0, mark = 0;

	while (start > stop && !snapshot && !mark) {
		const size_t own = start - stop > CHUNK ? CHUNK : start - stop;
		ssize_t n;

		start -= own;
		n = pread(fd, p, own + OVERLAP, (off_t)start);
		if (n < 0)
			break;
		snapshot = find_last(p, own, (size_t)n, GEMINI_SNAPSHOT);
		mark = find_last(p, own, (size_t)n, INJECTED_WORD);
	}
	free(p);
	return snapshot > mark;
}

bool event_ends_compressed(const char *path)
{
	struct stat st;
	struct transcript t;
	struct err none;
	bool last;

	if (transcript_open(&t, path, &none) < 0)
		return false;
	last = fstat(t.fd, &st) == 0 &&
	       ends_with_snapshot(t.fd, (size_t)st.st_size);
	transcript_close(&t);
	return last;
}
