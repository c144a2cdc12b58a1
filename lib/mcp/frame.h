/* frame.h: messages, one a line, in and out, of a program that never blocks.
 *
 * What comes in is read as it comes; a line longer than the limit is passed by
 * and reported once.  What goes out waits here until the reader takes it.
 */
#ifndef CO_MCP_FRAME_H
#define CO_MCP_FRAME_H

#include "base/buf.h"
#include "base/err.h"

struct frame {
	int in, out; /* descriptors */
	size_t max;  /* bytes of one line */
	bool ended;  /* nothing more will come in */
	bool lost;   /* nobody reads what goes out */

	struct buf held; /* what was read; a line begins at START */
	size_t start;
	size_t searched; /* of it, for an end of line */
	bool skipping;	 /* the rest of a line that is too long */
	struct buf going;
	size_t gone; /* bytes of GOING that are written */
};

/* Read once what is there, which may be nothing; waits where nothing is. */
void frame_fill(struct frame *f);

enum frame_got { FRAME_NONE, FRAME_LINE, FRAME_LONG };

/* The next complete line, or what is left at the end: *P of *LEN bytes, which
 * may be changed, is borrowed until the next frame_fill(). */
enum frame_got frame_next(struct frame *f, char **p, size_t *len);

/* Send LINE, which holds no newline, and its end. */
void frame_put(struct frame *f, const char *line, size_t len);

/* Bytes that are still to be written. */
size_t frame_waiting(const struct frame *f);

/* Write a piece that does not block when poll() said that there is room. */
void frame_flush(struct frame *f);

void frame_release(struct frame *f);

#endif
