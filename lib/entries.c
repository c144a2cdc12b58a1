/* entries.c: one pass, a line at a time.
 *
 * Known limits: a heading that is underlined is a paragraph, and so is a line
 * that is indented like code.
 */
#include "entries.h"

#include "mem.h"

/* Where the pass is. */
struct pass {
	struct entries *list;
	const char *p; /* the text */
	size_t at;     /* of the line that is looked at */
	size_t line;
	bool blank;   /* the line before was blank, or there is none */
	bool comment; /* inside of one */
	char fence;   /* inside of a fenced block that this opened */
	size_t fence_len;
};

/* How many blanks the line begins with; *COLUMNS gets how far they indent. */
static size_t skip_blanks(const char *p, size_t len, size_t *columns)
{
	size_t i = 0;

	*columns = 0;
	for (; i < len && (p[i] == ' ' || p[i] == '\t'); i++)
		*columns += p[i] == '\t' ? 4 : 1;
	return i;
}

static size_t run_of(const char *p, size_t len, char c)
{
	size_t n = 0;

	while (n < len && p[n] == c)
		n++;
	return n;
}

static bool is_blank(const char *p, size_t len)
{
	size_t columns;

	return skip_blanks(p, len, &columns) == len;
}

/* The level of the heading that the line is, 0 for none. */
static int heading_level(const char *p, size_t len)
{
	const size_t n = run_of(p, len, '#');

	return n >= 1 && n <= 6 && (n == len || p[n] == ' ' || p[n] == '\t')
		       ? (int)n
		       : 0;
}

/* The bytes of the mark that begins an item of a list, 0 for another line. */
static size_t item_mark(const char *p, size_t len)
{
	size_t n = 0;

	while (n < len && n < 9 && p[n] >= '0' && p[n] <= '9')
		n++;
	if (n && (n == len || (p[n] != '.' && p[n] != ')')))
		return 0;
	if (!n && (!len || !memchr("-*+", p[0], 3)))
		return 0;
	n++;
	return n == len || p[n] == ' ' || p[n] == '\t' ? n : 0;
}

/* Follow the fences and comments that the line, which begins at P behind its
 * indent, opens or closes. */
static void follow(struct pass *s, const char *p, size_t len)
{
	size_t n = s->fence || s->comment ? 0 : item_mark(p, len);
	size_t columns;
	char c;

	n += skip_blanks(p + n, len - n, &columns);
	p += n;
	len -= n;
	c = len ? *p : 0;
	n = c == '`' || c == '~' ? run_of(p, len, c) : 0;
	if (s->fence) {
		if (c == s->fence && n >= s->fence_len &&
		    is_blank(p + n, len - n))
			s->fence = 0;
	} else if (s->comment) {
		s->comment = !memmem(p, len, "-->", 3);
	} else if (n >= 3 && (c == '~' || !memchr(p + n, '`', len - n))) {
		s->fence = c;
		s->fence_len = n;
	} else if (len >= 4 && !memcmp(p, "<!--", 4)) {
		s->comment = !memmem(p + 4, len - 4, "-->", 3);
	}
}

/* True if the line, of which LEN bytes from P on stand behind INDENT columns,
 * begins an entry. */
static bool begins(const struct pass *s, const struct entry *last,
		   const char *p, size_t len, size_t indent)
{
	if (s->fence || s->comment)
		return false;
	if (!last || last->kind == ENTRY_HEADING)
		return true;
	if (last->kind == ENTRY_ITEM && indent >= 2)
		return false;
	return s->blank ||
	       (indent < 4 && (heading_level(p, len) || item_mark(p, len)));
}

/* The heading that a heading of LEVEL, or with 0 any entry, stands under. */
static size_t heading_above(const struct entries *list, int level)
{
	size_t i = list->n;

	/* From the last heading upwards, so that each level costs a step. */
	while (i && list->items[i - 1].kind != ENTRY_HEADING)
		i = list->items[i - 1].heading == ENTRY_NONE
			    ? 0
			    : list->items[i - 1].heading + 1;
	if (!i)
		return ENTRY_NONE;
	for (i--; level && i != ENTRY_NONE && list->items[i].level >= level;)
		i = list->items[i].heading;
	return i;
}

static struct entry *begin(struct pass *s, const char *p, size_t len,
			   size_t indent)
{
	struct entries *list = s->list;
	struct entry new = {.start = s->at, .line = s->line};

	new.apart = s->blank && list->n;
	new.level = indent < 4 ? heading_level(p, len) : 0;
	new.kind = new.level			     ? ENTRY_HEADING
		   : indent < 4 && item_mark(p, len) ? ENTRY_ITEM
						     : ENTRY_TEXT;
	new.heading = heading_above(list, new.level);
	if (new.heading != ENTRY_NONE)
		list->items[new.heading].has_parts = true;
	list->items = mem_grow(list->items, list->n, &list->cap,
			       sizeof(*list->items));
	list->items[list->n] = new;
	return &list->items[list->n++];
}

void entries_split(struct entries *list, const char *p, size_t len)
{
	struct pass s = {.list = list, .p = p, .blank = true};
	struct entry *last = NULL;

	for (; s.at < len; s.line++) {
		const char *text = p + s.at;
		const char *nl = memchr(text, '\n', len - s.at);
		const size_t end = nl ? (size_t)(nl - text) : len - s.at;
		size_t indent;
		const size_t skip = skip_blanks(text, end, &indent);
		const bool blank = skip == end;

		if (!blank && begins(&s, last, text + skip, end - skip, indent))
			last = begin(&s, text + skip, end - skip, indent);
		follow(&s, text + skip, end - skip);
		if (last && !blank) {
			last->len = s.at + end - last->start;
			last->fence = s.fence;
			last->fence_len = s.fence_len;
		}
		s.blank = blank && !s.fence && !s.comment;
		s.at += end + 1;
	}
}

void entries_add(struct buf *out, const struct entry *e, const char *p)
{
	buf_add(out, p + e->start, e->len);
	if (!e->fence)
		return;
	buf_addc(out, '\n');
	for (size_t i = 0; i < e->fence_len; i++)
		buf_addc(out, e->fence);
}

size_t entries_size(const struct entry *e)
{
	return e->len + (e->fence ? 1 + e->fence_len : 0);
}
