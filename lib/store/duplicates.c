/* duplicates.c: the text that is looked for is folded once.  A file of ASCII,
 * as most are, is compared byte by byte and left at the first that differs.
 * Under the lock, where the cache is trusted (see cache/write-hints.h), only those
 * files are read whose folded text has the right hash.
 */
#include "store/duplicates.h"

#include "base/ascii.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "cache/cache.h"
#include "cache/write-hints.h"
#include "repo/marks.h"
#include "store/change.h"
#include "text/fold.h"

struct known {
	struct buf want;
	struct buf folded; /* of the file that is looked at */
	struct arena *a;
	struct record *found;
	bool any;
	enum area area, found_in; /* which is looked at; which FOUND is in */
	size_t seen;		  /* files that were read */
};

/* True if the ASCII text P, stripped, folds to WANT. */
static bool is_ascii_equal(const char *p, size_t len, const struct buf *want)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		const bool blank = fold_is_blank((unsigned char)p[i]);
		const char c = blank ? ' ' : ascii_lower(p[i]);

		if (blank && fold_is_blank((unsigned char)p[i + 1]))
			continue;
		if (n == want->len || want->p[n++] != c)
			return false;
	}
	return n == want->len;
}

static bool is_equal(struct known *k, const struct record *r)
{
	if (utf8_is_ascii(r->content, r->content_len))
		return is_ascii_equal(r->content, r->content_len, &k->want);
	buf_cut(&k->folded, 0);
	fold_add(&k->folded, r->content, r->content_len);
	return buf_equal(&k->folded, &k->want);
}

static bool is_replaced(const struct record *r)
{
	return marks_now(&r->keys) & MARK_REPLACED;
}

/* Return whether A is to be named before B. */
static bool comes_before(const struct record *a, const struct record *b)
{
	const int order = is_replaced(a) - is_replaced(b);

	return (order ? order : record_by_id(a, b)) < 0;
}

/* Keep the one with the lowest id, whatever the order of the scan, and one that was
 * replaced only where there is no other. */
static int test(void *ctx, const struct record *r)
{
	struct known *k = ctx;

	k->seen++;
	if ((k->any && comes_before(k->found, r)) || !is_equal(k, r))
		return 0;
	*k->found = record_copy(r, k->a);
	k->found_in = k->area;
	k->any = true;
	return 0;
}

/* Return true if no further area is looked at. A replaced memory may lie among the
 * others, before a draft that waits. */
static bool is_settled(const struct known *k)
{
	return k->any &&
	       !(k->found_in == AREA_MEMORIES && is_replaced(k->found));
}

/* Look only at files whose hash is that of what is wanted. Return as
 * duplicates_find(), or 0 if nothing is known; *SURE says which. */
static int find_trusted(struct store *s, struct known *k, bool *sure)
{
	struct arena a = {0};
	struct write_hints_paths paths;
	struct record r;
	struct err why;

	*sure = change_is_locked(s) &&
		write_hints_equal(s->cache,
				  hash_bytes(buf_str(&k->want), k->want.len, 0),
				  &a, &paths);
	for (k->area = AREA_MEMORIES;
	     *sure && k->area < AREA_ANY && !is_settled(k); k->area++) {
		for (size_t i = 0; i < paths.n; i++) {
			if (paths.items[i].area != k->area)
				continue;
			if (store_read(s, paths.items[i].path, &a, &r, &why) ==
			    1)
				test(k, &r);
			else
				*sure = false;
		}
	}
	arena_release(&a);
	return k->any;
}

/* In a batch, make a cache for the saves that follow, if many files were read. */
static void make_cache(struct store *s, const struct known *k)
{
	if (k->seen < CACHE_WORTH || !change_is_locked(s) ||
	    !s->change->batch || s->change->cached)
		return;
	s->change->cached = true;
	cache_make(s->cache);
}

int duplicates_find(struct store *s, const char *p, size_t len, struct arena *a,
		    struct record *r, enum area *where, struct err *e)
{
	struct known k = {.a = a, .found = r};
	bool sure = false;
	int result = 0;

	fold_add(&k.want, p, len);
	if (k.want.len && find_trusted(s, &k, &sure) && sure)
		goto out;
	k.any = k.any && sure;
	for (k.area = AREA_MEMORIES; k.want.len && !sure && k.area < AREA_ANY &&
				     result >= 0 && !is_settled(&k);
	     k.area++)
		result = store_each_strict(s, k.area, test, &k, e);
	make_cache(s, &k);
out:
	*where = k.found_in == AREA_MEMORIES && !is_settled(&k) ? AREA_ARCHIVE
								: k.found_in;
	buf_release(&k.want);
	buf_release(&k.folded);
	return result < 0 ? -1 : k.any;
}
