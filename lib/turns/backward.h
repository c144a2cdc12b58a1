/* backward.h: read the lines of a file from the last to the first. */
#ifndef CO_TURNS_BACKWARD_H
#define CO_TURNS_BACKWARD_H

#include "base/buf.h"
#include "base/err.h"

#include <sys/types.h>

/* A longer line is no agent's, and is not read to its end. */
#define BACKWARD_LONGEST ((size_t)256 * 1024 * 1024)

struct backward {
	int fd;
	const char *path; /* its name in messages */
	size_t max;	  /* longest line that is returned */
	off_t from;	  /* stop at this offset, where a line begins */

	/* Zero at first. */
	bool started, done;
	off_t at;	 /* offset of HELD in the file */
	struct buf held; /* the rest of a line, and the lines before it */
	size_t len;	 /* bytes of HELD not yet returned */
	bool cut;	 /* the current line is longer than MAX */
	size_t passed;	 /* bytes read of the current line */
};

/* Set *P and *LEN to the line before the last one returned, without its
 * newline. *LEN is 0 if it is longer than MAX. *P is borrowed until the next
 * call. Return 1, 0 at the start of the file, or -1: ERR_SYSTEM, also for a
 * line longer than BACKWARD_LONGEST, so that a sparse file is not read for
 * hours. Lines appended meanwhile are not seen. */
int backward_next(struct backward *b, const char **p, size_t *len,
		  struct err *e);

void backward_release(struct backward *b);

#endif
