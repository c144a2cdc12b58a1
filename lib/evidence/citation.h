/* citation.h: a citation: the place that a memory was taken from, and the hash
 * of its text at that time.
 *
 *	src/save.c#L10-L20@0123456789abcdef   lines of a file; one is #L5-L5
 *	src/save.c@0123456789abcdef           a whole file
 *	https://host/page@0123456789abcdef    an article of the store
 *	2f1c... (40 or 64 digits)             a commit, by its full name
 *
 * A path is relative to the directory that contains `.co-cli` and stays inside
 * it: no component is empty, `.` or `..`, no character is hidden or a control.
 * The hash is the first 16 digits of the SHA-256 of the lines, each without
 * blanks and CR at its end and with an LF after it. Line ends of a checkout and
 * editors that remove trailing blanks therefore do not change it. A commit has no
 * hash besides its name, which is one.
 */
#ifndef CO_EVIDENCE_CITATION_H
#define CO_EVIDENCE_CITATION_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

#define CITATION_HASH 16 /* hexadecimal digits */

struct citation {
	const char *path; /* path, URL or name of a commit */
	bool url, commit;
	size_t first, last;	      /* lines, from 1; 0: all */
	char hash[CITATION_HASH + 1]; /* "" if it has none, as a commit */
};

/* Parse the citation of LEN bytes at P into C; the path is in A. Returns 0, or
 * -1 with ERR_DATA. */
int citation_parse(struct citation *c, const char *p, size_t len,
		   struct arena *a, struct err *e);

/* Parse a place without a hash as people type it: PATH, PATH:10, PATH:10-20,
 * PATH#L10-L20, a URL or a commit. Returns as citation_parse(). */
int citation_place(struct citation *c, const char *p, struct arena *a,
		   struct err *e);

/* Append the place of C, or the whole citation. */
void citation_add_place(struct buf *out, const struct citation *c);
void citation_add(struct buf *out, const struct citation *c);

#endif
