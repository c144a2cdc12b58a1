/* frame.c: both descriptors may be shared with other programs, so they are not
 * made non-blocking. Each poll() allows one read, and one write of a size for
 * which poll() promises room. */
#include "mcp/frame.h"

#include "sys/io.h"

#include <limits.h>
#include <unistd.h>

#define CHUNK ((size_t)64 * 1024)
#define KEEP ((size_t)256 * 1024) /* a larger buffer is freed */

#ifndef PIPE_BUF
#define PIPE_BUF 512
#endif

/* Drop the lines that were returned, and free a large buffer. */
static void move_rest(struct frame *f)
{
	const size_t rest = f->held.len - f->start;

	if (!f->start)
		return;
	if (!rest && f->held.cap > KEEP) {
		buf_release(&f->held);
	} else {
		memmove(f->held.p, f->held.p + f->start, rest);
		buf_cut(&f->held, rest);
	}
	f->start = 0;
}

void frame_fill(struct frame *f)
{
	ssize_t n;

	move_rest(f);
	buf_grow(&f->held, CHUNK);
	n = io_read(f->in, f->held.p + f->held.len, CHUNK);
	f->ended = n <= 0;
	if (n > 0)
		f->held.len += (size_t)n;
	f->held.p[f->held.len] = '\0';
}

/* Skip the stored part of a line over the limit. */
static enum frame_got skip(struct frame *f, const char *end)
{
	const bool first = !f->skipping;

	f->start = end ? (size_t)(end - f->held.p) + 1 : f->held.len;
	f->searched = 0;
	f->skipping = !end;
	return first ? FRAME_LONG : FRAME_NONE;
}

enum frame_got frame_next(struct frame *f, char **p, size_t *len)
{
	for (;;) {
		const size_t rest = f->held.len - f->start;
		char *line = f->held.p + f->start;
		char *end = NULL;

		if (rest > f->searched)
			end = memchr(line + f->searched, '\n',
				     rest - f->searched);
		f->searched = end ? 0 : rest;
		if (f->skipping) {
			skip(f, end);
			if (!end)
				return FRAME_NONE;
			continue;
		}
		*len = end ? (size_t)(end - line) : rest;
		if (*len > f->max)
			return skip(f, end);
		if (!end && !(f->ended && rest))
			return FRAME_NONE;
		*p = line;
		f->start += *len + (end != NULL);
		f->searched = 0;
		return FRAME_LINE;
	}
}

void frame_put(struct frame *f, const char *line, size_t len)
{
	if (f->lost)
		return;
	buf_add(&f->going, line, len);
	buf_addc(&f->going, '\n');
}

size_t frame_waiting(const struct frame *f)
{
	return f->going.len - f->gone;
}

void frame_flush(struct frame *f)
{
	size_t n = frame_waiting(f);

	n = n < PIPE_BUF ? n : PIPE_BUF;
	if (n && io_write(f->out, f->going.p + f->gone, n) < 0)
		f->lost = true;
	f->gone += n;
	if (f->gone < f->going.len && !f->lost)
		return;
	if (f->going.cap > KEEP)
		buf_release(&f->going);
	else
		buf_cut(&f->going, 0);
	f->gone = 0;
}

void frame_release(struct frame *f)
{
	buf_release(&f->held);
	buf_release(&f->going);
}
