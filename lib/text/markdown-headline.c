/* markdown-headline.c: the first lines of a Markdown text as one line. */
#include "text/markdown.h"

#include "base/utf8.h"

/* Strip blanks and the signs of a heading from the line *P. Return true if it had
 * signs. */
static bool strip_heading(const char **p, size_t *len)
{
	size_t signs = 0;

	utf8_strip(p, len);
	while (signs < *len && signs < 6 && (*p)[signs] == '#')
		signs++;
	if (!signs || signs == *len || (*p)[signs] != ' ')
		return false;
	*p += signs;
	*len -= signs;
	utf8_strip(p, len);
	return true;
}

void markdown_add_headline(struct buf *out, const char *p, size_t len,
			   size_t most)
{
	const char *const end = p + len;
	const size_t from = out->len;
	bool more = true;

	while (more && p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		const char *line = p;
		size_t n = (size_t)((nl ? nl : end) - p);
		const bool heading = strip_heading(&line, &n);
		const bool colon = n && line[n - 1] == ':';

		p = nl ? nl + 1 : end;
		if (!n)
			continue;
		more = (heading || colon) && out->len - from < most;
		buf_add(out, line, utf8_prefix(line, n, most + 1));
		if (more)
			buf_adds(out, colon ? " " : ": ");
	}
	while (out->len > from && strchr(": ", out->p[out->len - 1]))
		buf_cut(out, out->len - 1);
	if (utf8_prefix(buf_str(out) + from, out->len - from, most) ==
	    out->len - from)
		return;
	buf_cut(out,
		from + utf8_prefix(out->p + from, out->len - from, most - 3));
	buf_adds(out, "...");
}
