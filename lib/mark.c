/* mark.c: a mark is a comment whose first word begins with co:context, in any
 * case and with any blanks, a slash before it or not.
 */
#include "mark.h"

#define WORD "co:context"

static size_t skip_blanks(const char *p, size_t i, size_t len)
{
	while (i < len && memchr(" \t\r\n", p[i], 4))
		i++;
	return i;
}

/* True if a mark begins at P. */
static bool is_mark(const char *p, size_t len)
{
	size_t i = 4;

	if (len < i || memcmp(p, "<!--", i) != 0)
		return false;
	i = skip_blanks(p, i, len);
	if (i < len && p[i] == '/')
		i = skip_blanks(p, i + 1, len);
	return len - i >= strlen(WORD) &&
	       strncasecmp(p + i, WORD, strlen(WORD)) == 0;
}

void mark_escape(struct buf *out, const char *p, size_t len)
{
	size_t from = 0;

	for (const char *at = p; (at = memchr(at, '<', len - (size_t)(at - p)));
	     at++) {
		const size_t i = (size_t)(at - p);

		if (!is_mark(at, len - i))
			continue;
		buf_add(out, p + from, i - from);
		buf_adds(out, "&lt;");
		from = i + 1;
	}
	buf_add(out, p + from, len - from);
}

void mark_add(struct buf *out, const char *p, size_t len)
{
	buf_adds(out, MARK_OPEN);
	mark_escape(out, p, len);
	if (len && p[len - 1] != '\n')
		buf_addc(out, '\n');
	buf_adds(out, MARK_CLOSE);
}
