/* lines.c: each byte is searched for a newline once. The start of an incomplete
 * line moves to the front of the buffer before more is read. */
#include "sys/io.h"

#include <poll.h>

#define CHUNK ((size_t)64 * 1024)

static int read_more(struct lines *l, struct err *e)
{
	struct pollfd ready = {l->fd, POLLIN, 0};
	ssize_t n;

	if (l->idle && poll(&ready, 1, LINES_PATIENCE_MS) == 0)
		l->idle(l->ctx);
	buf_grow(&l->held, CHUNK);
	n = io_read(l->fd, l->held.p + l->held.len, CHUNK);
	if (n < 0 && !l->path)
		return err_sys(e, "cannot read standard input");
	if (n < 0)
		return err_sys(e, "cannot read '%s'", l->path);
	l->held.len += (size_t)n;
	l->held.p[l->held.len] = '\0';
	l->ended = n == 0;
	return 0;
}

/* Remove the lines that were returned from the buffer. */
static void drop_consumed(struct lines *l)
{
	if (!l->start)
		return;
	memmove(l->held.p, l->held.p + l->start, l->held.len - l->start);
	buf_cut(&l->held, l->held.len - l->start);
	l->start = 0;
}

/* Skip the current line, which is too long. Returns -1. */
static int skip_line(struct lines *l, struct err *e)
{
	const char *end = NULL;
	size_t passed = 0;

	l->number++;
	while (!end && !l->ended) {
		passed += l->held.len;
		if (l->longest && passed > l->longest)
			return err_set(e, ERR_SYSTEM,
				       "'%s':%zu: the line is longer than %zu "
				       "bytes",
				       l->path, l->number, l->longest);
		buf_cut(&l->held, 0);
		if (read_more(l, e) < 0)
			return -1;
		end = memchr(l->held.p, l->zero ? '\0' : '\n', l->held.len);
	}
	l->start = end ? (size_t)(end - l->held.p) + 1 : l->held.len;
	return err_set(e, ERR_DATA,
		       "'%s':%zu: the line is longer than %zu bytes", l->path,
		       l->number, l->max);
}

int io_lines_next(struct lines *l, const char **p, size_t *len, struct err *e)
{
	size_t searched = 0;

	for (;;) {
		const size_t rest = l->held.len - l->start;
		const char *line = rest ? l->held.p + l->start : "";
		const char *end =
			rest > searched
				? memchr(line + searched, l->zero ? '\0' : '\n',
					 rest - searched)
				: NULL;

		if (end || (l->ended && rest)) {
			*p = line;
			*len = end ? (size_t)(end - line) : rest;
			l->start += *len + (end != NULL);
			l->number++;
			return 1;
		}
		if (l->ended)
			return 0;
		if (rest > l->max)
			return skip_line(l, e);
		searched = rest;
		drop_consumed(l);
		if (read_more(l, e) < 0)
			return -1;
	}
}

void io_lines_release(struct lines *l)
{
	buf_release(&l->held);
}
