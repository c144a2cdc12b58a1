/* compaction.c: the record is searched from its end for the snapshot and the
 * context, until the first is found. It is searched at each prompt, so nothing is
 * parsed.
 *
 * Known limit: a person who writes the mark of a snapshot gets the context once
 * more.
 */
#include "agent/compaction.h"

#include "agent/inject.h"
#include "text/injected.h"
#include "reader/reader.h"
#include "transcript/transcript.h"

#include <sys/stat.h>
#include <unistd.h>

#define COMPACTION_LOOK ((size_t)64 * 1024 * 1024) /* bytes of the record */
#define CHUNK ((size_t)256 * 1024)
#define NEAR 64		      /* bytes behind a mark */
#define OVERLAP ((size_t)128) /* more than a mark and what is near it */

/* True if what follows a mark is memories for a prompt, not the context. */
static bool is_recalled(const char *p, size_t len)
{
	return memmem(p, len < NEAR ? len : NEAR, INJECT_RECALLED,
		      strlen(INJECT_RECALLED)) != NULL;
}

/* Where the last WORD that begins in the first OWN of the LEN bytes of P ends,
 * 0 for none. */
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

/* Look through the SIZE bytes of FD, backwards. */
static bool look(int fd, size_t size)
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

bool compaction_is_last(const char *path)
{
	struct stat st;
	struct transcript t;
	struct err none;
	bool last;

	if (transcript_open(&t, path, &none) < 0)
		return false;
	last = fstat(t.fd, &st) == 0 && look(t.fd, (size_t)st.st_size);
	transcript_close(&t);
	return last;
}
