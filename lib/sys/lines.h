/* lines.h: reading a descriptor by lines, each as soon as it is complete. */
#ifndef CO_SYS_LINES_H
#define CO_SYS_LINES_H

#include "base/buf.h"
#include "base/err.h"

#define LINES_PATIENCE_MS 100

struct lines {
	int fd;
	const char *path; /* what sentences call it */
	size_t max;	  /* bytes of one line */
	size_t longest;	  /* bytes of one that is passed over; 0: any */
	/* Called, unless NULL, when no line came for LINES_PATIENCE_MS: to let
	 * go of what others may need. */
	void (*idle)(void *ctx);
	void *ctx;

	size_t number; /* of the line read last, from 1 */

	struct buf held; /* what was read; a line begins at START */
	size_t start;
	bool ended;
};

/* Read the next line, without its end: 1 (*P is borrowed until the next call),
 * 0 at the end, or -1: ERR_SYSTEM, for a line longer than LONGEST too; ERR_DATA for
 * one that is too long, behind which the next call goes on. */
int lines_next(struct lines *l, const char **p, size_t *len, struct err *e);

void lines_release(struct lines *l);

#endif
