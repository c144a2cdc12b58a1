/* bullets.c: each text is split into parts: bullets and other lines. The
 * bullets between two other lines are merged as one set. */
#include "merge/bullets.h"

#include "base/mem.h"

struct part {
	const char *p;
	size_t len; /* without trailing blanks and line end */
	bool bullet;
};

/* The parts of one text. The caller frees ITEMS. */
struct parts {
	struct part *items;
	size_t n, cap;
};

static size_t stripped_length(const char *p, size_t len)
{
	while (len && strchr(" \t\r\n", p[len - 1]) && p[len - 1])
		len--;
	return len;
}

bool bullets_begins(const char *p, size_t len)
{
	return len > 1 && *p && strchr("-*+", *p) && p[1] == ' ';
}

bool bullets_continues(const char *p, size_t len)
{
	return stripped_length(p, len) && (*p == ' ' || *p == '\t');
}

/* Split TEXT into parts. Returns false if it has other lines than bullets,
 * headings and blank lines. */
static bool split_parts(struct parts *list, struct merge_text text)
{
	size_t at = 0;

	while (at < text.len) {
		const char *p = text.p + at;
		const char *end = memchr(p, '\n', text.len - at);
		const size_t len = end ? (size_t)(end - p) + 1 : text.len - at;
		const size_t said = stripped_length(p, len);
		struct part *last = list->n ? &list->items[list->n - 1] : NULL;

		at += len;
		if (bullets_continues(p, len) && last && last->bullet) {
			last->len = (size_t)(p - last->p) + said;
			continue;
		}
		if (said && !bullets_begins(p, len) && *p != '#')
			return false;
		*MEM_ADD(list->items, list->n, list->cap) =
			(struct part){p, said, said && *p != '#'};
	}
	return true;
}

static bool parts_equal(const struct part *a, const struct part *b)
{
	return a->len == b->len && !memcmp(a->p, b->p, a->len);
}

static bool has_part(const struct parts *list, const struct part *wanted)
{
	for (size_t i = 0; i < list->n; i++) {
		if (parts_equal(&list->items[i], wanted))
			return true;
	}
	return false;
}

static void add_part(struct parts *list, const struct part *p)
{
	*MEM_ADD(list->items, list->n, list->cap) = *p;
}

/* Return the bullets of LIST from *AT on, and move *AT past them. The items
 * are borrowed. */
static struct parts next_set(const struct parts *list, size_t *at)
{
	const size_t start = *at;

	while (*at < list->n && list->items[*at].bullet)
		(*at)++;
	return (struct parts){list->items ? list->items + start : NULL,
			      *at - start, 0};
}

/* Append the items of SIDE that BASE lacks to ADDED. Returns true if OTHER
 * lacks one of them. */
static bool add_new(struct parts *added, const struct parts *side,
		    const struct parts *base, const struct parts *other)
{
	bool any = false;

	for (size_t i = 0; i < side->n; i++) {
		const struct part *p = &side->items[i];

		if (has_part(base, p))
			continue;
		any = any || !has_part(other, p);
		if (!has_part(added, p))
			add_part(added, p);
	}
	return any;
}

static int by_bytes(const void *x, const void *y)
{
	const struct part *a = x, *b = y;
	const size_t len = a->len < b->len ? a->len : b->len;
	const int order = memcmp(a->p, b->p, len);

	return order ? order : (a->len > b->len) - (a->len < b->len);
}

static void print_parts(struct buf *out, const struct parts *list)
{
	for (size_t i = 0; i < list->n; i++) {
		buf_add(out, list->items[i].p, list->items[i].len);
		buf_addc(out, '\n');
	}
}

/* Merge one set. Returns false if both sides changed one bullet. */
static bool merge_set(const struct parts *base, const struct parts *ours,
		      const struct parts *theirs, struct buf *out)
{
	struct parts kept = {0}, added = {0};
	bool gone = false, we, they;

	for (size_t i = 0; i < base->n; i++) {
		const struct part *p = &base->items[i];
		const bool here = has_part(ours, p),
			   there = has_part(theirs, p);

		if (here && there && !has_part(&kept, p))
			add_part(&kept, p);
		gone = gone || (!here && !there);
	}
	we = add_new(&added, ours, base, theirs);
	they = add_new(&added, theirs, base, ours);
	MEM_SORT(added.items, added.n, by_bytes);
	if (!(gone && we && they)) {
		print_parts(out, &kept);
		print_parts(out, &added);
	}
	free(kept.items);
	free(added.items);
	return !(gone && we && they);
}

/* Merge all parts. The lines between the bullets must be equal on both sides,
 * and in BASE if it has them. */
static bool merge_parts(const struct parts *base, const struct parts *ours,
			const struct parts *theirs, struct buf *out)
{
	size_t b = 0, o = 0, t = 0;

	for (;;) {
		const struct parts was = next_set(base, &b);
		const struct parts we = next_set(ours, &o);
		const struct parts they = next_set(theirs, &t);

		if (!merge_set(&was, &we, &they, out))
			return false;
		if (o == ours->n || t == theirs->n)
			return o == ours->n && t == theirs->n && b == base->n;
		if (!parts_equal(&ours->items[o], &theirs->items[t]))
			return false;
		if (b < base->n &&
		    !parts_equal(&base->items[b], &ours->items[o]))
			return false;
		print_parts(out, &(struct parts){&ours->items[o], 1, 0});
		b += b < base->n;
		o++;
		t++;
	}
}

bool bullets_merge(struct merge_text base, struct merge_text ours,
		   struct merge_text theirs, struct buf *out)
{
	const size_t start = out->len;
	struct parts b = {0}, o = {0}, t = {0};
	const bool r = split_parts(&b, base) && split_parts(&o, ours) &&
		       split_parts(&t, theirs) && merge_parts(&b, &o, &t, out);

	if (!r)
		buf_cut(out, start);
	free(b.items);
	free(o.items);
	free(t.items);
	return r;
}
