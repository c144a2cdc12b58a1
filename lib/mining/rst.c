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

/* The characters that underline titles, by level. */
struct levels {
	char marks[3];
	size_t n;
};

/* Return the level of the titles that MARK underlines, from 0; 2 is also for deeper
 * ones. */
static size_t find_level(struct levels *levels, char mark)
{
	size_t i = 0;

	while (i < levels->n && levels->marks[i] != mark)
		i++;
	if (i == levels->n && i < sizeof(levels->marks))
		levels->marks[levels->n++] = mark;
	return i < sizeof(levels->marks) ? i : sizeof(levels->marks) - 1;
}

/* Write TITLE and its RULER, the line below, as "### TITLE" below an empty line: Markdown
 * underlines no third level. Both lines have room for it. */
static void write_third(const struct line *title, const struct line *ruler)
{
	static const char mark[] = "\n### ";
	const size_t n = strlen(mark);
	char *end = ruler->p + ruler->len;

	memmove(title->p + n, title->p, title->len);
	memcpy(title->p, mark, n);
	for (char *p = title->p + n + title->len; p < end; p++)
		*p = ' ';
}

void rst_to_markdown(char *p, size_t len)
{
	static const char underline[] = "=--";
	const char *end = p + len;
	struct line before = {p, 0};
	struct levels levels = {.n = 0};

	for (size_t n; p < end; p += n) {
		struct line l = line_at(p, end);
		const char *stop = memchr(p, '\n', (size_t)(end - p));

		n = (size_t)((stop ? stop + 1 : end) - p);
		change_markup(&l);
		if (is_ruler(&l) && !before.len) {
			memset(l.p, ' ', l.len);
			l.len = 0;
		} else if (is_ruler(&l) && l.len + 2 >= before.len) {
			const size_t level = find_level(&levels, *l.p);

			if (level == 2 && l.len >= 4)
				write_third(&before, &l);
			else
				memset(l.p, underline[level], l.len);
			l.len = 0;
		}
		before = l;
	}
}
