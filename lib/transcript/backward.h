/* backward.h: the lines of a file from the last to the first. */
#ifndef CO_TRANSCRIPT_BACKWARD_H
#define CO_TRANSCRIPT_BACKWARD_H

#include "base/buf.h"
#include "base/err.h"

#include <sys/types.h>

/* A line of more bytes is no agent's, and is not read to its end. */
#define BACKWARD_LONGEST ((size_t)256 * 1024 * 1024)

struct backward {
	int fd;
	const char *path; /* what sentences call it */
	size_t max;	  /* bytes of a line that is worth to be held */

	/* Begin as zeros. */
	bool started, done;
	off_t at;	 /* where what is held begins in the file */
	struct buf held; /* the rest of a line, and what stands before it */
	size_t len;	 /* of HELD, what was not handed out */
	bool cut;	 /* the line at hand is longer than MAX */
	size_t passed;	 /* bytes of it that were read */
};

/* The line before the one given last, without its end: 1 (*P is borrowed until
 * the next call; *LEN is 0 for one that is too long), 0 where there is none, -1
 * (ERR_SYSTEM, for a line of more than BACKWARD_LONGEST too: a file of holes
 * is not read for hours).  What is appended meanwhile is not seen. */
int backward_next(struct backward *b, const char **p, size_t *len,
		  struct err *e);

void backward_release(struct backward *b);

#endif
