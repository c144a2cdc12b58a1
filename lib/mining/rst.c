/* rst.c: a title is underlined by one character, as often as the title is long; which
 * characters are used, and for which level, is for each file to decide. The first one
 * that is met is the title of the file. Code is indented, as in Markdown.
 */
#include "mining/rst.h"

#include "base/ascii.h"

#define CODE 4 /* columns of indentation */

/* A line of the text, without its end. */
struct line {
	char *p;
	size_t len;
};

/* Return the line that begins at P, before END. */
static struct line line_at(char *p, const char *end)
{
	const char *stop = memchr(p, '\n', (size_t)(end - p));
	struct line l = {p, (size_t)((stop ? stop : end) - p)};

	while (l.len && strchr(" \t\r", l.p[l.len - 1]))
		l.len--;
	return l;
}

/* Return true if L is one punctuation character, repeated. */
static bool is_ruler(const struct line *l)
{
	size_t n = 0;

	while (n < l->len && l->p[n] == l->p[0])
		n++;
	return n > 2 && n == l->len && !ascii_is_alnum(l->p[0]) &&
	       (unsigned char)l->p[0] < 0x80;
}

/* Make L blank if it is a directive or a target (".. name::"), or only "::". A "#" that
 * begins it, before the column of code in Markdown, is no heading. */
static void change_markup(struct line *l)
{
	struct line in = *l;

	while (in.len && ascii_is_blank(*in.p)) {
		in.p++;
		in.len--;
	}
	if ((in.len > 2 && !memcmp(in.p, ".. ", 3)) ||
	    (in.len == 2 && !memcmp(in.p, "::", 2))) {
		memset(l->p, ' ', l->len);
		l->len = 0;
	} else if (in.p < l->p + CODE && in.len > 1 && !memcmp(in.p, "# ", 2)) {
		*in.p = ' ';
	}
}

void rst_to_markdown(char *p, size_t len)
{
	const char *end = p + len;
	struct line before = {p, 0};
	char first = '\0';

	for (size_t n; p < end; p += n) {
		struct line l = line_at(p, end);
		const char *stop = memchr(p, '\n', (size_t)(end - p));

		n = (size_t)((stop ? stop + 1 : end) - p);
		change_markup(&l);
		if (is_ruler(&l) && !before.len) {
			memset(l.p, ' ', l.len);
			l.len = 0;
		} else if (is_ruler(&l) && l.len + 2 >= before.len) {
			first = first ? first : *l.p;
			memset(l.p, *l.p == first ? '=' : '-', l.len);
			l.len = 0;
		}
		before = l;
	}
}
