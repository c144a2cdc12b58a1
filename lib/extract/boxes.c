/* boxes.c: words side by side form rows. Rows form blocks, by the space
 * between them, their height and their first characters. A block in larger
 * type than the body text is a heading; its size determines the level.
 *
 * The order is the printing order. For columns and justified lines this is
 * closer to the text than an order derived from boxes. Only rows above or
 * below everything else on a page are moved to its start or end.
 *
 * Known limits: bold type is not recognized, and the cells of a table become
 * words of a row.
 */
#include "extract/printed.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/table.h"
#include "base/utf8.h"

#define FAR 100000.0	/* points; a larger coordinate is invalid */
#define STEPS 4		/* per point, for counting heights */
#define SIZES 2048	/* number of steps; the last counts larger sizes too */
#define LARGER 1.15	/* times the body size: a heading */
#define HEADING_MAX 200 /* bytes */
#define HEADING_ROWS 3
#define LEVELS 6
#define EDGES 2 /* rows moved at each edge of a page */

struct word {
	double x0, y0, x1, y1;
	const char *p; /* with XML references */
	size_t len;
	size_t page;
};

struct row {
	size_t first, n; /* range of words */
	double x0, y0, y1;
	double least; /* height of the smallest word */
	double size;  /* mean height of the letters */
	double base;  /* mean y of the lower edges */
	size_t bytes;
	bool begins; /* starts a block, after an empty line */
	bool item;   /* of a list */
	size_t page;
	size_t level; /* of the heading it belongs to, or 0 */
};

struct boxes {
	struct word *words;
	size_t n, cap;
	struct row *rows;
	size_t nrows, caprows;
	double body;	      /* height of the body text */
	double pitch;	      /* distance of its rows */
	double sizes[LEVELS]; /* of headings, largest first */
	struct table known;   /* words that no row end has split */
	struct buf text;      /* of the current row */
};

static double height(const struct word *w)
{
	return w->y1 - w->y0;
}

/* Return the value of the attribute NAME in the tag at P, or 0. */
static double read_number(const char *p, const char *end, const char *name)
{
	const char *at = memmem(p, (size_t)(end - p), name, strlen(name));
	const double v = at ? strtod(at + strlen(name), NULL) : 0;

	return v > -FAR && v < FAR ? v : 0;
}

bool printed_are_boxes(const char *p, size_t len)
{
	static const char begin[] = "<!DOCTYPE html",
			  pages[] = "<doc>\n  <page ";

	return len > sizeof(begin) && !memcmp(p, begin, sizeof(begin) - 1) &&
	       memmem(p, len, pages, sizeof(pages) - 1);
}

/* Move *P past the next word and set W to it. Returns false if there is
 * none. */
static bool next_word(const char **p, const char *end, struct word *w)
{
	static const char page[] = "<page ", word[] = "<word ",
			  ends[] = "</word>";

	while ((*p = memchr(*p, '<', (size_t)(end - *p)))) {
		const char *tag = *p, *close;
		const size_t left = (size_t)(end - tag);

		++*p;
		if (left > sizeof(page) && !memcmp(tag, page, sizeof(page) - 1))
			w->page++;
		if (left <= sizeof(word) || memcmp(tag, word, sizeof(word) - 1))
			continue;
		w->p = memchr(tag, '>', left);
		close = w->p ? memmem(w->p, (size_t)(end - w->p), ends,
				      sizeof(ends) - 1)
			     : NULL;
		if (!close)
			break;
		w->x0 = read_number(tag, w->p, "xMin=\"");
		w->y0 = read_number(tag, w->p, "yMin=\"");
		w->x1 = read_number(tag, w->p, "xMax=\"");
		w->y1 = read_number(tag, w->p, "yMax=\"");
		w->p++;
		w->len = (size_t)(close - w->p);
		*p = close;
		if (w->len)
			return true;
	}
	return false;
}

static bool is_reversed(uint32_t c)
{
	return (c >= 0x590 && c <= 0x8FF) || (c >= 0xFB1D && c <= 0xFDFF) ||
	       (c >= 0xFE70 && c <= 0xFEFC);
}

bool printed_boxes_are_reversed(const char *p, size_t len)
{
	const char *end = p + len;
	struct word w = {0};

	while (next_word(&p, end, &w)) {
		size_t size;

		for (size_t i = 0; i < w.len; i += size) {
			if (is_reversed(utf8_decode(w.p + i, w.len - i, &size)))
				return true;
		}
	}
	return false;
}

/* Append W to OUT with its references replaced. */
static void add_word(struct buf *out, const struct word *w)
{
	static const struct {
		const char *from;
		char to;
	} references[] = {{"&amp;", '&'},
			  {"&lt;", '<'},
			  {"&gt;", '>'},
			  {"&quot;", '"'},
			  {"&apos;", '\''}};

	for (size_t i = 0; i < w->len;) {
		size_t n = 0, k = 0;

		for (; w->p[i] == '&' && k < ARRAY_LEN(references); k++) {
			n = strlen(references[k].from);
			if (w->len - i >= n &&
			    !memcmp(w->p + i, references[k].from, n))
				break;
			n = 0;
		}
		if (n)
			buf_addc(out, references[k].to);
		else if ((unsigned char)w->p[i] < ' ')
			buf_addc(out, ' ');
		else
			buf_addc(out, w->p[i]);
		i += n ? n : 1;
	}
}

/* Return true if B continues the row that A ends. */
static bool continues_row(const struct word *a, const struct word *b)
{
	const double low = a->y0 > b->y0 ? a->y0 : b->y0;
	const double high = a->y1 < b->y1 ? a->y1 : b->y1;
	const double least = height(a) < height(b) ? height(a) : height(b);

	return a->page == b->page && high - low >= least / 2 &&
	       b->x0 >= a->x1 - least / 2;
}

static bool needs_space(const struct word *a, const struct word *b)
{
	const double least = height(a) < height(b) ? height(a) : height(b);

	return b->x0 - a->x1 > least * .08;
}

static void read_words(struct boxes *b, const char *p, const char *end)
{
	struct word w = {0};

	while (next_word(&p, end, &w)) {
		*MEM_ADD(b->words, b->n, b->cap) = w;
	}
}

static void add_to_row(struct row *r, const struct word *w)
{
	const double share = (double)w->len / (double)(r->bytes + w->len);

	r->n++;
	r->bytes += w->len;
	r->y0 = w->y0 < r->y0 ? w->y0 : r->y0;
	r->y1 = w->y1 > r->y1 ? w->y1 : r->y1;
	r->least = height(w) < r->least ? height(w) : r->least;
	r->size += (height(w) - r->size) * share;
	r->base += (w->y1 - r->base) * share;
}

/* Group the words into rows. */
static void read_rows(struct boxes *b)
{
	struct row *r = NULL;

	for (size_t i = 0; i < b->n; i++) {
		const struct word *w = &b->words[i];

		if (!r || !continues_row(w - 1, w)) {
			r = MEM_ADD(b->rows, b->nrows, b->caprows);
			*r = (struct row){.first = i,
					  .x0 = w->x0,
					  .y0 = w->y0,
					  .y1 = w->y1,
					  .least = height(w),
					  .page = w->page};
		}
		add_to_row(r, w);
	}
}

static size_t size_step(double size)
{
	const double steps = size * STEPS + .5;

	return steps < 1 ? 0 : steps < SIZES ? (size_t)steps : SIZES - 1;
}

/* Return the smallest size whose count is at least 1/PART of the largest one in
 * COUNTS, or 0 if all are zero. */
static double frequent_size(const size_t counts[SIZES], size_t part)
{
	size_t best = 0, least = 1;

	for (size_t i = 1; i < SIZES; i++) {
		if (counts[i] > (best ? counts[best] : 0))
			best = i;
	}
	while (least < best && counts[least] < (counts[best] + part - 1) / part)
		least++;
	return best ? (double)least / STEPS : 0;
}

/* Find the height of the body text and the distance of its rows. */
static void measure_type(struct boxes *b)
{
	size_t heights[SIZES] = {0}, pitches[SIZES] = {0};

	for (size_t i = 0; i < b->n; i++)
		heights[size_step(height(&b->words[i]))] += b->words[i].len;
	b->body = frequent_size(heights, 1);
	for (size_t i = 1; i < b->nrows; i++) {
		const struct row *r = &b->rows[i];
		const double pitch = r->base - r[-1].base;

		if (pitch > b->body * .8 && pitch < b->body * 3)
			pitches[size_step(pitch)]++;
	}
	/* If each paragraph is one row, most distances are larger. */
	b->pitch = frequent_size(pitches, 4);
	if (b->pitch < b->body / 2)
		b->pitch = b->body * 1.2;
}

/* Return the row of the N at ROWS that is above (or below) all others, or N. */
static size_t find_edge(const struct row *rows, size_t n, bool above)
{
	size_t at = 0;

	for (size_t i = 1; i < n; i++) {
		if (above ? rows[i].y1 < rows[at].y1 : rows[i].y0 > rows[at].y0)
			at = i;
	}
	for (size_t i = 0; i < n; i++) {
		const double gap = above ? rows[i].y0 - rows[at].y1
					 : rows[at].y0 - rows[i].y1;

		if (i != at && gap < 1.5 * rows[at].size)
			return n;
	}
	return at;
}

/* Move rows above or below everything else to the start or end of their
 * page. */
static void order_edges(struct boxes *b)
{
	size_t n;

	for (size_t i = 0; i < b->nrows; i += n) {
		struct row *rows = b->rows + i, kept;

		for (n = 1; i + n < b->nrows && rows[n].page == rows->page;)
			n++;
		for (size_t k = 0; k < EDGES && k + 1 < n; k++) {
			const size_t at = find_edge(rows + k, n - k, true);

			if (at == n - k)
				break;
			kept = rows[k + at];
			memmove(rows + k + 1, rows + k, at * sizeof(kept));
			rows[k] = kept;
		}
		for (size_t k = 0; k < EDGES && k + 1 < n; k++) {
			const size_t at = find_edge(rows, n - k, false);

			if (at == n - k)
				break;
			kept = rows[at];
			memmove(rows + at, rows + at + 1,
				(n - k - at - 1) * sizeof(kept));
			rows[n - k - 1] = kept;
		}
	}
}

/* Return the length of the bullet that begins R, or 0. */
static size_t bullet_length(const struct boxes *b, const struct row *r)
{
	static const char *const bullets[] = {"•", "◦", "▪",	 "●",
					      "○", "■", "\uf0b7"};
	const struct word *w = &b->words[r->first];

	for (size_t i = 0; i < ARRAY_LEN(bullets) && r->n > 1; i++) {
		if (w->len == strlen(bullets[i]) &&
		    !memcmp(w->p, bullets[i], w->len))
			return w->len;
	}
	return 0;
}

/* Return true if R may begin an entry of a list or a bibliography. */
static bool is_entry(const struct boxes *b, const struct row *r)
{
	const struct word *w = &b->words[r->first];
	const char c = w->len ? w->p[w->len - 1] : ' ';

	return bullet_length(b, r) || *w->p == '[' || *w->p == '-' ||
	       (w->len < 5 && (c == '.' || c == ')'));
}

/* Return true if row I begins a block. */
static bool begins_block(struct boxes *b, size_t i)
{
	const struct row *r = &b->rows[i], *prev = r - 1, *next = r + 1;
	const struct word *last, *first = &b->words[r->first];
	double down, pitch = b->pitch;

	if (!i || r->page != prev->page || r->size > prev->size * LARGER ||
	    prev->size > r->size * LARGER)
		return true;
	down = r->base - prev->base;
	if (r->size > b->body)
		pitch *= r->size / b->body;
	/* A sentence may continue at the top of the next column. */
	last = &b->words[prev->first + prev->n - 1];
	if (down < 0)
		return !printed_continues(last->p, last->len, first->p,
					  first->len);
	if (down > pitch * 1.3)
		return true;
	return r->x0 > prev->x0 + b->body * .7 &&
	       r->x0 < prev->x0 + b->body * 5 && i + 1 < b->nrows &&
	       next->page == r->page && next->base > r->base &&
	       next->x0 < r->x0 - b->body / 2 && !is_entry(b, prev);
}

/* Append the text of R to OUT. */
static void add_row(const struct boxes *b, const struct row *r, struct buf *out)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct word *w = &b->words[r->first + i];

		if (i && needs_space(w - 1, w))
			buf_addc(out, ' ');
		add_word(out, w);
	}
}

/* Return the end of the block that begins at row I. */
static size_t end_of_block(const struct boxes *b, size_t i)
{
	for (i++; i < b->nrows && !b->rows[i].begins && !b->rows[i].item;)
		i++;
	return i;
}

/* Return the type size of the rows from I to END, or 0 if they are not a
 * heading. */
static double heading_size(struct boxes *b, size_t i, size_t end)
{
	double size = b->rows[i].least;

	if (end - i > HEADING_ROWS)
		return 0;
	buf_cut(&b->text, 0);
	for (; i < end; i++) {
		size = b->rows[i].least < size ? b->rows[i].least : size;
		add_row(b, &b->rows[i], &b->text);
	}
	return b->text.len <= HEADING_MAX && size >= b->body * LARGER ? size
								      : 0;
}

/* Record SIZE as the size of a heading. */
static void add_heading_size(struct boxes *b, double size)
{
	size_t i = 0;

	while (i < LEVELS && b->sizes[i] > size * 1.04)
		i++;
	if (i == LEVELS || b->sizes[i] > size / 1.04)
		return;
	memmove(b->sizes + i + 1, b->sizes + i,
		(LEVELS - i - 1) * sizeof(*b->sizes));
	b->sizes[i] = size;
}

/* Find the starts of blocks and items, then the headings and their levels. */
static void find_blocks(struct boxes *b)
{
	size_t end;

	for (size_t i = 0; i < b->nrows; i++) {
		b->rows[i].begins = begins_block(b, i);
		b->rows[i].item = bullet_length(b, &b->rows[i]);
	}
	for (size_t i = 0; i < b->nrows; i = end) {
		double size;

		end = end_of_block(b, i);
		size = b->rows[i].item ? 0 : heading_size(b, i, end);
		if (size > 0)
			add_heading_size(b, size);
	}
	for (size_t i = 0; i < b->nrows; i = end) {
		double size;
		size_t level = 1;

		end = end_of_block(b, i);
		size = b->rows[i].item ? 0 : heading_size(b, i, end);
		while (level < LEVELS && b->sizes[level - 1] > size * 1.04)
			level++;
		for (size_t k = i; k < end && size > 0; k++)
			b->rows[k].level = level;
	}
}

/* Return the number of letters in TEXT from offset I on. */
static size_t count_letters(const struct buf *text, size_t i)
{
	size_t n = 0;

	while (i + n < text->len && printed_is_letter(text->p[i + n]))
		n++;
	return n;
}

static void lower_case(char *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		p[i] = ascii_lower(p[i]);
}

static bool is_known(const struct boxes *b, const char *p, size_t len)
{
	struct table_look k = table_look(&b->known, p, len, 0);
	size_t i;

	return table_next(&k, &i);
}

/* Return true if W ends with a hyphen at the end of a row. */
static bool is_broken(const struct boxes *b, const struct word *w)
{
	return w->p[w->len - 1] == '-' &&
	       (w + 1 == b->words + b->n || !continues_row(w, w + 1));
}

/* Record all words, except those that a row end may have split. */
static void collect_known(struct boxes *b)
{
	size_t n;

	for (size_t i = 0; i < b->n; i++) {
		const struct word *w = &b->words[i];

		if (is_broken(b, w) || (i && is_broken(b, w - 1)))
			continue;
		buf_cut(&b->text, 0);
		add_word(&b->text, w);
		lower_case(b->text.p, b->text.len);
		for (size_t at = 0; at < b->text.len; at += n + 1) {
			n = count_letters(&b->text, at);
			if (n && !is_known(b, b->text.p + at, n))
				table_put(&b->known, b->text.p + at, n, 0, 0);
		}
	}
}

/* If OUT ends with a hyphen at a row end, append TEXT as the rest of the word
 * and return true. The hyphen is removed, unless the parts are known only as
 * separate words. */
static bool join_word(const struct boxes *b, struct buf *out,
		      const struct buf *text)
{
	const size_t after = count_letters(text, 0);
	size_t before = 0;
	struct buf whole = {0};
	bool keep;

	if (out->len < 2 || out->p[out->len - 1] != '-' || !after ||
	    !printed_is_lower(*text->p))
		return false;
	while (before + 1 < out->len &&
	       printed_is_letter(out->p[out->len - 2 - before]))
		before++;
	if (!before)
		return false;
	buf_add(&whole, out->p + out->len - 1 - before, before);
	buf_add(&whole, text->p, after);
	lower_case(whole.p, whole.len);
	keep = !is_known(b, whole.p, whole.len) &&
	       is_known(b, whole.p, before) &&
	       is_known(b, whole.p + before, after);
	buf_release(&whole);
	if (!keep)
		buf_cut(out, out->len - 1);
	buf_add(out, text->p, text->len);
	return true;
}

/* Return true if TEXT, a row, would be markup in Markdown. */
static bool is_markup(const struct buf *text)
{
	const char *p = text->p;
	const size_t hashes = strspn(p, "#");

	if (hashes && hashes <= 6 && (!p[hashes] || p[hashes] == ' '))
		return true;
	return !strncmp(p, "```", 3) || !strncmp(p, "~~~", 3) ||
	       !strncmp(p, "<!--", 4) || !p[strspn(p, "=")] ||
	       !p[strspn(p, "-")];
}

/* Append row I, which is not part of a heading. */
static void add_line(struct boxes *b, size_t i, struct buf *out)
{
	const struct row *r = &b->rows[i];
	const bool first = !out->len || out->p[out->len - 1] == '\f';
	struct row rest = *r;

	buf_cut(&b->text, 0);
	if (r->item) {
		rest.first++;
		rest.n--;
	}
	add_row(b, &rest, &b->text);
	if (!b->text.len)
		return;
	if (!r->begins && !r->item && join_word(b, out, &b->text))
		return;
	if (!first)
		buf_adds(out,
			 r->begins && !(r->item && r[-1].item) ? "\n\n" : "\n");
	if (r->item)
		buf_adds(out, "- ");
	else if (is_markup(&b->text))
		buf_addc(out, '\\');
	buf_add(out, b->text.p, b->text.len);
}

/* Append the heading in the rows from I to END. */
static void add_heading(struct boxes *b, size_t i, size_t end, struct buf *out)
{
	if (out->len && out->p[out->len - 1] != '\f')
		buf_adds(out, "\n\n");
	for (size_t n = b->rows[i].level; n--;)
		buf_addc(out, '#');
	for (; i < end; i++) {
		buf_addc(out, ' ');
		add_row(b, &b->rows[i], out);
	}
}

void printed_add_boxes(struct buf *out, const char *p, size_t len)
{
	struct boxes b = {0};
	struct buf text = {0};
	size_t page = 0;

	read_words(&b, p, p + len);
	read_rows(&b);
	measure_type(&b);
	order_edges(&b);
	find_blocks(&b);
	collect_known(&b);
	for (size_t i = 0; i < b.nrows; i++) {
		for (; page + 1 < b.rows[i].page; page++)
			buf_addc(&text, '\f');
		if (b.rows[i].level) {
			const size_t end = end_of_block(&b, i);

			add_heading(&b, i, end, &text);
			i = end - 1;
		} else {
			add_line(&b, i, &text);
		}
	}
	buf_add(out, text.p, text.len);
	buf_addc(out, '\f');
	buf_release(&text);
	buf_release(&b.text);
	table_release(&b.known);
	free(b.words);
	free(b.rows);
}
