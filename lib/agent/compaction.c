/* compaction.c: detect that a session lost its context when it was compressed.
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
#include "text/injected.h"
#include "reader/reader.h"
#include "transcript/transcript.h"

#include <sys/stat.h>
#include <unistd.h>

#define COMPACTION_LOOK ((size_t)64 * 1024 * 1024) /* bytes of the record */
#define CHUNK ((size_t)256 * 1024)
#define NEAR 64		      /* bytes after a mark that are compared */
#define OVERLAP ((size_t)128) /* longer than a mark and NEAR bytes */

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
