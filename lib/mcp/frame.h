/* frame.h: messages of a program that never blocks, one per line.
 *
 * Input is read as it arrives. A line over the limit is skipped and reported
 * once. Output is stored until it can be written.
 */
#ifndef CO_MCP_FRAME_H
#define CO_MCP_FRAME_H

#include "base/buf.h"

struct frame {
	int in, out; /* descriptors */
	size_t max;  /* bytes of one line */
	bool ended;  /* the input has ended */
	bool lost;   /* the output is closed */

	struct buf held; /* input; a line begins at START */
	size_t start;
	size_t searched; /* offset up to which HELD was searched for a newline */
	bool skipping;	 /* the rest of a line over the limit is skipped */
	struct buf going; /* output */
	size_t gone;	  /* bytes of GOING that are written */
};

/* Read once. This waits if there is no input. */
void frame_fill(struct frame *f);

enum frame_got { FRAME_NONE, FRAME_LINE, FRAME_LONG };

/* Get the next complete line, or the rest at the end of the input. The *LEN bytes
 * at *P may be changed, and are borrowed until the next frame_fill(). */
enum frame_got frame_next(struct frame *f, char **p, size_t *len);

/* Send LINE, which has no newline, and a newline. */
void frame_put(struct frame *f, const char *line, size_t len);

/* Return the number of bytes that are not written yet. */
size_t frame_waiting(const struct frame *f);

/* Write a piece that does not block after poll() reported room. */
void frame_flush(struct frame *f);

void frame_release(struct frame *f);

#endif
