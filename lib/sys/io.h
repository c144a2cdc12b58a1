/* io.h: read and write descriptors of any kind.
 *
 * Calls interrupted by a signal are retried. If another program has made the
 * descriptor non-blocking, these functions wait.
 */
#ifndef CO_SYS_IO_H
#define CO_SYS_IO_H

#include "base/base.h"
#include "base/buf.h"
#include "base/err.h"

#include <sys/types.h>

/* Read at most LEN bytes into P. Returns the number read, 0 at the end, or -1
 * with errno set. */
ssize_t io_read(int fd, char *p, size_t len);

/* Write all LEN bytes of P. Returns 0, or -1 with errno set. */
int io_write(int fd, const char *p, size_t len);

/* Reading a descriptor line by line, each as soon as it is complete follows. */

#define LINES_PATIENCE_MS 100

struct lines {
	int fd;
	const char *path; /* for error messages; NULL: standard input */
	bool zero;	  /* a line ends with NUL, not with a newline */
	size_t max;	  /* longest line, in bytes */
	size_t longest;	  /* longest line to skip; 0: any */
	/* Called, unless NULL, when no line arrived for LINES_PATIENCE_MS, to
	 * release resources. */
	void (*idle)(void *ctx);
	void *ctx;

	size_t number; /* number of the last line, from 1 */

	struct buf held; /* Private: bytes read; a line begins at START */
	size_t start;
	bool ended;
};

/* Read the next line, without its end. Returns 1 (*P is borrowed until the
 * next call), 0 at the end, or -1: ERR_DATA if the line is longer than MAX (it
 * is skipped, and the next call returns the next line), or ERR_SYSTEM, also if
 * it is longer than LONGEST. */
int io_lines_next(struct lines *l, const char **p, size_t *len, struct err *e);

void io_lines_release(struct lines *l);

#endif
