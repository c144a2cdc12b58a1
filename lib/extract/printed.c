/* printed.c: a line at the edge of a page is removed if about half of the
 * surrounding pages have the same line there, apart from page numbers. If the
 * lines are exactly equal, one is kept, because it may be the title, a table
 * heading, or text of a repeated page: at the top of the first page, or at the
 * bottom of the last, where it interrupts no sentence.
 *
 * Known limit: on a page with columns, the helper may put the footer between two
 * columns; there it stays.
 */
#include "extract/printed.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/utf8.h"

#define EDGE 4	     /* most lines of an edge */
#define AROUND 10    /* pages compared before and after */
#define PAGES 100000 /* pages beyond this are not changed */
#define DIGITS 9     /* of a number */

#define SOFT_HYPHEN "\xc2\xad"
#define HYPHEN "\xe2\x80\x90" /* printed where a word is split */

enum edge { TOP, BOTTOM };

struct line {
	const char *p;
	size_t len;
};

struct page {
	struct line text;
	struct line edges[2][EDGE]; /* outermost first, without blank lines */
	size_t n[2];
};

struct pages {
	struct page *items;
	size_t n, cap;
	size_t first, last; /* first and last page with text */
};

static void strip(struct line *l)
{
	utf8_strip(&l->p, &l->len);
}

static void add_edge(struct page *page, enum edge edge, struct line l)
{
	strip(&l);
	if (l.len)
		page->edges[edge][page->n[edge]++] = l;
}

/* Add a page with the LEN bytes of P, and find the lines at its edges. */
static void add_page(struct pages *all, const char *p, size_t len)
{
	struct page page = {.text = {p, len}};
	const bool any = all->n && all->items[all->last].n[TOP];
	const char *end = p + len;

	for (const char *at = p; at < end && page.n[TOP] < EDGE;) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));

		stop = stop ? stop : end;
		add_edge(&page, TOP, (struct line){at, (size_t)(stop - at)});
		at = stop + 1;
	}
	if (page.n[TOP])
		all->last = all->n;
	if (page.n[TOP] && !any)
		all->first = all->n;
	for (const char *at = end; at > p && page.n[BOTTOM] < EDGE;) {
		const char *start = at;

		while (start > p && start[-1] != '\n')
			start--;
		add_edge(&page, BOTTOM,
			 (struct line){start, (size_t)(at - start)});
		at = start > p ? start - 1 : p;
	}
	*MEM_ADD(all->items, all->n, all->cap) = page;
}

bool printed_is_letter(char c)
{
	return ascii_is_letter(c) || (c & 0x80);
}

bool printed_is_lower(char c)
{
	return printed_is_letter(c) && !ascii_is_upper(c);
}

/* Return the number at *P, and move *P past it. Returns -1 if it is too
 * long. */
static long read_number(const char **p, const char *end)
{
	long n = 0;
	int digits = 0;

	for (; *p < end && ascii_is_digit(**p); ++*p) {
		if (++digits <= DIGITS)
			n = n * 10 + (**p - '0');
	}
	return digits <= DIGITS ? n : -1;
}

/* Return true if X, and Y, APART pages later, differ only by page numbers.
 * *COUNTS is set if they do. Headings with different numbers differ. */
static bool is_same(const struct line *x, const struct line *y, long apart,
		    bool *counts)
{
	const char *p = x->p, *q = y->p;
	const char *p_end = p + x->len, *q_end = q + y->len;
	bool word = false, differs = false;

	while (p < p_end && q < q_end) {
		if (ascii_is_digit(*p) && ascii_is_digit(*q)) {
			const char *was_p = p, *was_q = q;
			const long n = read_number(&p, p_end),
				   m = read_number(&q, q_end);
			const bool equal =
				p - was_p == q - was_q &&
				!memcmp(was_p, was_q, (size_t)(p - was_p));

			if (!equal && (n < 0 || m < 0 || m - n != apart))
				return false;
			word = true;
			differs |= !equal;
			continue;
		}
		if (*p != *q)
			return false;
		word = word || printed_is_letter(*p);
		p++;
		q++;
	}
	word = word && p == p_end && q == q_end && !(differs && *x->p == '#');
	*counts |= word && differs;
	return word;
}

/* Return true if line K at EDGE of page I is repeated on other pages. *COUNTS
 * is set if it has a page number. */
static bool is_repeated(const struct pages *all, size_t i, enum edge edge,
			size_t k, bool *counts)
{
	const size_t from = i > AROUND ? i - AROUND : 0;
	const size_t to = all->n - i > AROUND ? i + AROUND + 1 : all->n;
	const struct line *line = &all->items[i].edges[edge][k];
	size_t same = 0;

	*counts = false;
	for (size_t j = from; j < to; j++) {
		const struct page *other = &all->items[j];

		same += j != i && k < other->n[edge] &&
			is_same(line, &other->edges[edge][k], (long)j - (long)i,
				counts);
	}
	return same && 2 * (same + 1) >= to - from - 1;
}

/* Return the number of lines at EDGE of page I to remove. *KEPT is the number
 * of repeated lines after these that are kept here. */
static size_t count_repeated(const struct pages *all, size_t i, enum edge edge,
			     size_t *kept)
{
	const bool stays = i == (edge == TOP ? all->first : all->last);
	const size_t lines = all->items[i].n[edge];
	size_t n = 0;
	bool counts;

	while (n < lines && is_repeated(all, i, edge, n, &counts) &&
	       (counts || !stays))
		n++;
	for (*kept = 0; stays && n + *kept < lines &&
			is_repeated(all, i, edge, n + *kept, &counts);)
		++*kept;
	return n;
}

/* Return the text of page I without repeated lines at its edges. */
static struct line trim_page(const struct pages *all, size_t i)
{
	const struct page *page = &all->items[i];
	const struct line *top = page->edges[TOP], *low = page->edges[BOTTOM];
	struct line text = page->text;
	const char *end = text.p + text.len, *stop = end;
	size_t kept, n = count_repeated(all, i, BOTTOM, &kept);

	if (n)
		end = low[n - 1].p;
	if (kept)
		stop = low[n + kept - 1].p;
	n = count_repeated(all, i, TOP, &kept);
	for (size_t k = 0; k < n && top[k].p < stop; k++)
		text.p = top[k].p + top[k].len;
	text.len = end > text.p ? (size_t)(end - text.p) : 0;
	/* Keep blanks before the first word: it may be code. */
	while (text.len && strchr(" \t\r\n", text.p[text.len - 1]))
		text.len--;
	while (text.len && memchr(text.p, '\n', text.len) &&
	       strspn(text.p, " \t\r") == strcspn(text.p, "\n")) {
		const size_t blank = strcspn(text.p, "\n") + 1;

		text.p += blank;
		text.len -= blank;
	}
	return text;
}

/* Return true if the LEN bytes of P end with a non-ASCII end of sentence. */
static bool ends_sentence(const char *p, size_t len)
{
	static const char *const ends[] = {"。", "．", "｡", "！", "？",
					   "…",	 "؟",  "۔", "।",  "」",
					   "』", "）", "”", "»"};

	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		const size_t n = strlen(ends[i]);

		if (len >= n && !memcmp(p + len - n, ends[i], n))
			return true;
	}
	return false;
}

bool printed_continues(const char *p, size_t len, const char *next, size_t n)
{
	return len && (printed_is_letter(p[len - 1]) || p[len - 1] == ',') &&
	       !ends_sentence(p, len) && n && printed_is_lower(*next);
}

/* Append the text from P to END with split words joined. */
static void join_words(struct buf *out, const char *p, const char *end)
{
	while (p < end) {
		const size_t left = (size_t)(end - p);

		if (left >= 2 && !memcmp(p, SOFT_HYPHEN, 2)) {
			p += 2;
		} else if (left > 4 && !memcmp(p, HYPHEN "\n", 4) &&
			   printed_is_lower(p[4])) {
			p += 4;
		} else {
			buf_addc(out, *p++);
		}
	}
}

void printed_add(struct buf *out, const char *p, size_t len)
{
	struct pages all = {0};
	struct buf text = {0};
	const char *end = p + len;

	while (p < end && all.n < PAGES) {
		const char *feed = memchr(p, '\f', (size_t)(end - p));
		const char *stop = feed ? feed : end;

		add_page(&all, p, (size_t)(stop - p));
		p = stop + (feed != NULL);
	}
	for (size_t i = 0; i < all.n; i++) {
		const struct line page = trim_page(&all, i);

		if (!page.len)
			continue;
		if (text.len)
			buf_adds(&text, printed_continues(text.p, text.len,
							  page.p, page.len)
						? "\n"
						: "\n\n");
		buf_add(&text, page.p, page.len);
	}
	if (text.len)
		buf_addc(&text, '\n');
	buf_add(&text, p, (size_t)(end - p));
	join_words(out, buf_str(&text), buf_str(&text) + text.len);
	free(all.items);
	buf_release(&text);
}
