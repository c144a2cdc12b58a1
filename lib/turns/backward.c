/* backward.c: a chunk is read in front of the bytes held, which are moved
 * back. */
#include "turns/backward.h"

#include <errno.h>
#include <unistd.h>

#define CHUNK ((size_t)256 * 1024)

/* Read the chunk before the bytes held. *NEW is its length. */
static int read_more(struct backward *b, size_t *new, struct err *e)
{
	const off_t left = b->at - b->from;
	const size_t n = left < (off_t)CHUNK ? (size_t)left : CHUNK;
	size_t got = 0;

	if (b->len > b->max) {
		b->cut = true;
		b->len = 0;
	}
	buf_cut(&b->held, b->len);
	buf_grow(&b->held, n);
	memmove(b->held.p + n, b->held.p, b->len);
	while (got < n) {
		const ssize_t r = pread(b->fd, b->held.p + got, n - got,
					b->at - (off_t)(n - got));

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return err_sys(e, "cannot read '%s'", b->path);
		if (!r)
			return err_set(e, ERR_SYSTEM,
				       "cannot read '%s': it became shorter",
				       b->path);
		got += (size_t)r;
	}
	b->at -= (off_t)n;
	b->len += n;
	b->held.len = b->len;
	*new = n;
	return 0;
}

/* Start at the end of the file, before the newline of the last line. */
static int start_at_end(struct backward *b, struct err *e)
{
	size_t new;

	b->started = true;
	b->at = lseek(b->fd, 0, SEEK_END);
	if (b->at < 0)
		return err_sys(e, "cannot read '%s'", b->path);
	b->done = b->at <= b->from;
	if (!b->done && read_more(b, &new, e) < 0)
		return -1;
	if (b->len && b->held.p[b->len - 1] == '\n')
		b->len--;
	return 0;
}

int backward_next(struct backward *b, const char **p, size_t *len,
		  struct err *e)
{
	size_t from;

	if (!b->started && start_at_end(b, e) < 0)
		return -1;
	if (b->done)
		return 0;
	from = b->len;
	for (;;) {
		while (from && b->held.p[from - 1] != '\n')
			from--;
		if (from || b->at == b->from)
			break;
		if (b->passed > BACKWARD_LONGEST)
			return err_set(e, ERR_SYSTEM,
				       "'%s': a line is longer than %zu MiB, "
				       "as no agent's is",
				       b->path, BACKWARD_LONGEST >> 20);
		if (read_more(b, &from, e) < 0)
			return -1;
		b->passed += from;
	}
	b->passed = 0;
	*p = b->held.p + from;
	*len = b->cut ? 0 : b->len - from;
	b->cut = false;
	b->done = !from;
	b->len = from ? from - 1 : 0;
	return 1;
}

void backward_release(struct backward *b)
{
	buf_release(&b->held);
}
