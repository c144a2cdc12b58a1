/* diff.c: equal lines at both ends are skipped; the rest is compared by its
 * longest common subsequence. If the table for that would be too large, the
 * whole rest counts as changed. */
#include "text/diff.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/utf8.h"

#define CELLS_MAX ((size_t)4 * 1024 * 1024)
#define BY_LETTER 0x2E80 /* scripts from here on have no blanks between words */
#define CONTEXT 2	 /* unchanged lines around a change */

/* A line or a word. */
struct unit {
	const char *p;
	size_t len; /* includes the newline */
};

struct side {
	struct unit *lines;
	size_t n, cap;
};

/* A unit of the result. */
struct edit {
	char mark; /* ' ' common, '-' only old, '+' only new */
	struct unit unit;
};

struct edits {
	struct edit *items;
	size_t n, cap;
};

static bool is_word_char(uint32_t c)
{
	return c < 0x80 ? ascii_is_alnum((int)c) : c >= 0xAA && c < BY_LETTER;
}

/* Return the length of the first word of P: letters, blanks, or one other
 * character. */
static size_t word_len(const char *p, size_t len)
{
	size_t n = 0, size;

	while (n < len && (p[n] == ' ' || p[n] == '\t'))
		n++;
	if (n)
		return n;
	while (n < len && is_word_char(utf8_decode(p + n, len - n, &size)))
		n += size;
	if (n)
		return n;
	utf8_decode(p, len, &size);
	return size;
}

/* Return the units of TEXT. LENGTH returns that of the first unit of P. */
static struct side split(const struct buf *text,
			 size_t (*length)(const char *p, size_t len))
{
	struct side s = {0};

	for (size_t at = 0, n; at < text->len; at += n) {
		const char *p = text->p + at;

		n = length(p, text->len - at);
		*MEM_ADD(s.lines, s.n, s.cap) = (struct unit){p, n};
	}
	return s;
}

static bool equal_units(const struct unit *a, const struct unit *b)
{
	return a->len == b->len && memcmp(a->p, b->p, a->len) == 0;
}

static void add_edit(struct edits *out, char mark, struct unit unit)
{
	*MEM_ADD(out->items, out->n, out->cap) = (struct edit){mark, unit};
}

/* Append the edits from A[i..an) to B[i..bn). */
static void compare_range(struct edits *out, const struct side *a, size_t an,
			  const struct side *b, size_t bn, size_t i)
{
	const size_t n = an - i, m = bn - i, wide = m + 1;
	uint32_t *longest = NULL;
	size_t x = 0, y = 0;

	if (n + 1 <= CELLS_MAX / wide) {
		longest = mem_resize(NULL, (n + 1) * wide, sizeof(*longest));
		memset(longest, 0, (n + 1) * wide * sizeof(*longest));
		for (x = n; x-- > 0;) {
			for (y = m; y-- > 0;) {
				const uint32_t *down =
					longest + (x + 1) * wide + y;
				uint32_t *at = longest + x * wide + y;

				if (equal_units(&a->lines[i + x],
						&b->lines[i + y]))
					*at = down[1] + 1;
				else
					*at = *down > at[1] ? *down : at[1];
			}
		}
		x = y = 0;
	}
	while (x < n || y < m) {
		if (x < n && y < m && longest &&
		    equal_units(&a->lines[i + x], &b->lines[i + y])) {
			add_edit(out, ' ', a->lines[i + x++]);
			y++;
		} else if (x < n && (y == m || !longest ||
				     longest[(x + 1) * wide + y] >=
					     longest[x * wide + y + 1])) {
			add_edit(out, '-', a->lines[i + x++]);
		} else {
			add_edit(out, '+', b->lines[i + y++]);
		}
	}
	free(longest);
}

static void append_edit(struct buf *out, const struct edit *e)
{
	buf_addc(out, e->mark);
	buf_add(out, e->unit.p, e->unit.len);
	if (e->unit.p[e->unit.len - 1] != '\n')
		buf_adds(out, "\n\\ No newline at end of file\n");
}

/* Return the end of the hunk whose first change is at START. */
static size_t hunk_end(const struct edits *edits, size_t start)
{
	size_t end = start, i;

	for (i = start; i < edits->n && i <= end + 2 * CONTEXT; i++) {
		if (edits->items[i].mark != ' ')
			end = i;
	}
	end += CONTEXT + 1;
	return end < edits->n ? end : edits->n;
}

static void append_hunk(struct buf *out, const struct edits *edits, size_t from,
			size_t to)
{
	size_t before[2] = {0, 0}, in[2] = {0, 0};

	for (size_t i = 0; i < to; i++) {
		size_t *n = i < from ? before : in;

		n[0] += edits->items[i].mark != '+';
		n[1] += edits->items[i].mark != '-';
	}
	buf_addf(out, "@@ -%zu,%zu +%zu,%zu @@\n", before[0] + (in[0] > 0),
		 in[0], before[1] + (in[1] > 0), in[1]);
	for (size_t i = from; i < to; i++)
		append_edit(out, &edits->items[i]);
}

/* Return the edits from WAS to NOW, split by LENGTH. Free their items. */
static struct edits compare(const struct buf *was, const struct buf *now,
			    size_t (*length)(const char *p, size_t len))
{
	const struct side a = split(was, length), b = split(now, length);
	struct edits edits = {0};
	size_t head = 0, tail = 0;

	while (head < a.n && head < b.n &&
	       equal_units(&a.lines[head], &b.lines[head]))
		add_edit(&edits, ' ', a.lines[head++]);
	while (tail < a.n - head && tail < b.n - head &&
	       equal_units(&a.lines[a.n - 1 - tail], &b.lines[b.n - 1 - tail]))
		tail++;
	compare_range(&edits, &a, a.n - tail, &b, b.n - tail, head);
	while (tail)
		add_edit(&edits, ' ', a.lines[a.n - tail--]);
	free(a.lines);
	free(b.lines);
	return edits;
}

/* Return true if edit I is a blank between two changes. */
static bool is_gap(const struct edits *edits, size_t i)
{
	const struct edit *e = &edits->items[i];

	return e->mark == ' ' && i && i + 1 < edits->n && e[-1].mark != ' ' &&
	       e[1].mark != ' ' && (*e->unit.p == ' ' || *e->unit.p == '\t');
}

/* Append TEXT, which was removed or, if IS_NEW, added, line by line, and empty
 * it. */
static void add_changed(struct buf *out, struct buf *text, bool is_new,
			const struct coloring *c)
{
	const char *p = buf_str(text), *end = p + text->len;

	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		const char *stop = nl ? nl : end;

		if (!c && stop > p)
			buf_adds(out, is_new ? "{+" : "[-");
		color_add(out, c, is_new ? COLOR_NEW : COLOR_OLD, p,
			  (size_t)(stop - p));
		if (!c && stop > p)
			buf_adds(out, is_new ? "+}" : "-]");
		if (nl)
			buf_addc(out, '\n');
		p = stop + (nl != NULL);
	}
	buf_cut(text, 0);
}

void diff_words(struct buf *out, const struct buf *was, const struct buf *now,
		const struct coloring *c)
{
	const struct edits edits = compare(was, now, word_len);
	struct buf gone = {0}, came = {0};

	for (size_t i = 0; i < edits.n; i++) {
		const struct edit *e = &edits.items[i];
		const bool gap = is_gap(&edits, i);

		if (e->mark == '-' || gap)
			buf_add(&gone, e->unit.p, e->unit.len);
		if (e->mark == '+' || gap)
			buf_add(&came, e->unit.p, e->unit.len);
		if (e->mark != ' ' || gap)
			continue;
		add_changed(out, &gone, false, c);
		add_changed(out, &came, true, c);
		buf_add(out, e->unit.p, e->unit.len);
	}
	add_changed(out, &gone, false, c);
	add_changed(out, &came, true, c);
	buf_release(&gone);
	buf_release(&came);
	free(edits.items);
}

void diff_lines(struct buf *out, const struct buf *was, const struct buf *now)
{
	const struct edits edits = compare(was, now, ascii_line);
	size_t i = 0;

	while (i < edits.n) {
		size_t from, to;

		if (edits.items[i].mark == ' ') {
			i++;
			continue;
		}
		from = i > CONTEXT ? i - CONTEXT : 0;
		to = hunk_end(&edits, i);
		append_hunk(out, &edits, from, to);
		i = to;
	}
	free(edits.items);
}

size_t diff_count(const struct buf *text)
{
	size_t n = 0;

	for (size_t at = 0; at < text->len; n++)
		at += ascii_line(text->p + at, text->len - at);
	return n;
}

void diff_keep(size_t *kept, const struct buf *was, const struct buf *now)
{
	const struct edits edits = compare(was, now, ascii_line);
	size_t x = 0, y = 0;

	for (size_t i = 0; i < edits.n; i++) {
		const char mark = edits.items[i].mark;

		if (mark != '-')
			kept[y++] = mark == ' ' ? x : SIZE_MAX;
		x += mark != '+';
	}
	free(edits.items);
}
