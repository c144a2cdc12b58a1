/* plain.c: read conversations that are plain text. */
#include "reader/reader.h"

#include "base/utf8.h"
#include "sys/io.h"

#include <unistd.h>

#define PLAIN_MAX ((size_t)1024 * 1024) /* bytes of one turn */

/* Return where to cut the LEN bytes of P, which are too many for one turn. */
static size_t cut_at(const char *p, size_t len)
{
	for (size_t i = len; i > len / 2; i--) {
		if (p[i - 1] == '\n')
			return i;
	}
	return utf8_cut(p, len, len - 4);
}

static int give_text(struct reading *rd, size_t len)
{
	struct buf *text = &rd->text;
	const size_t bad = utf8_check(buf_str(text), len);
	struct err why;
	int r;

	if (bad < len) {
		utf8_fault(&why, text->p, bad, "the text is not UTF-8");
		return err_set(rd->e, ERR_DATA, "'%s':%s", rd->path, why.text);
	}
	r = reading_give(rd, NULL, buf_str(text), len, NULL);
	if (text->len > len)
		memmove(text->p, text->p + len, text->len - len);
	buf_cut(text, text->len - len);
	return r;
}

/* Pass the whole record to the callback of RD as one turn without a role, or as
 * several, cut at line ends, if it is longer than PLAIN_MAX. Return 0, 1 if the
 * callback stopped it, or -1; ERR_DATA if it is not UTF-8. */
static int read_plain(struct reading *rd)
{
	struct buf *text = &rd->text;
	ssize_t n;
	int r = 0;

	if (lseek(rd->fd, 0, SEEK_SET) < 0)
		return err_sys(rd->e, "cannot read '%s'", rd->path);
	while (!r) {
		buf_grow(text, PLAIN_MAX + 1 - text->len);
		n = io_read(rd->fd, text->p + text->len,
			    PLAIN_MAX + 1 - text->len);
		if (n < 0)
			return err_sys(rd->e, "cannot read '%s'", rd->path);
		if (!n)
			break;
		text->len += (size_t)n;
		text->p[text->len] = '\0';
		if (text->len > PLAIN_MAX)
			r = give_text(rd, cut_at(text->p, PLAIN_MAX));
	}
	return r ? r : give_text(rd, text->len);
}

const struct reader reader_text = {"text", .read = read_plain};
