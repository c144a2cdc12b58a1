/* citation.h: what a memory was taken from, and the hash of what stood there.
 *
 *	src/save.c#L10-L20@0123456789abcdef   lines of a file; one is #L5-L5
 *	src/save.c@0123456789abcdef           a whole file
 *	https://host/page@0123456789abcdef    an article of the store
 *
 * A path begins in the folder that holds `.co-cli` and never leaves it: no
 * component is empty, `.` or `..`, no character is hidden or a control.  The
 * hash is the first 16 digits of the SHA-256 of the lines, each without the
 * blanks and the CR at its end, and with an LF behind it: so that neither the
 * line ends of a checkout nor an editor that trims makes it another.
 */
#ifndef CO_EVIDENCE_CITATION_H
#define CO_EVIDENCE_CITATION_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

#define CITATION_HASH 16	   /* digits */
#define CITATION_LINE_MAX 99999999 /* the highest number of a line */

struct citation {
	const char *path; /* or a URL */
	bool url;
	size_t first, last;	      /* its lines, from 1; 0: all */
	char hash[CITATION_HASH + 1]; /* "" of a place */
};

/* Read the LEN bytes of P; the path lives in A.  ERR_DATA. */
int citation_parse(struct citation *c, const char *p, size_t len,
		   struct arena *a, struct err *e);

/* Read a place as people type it: PATH, PATH:10, PATH:10-20, PATH#L10-L20 or a
 * URL; without a hash.  ERR_DATA. */
int citation_place(struct citation *c, const char *p, struct arena *a,
		   struct err *e);

/* Append its place; and the whole. */
void citation_add_place(struct buf *out, const struct citation *c);
void citation_add(struct buf *out, const struct citation *c);

#endif
