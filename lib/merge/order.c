/* order.c: the lines of each version are sorted, and the lists are compared. */
#include "merge/order.h"

#include "base/mem.h"

/* The distinct lines of a text, sorted by bytes. The caller frees ITEMS. */
struct lines {
	struct merge_text *items;
	size_t n, cap;
};

static int by_bytes(const void *x, const void *y)
{
	const struct merge_text *a = x, *b = y;
	const size_t len = a->len < b->len ? a->len : b->len;
	const int r = len ? memcmp(a->p, b->p, len) : 0;

	return r ? r : (a->len > b->len) - (a->len < b->len);
}

/* Return the lines of TEXT, sorted, without blank lines and duplicates. */
static struct lines sort_lines(struct merge_text text)
{
	struct lines l = {0};
	size_t n = 0;

	for (size_t at = 0; at < text.len;) {
		const char *p = text.p + at;
		const char *end = memchr(p, '\n', text.len - at);
		size_t len = end ? (size_t)(end - p) : text.len - at;

		at += len + 1;
		if (len && p[len - 1] == '\r')
			len--;
		if (!len)
			continue;
		*MEM_ADD(l.items, l.n, l.cap) = (struct merge_text){p, len};
	}
	MEM_SORT(l.items, l.n, by_bytes);
	for (size_t i = 0; i < l.n; i++) {
		if (!n || !merge_version_same(l.items[n - 1], l.items[i]))
			l.items[n++] = l.items[i];
	}
	l.n = n;
	return l;
}

static bool has_line(const struct lines *l, const struct merge_text *line)
{
	return l->n && bsearch(line, l->items, l->n, sizeof(*line), by_bytes);
}

/* Return the number of lines of A that are not in B. *KNOWN of them are in
 * BASE. */
static size_t count_more(const struct lines *a, const struct lines *b,
			 const struct lines *base, size_t *known)
{
	size_t n = 0;

	*known = 0;
	for (size_t i = 0; i < a->n; i++) {
		if (has_line(b, &a->items[i]))
			continue;
		n++;
		*known += has_line(base, &a->items[i]);
	}
	return n;
}

bool order_same(struct merge_text a, struct merge_text b)
{
	struct lines x = sort_lines(a), y = sort_lines(b);
	size_t known;
	const bool same = x.n == y.n && !count_more(&x, &y, &y, &known);

	free(x.items);
	free(y.items);
	return same;
}

/* Choose between two texts with equal sets of lines. */
static struct merge_text choose_equal(struct merge_text a, struct merge_text b)
{
	if (a.len != b.len)
		return a.len > b.len ? a : b;
	return by_bytes(&a, &b) < 0 ? a : b;
}

bool order_pick(struct merge_text base, struct merge_text ours,
		struct merge_text theirs, struct merge_text *one)
{
	struct lines was = sort_lines(base), x = sort_lines(ours),
		     y = sort_lines(theirs);
	size_t xknown, yknown;
	const size_t xmore = count_more(&x, &y, &was, &xknown);
	const size_t ymore = count_more(&y, &x, &was, &yknown);
	const size_t more = xmore + ymore, known = xknown + yknown;

	free(was.items);
	free(x.items);
	free(y.items);
	*one = choose_equal(ours, theirs);
	if (more)
		*one = xmore == (known ? 0 : more) ? ours : theirs;
	return (!xmore || !ymore) && (!known || known == more);
}
