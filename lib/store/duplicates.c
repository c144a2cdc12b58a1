/* duplicates.c: the wanted text is folded once. Most files are ASCII; they are compared
 * byte by byte up to the first difference, without being folded. If the caller holds
 * the lock and the cache can answer (see cache/write-hints.h), only files whose folded
 * text has the same hash are read.
 */
#include "store/duplicates.h"

#include "base/ascii.h"
#include "base/hash.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "cache/cache.h"
#include "cache/write-hints.h"
#include "repo/marks.h"
#include "store/change.h"

struct known {
	const char *text;
	size_t len;
	bool exact; /* TEXT itself, in FIRST only, and not replaced */
	enum area first;
	struct buf want;   /* TEXT folded */
	struct buf folded; /* text of the current file */
	struct arena *a;
	struct record *found;
	bool any;
	enum area area, found_in; /* the current one; the one of FOUND */
	size_t seen;		  /* files that were read */
};

/* Return true if the stripped ASCII text P folds to WANT. */
static bool is_ascii_equal(const char *p, size_t len, const struct buf *want)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		const bool blank = unicode_is_blank((unsigned char)p[i]);
		const char c = blank ? ' ' : ascii_lower(p[i]);

		if (blank && unicode_is_blank((unsigned char)p[i + 1]))
			continue;
		if (n == want->len || want->p[n++] != c)
			return false;
	}
	return n == want->len;
}

static bool is_replaced(const struct record *r)
{
	return marks_now(&r->keys) & MARK_REPLACED;
}

static bool is_equal(struct known *k, const struct record *r)
{
	if (k->exact)
		return !is_replaced(r) &&
		       record_same_text(r->content, r->content_len, k->text,
					k->len);
	if (utf8_is_ascii(r->content, r->content_len))
		return is_ascii_equal(r->content, r->content_len, &k->want);
	buf_cut(&k->folded, 0);
	unicode_fold_blanks(&k->folded, r->content, r->content_len);
	return buf_equal(&k->folded, &k->want);
}

/* Return true if A is preferred to B: current memories first, then lower ids. */
static bool comes_before(const struct record *a, const struct record *b)
{
	const int order = is_replaced(a) - is_replaced(b);

	return (order ? order : record_by_id(a, b)) < 0;
}

/* Set FOUND to R if R has the wanted text and comes_before() the one found so far.
 * So the result does not depend on the order of the scan. */
static int note_if_duplicate(void *ctx, const struct record *r)
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

/* Return true if no other area needs to be searched. A replaced memory that is still in
 * memories/ does not end the search, since a draft is preferred to it. */
static bool is_settled(const struct known *k)
{
	if (k->exact && k->area > k->first)
		return true;
	return k->any &&
	       !(k->found_in == AREA_MEMORIES && is_replaced(k->found));
}

/* Search only the files whose hash the cache knows to be right. Return false if the cache
 * cannot answer: then all files must be read. */
static bool find_trusted(struct store *s, struct known *k)
{
	struct arena a = {0};
	struct write_hints_paths paths;
	struct record r;
	struct err why;
	bool sure =
		change_is_locked(s) &&
		write_hints_equal(s->cache,
				  hash_bytes(buf_str(&k->want), k->want.len, 0),
				  &a, &paths);

	for (k->area = k->first; sure && k->area < AREA_ANY && !is_settled(k);
	     k->area++) {
		for (size_t i = 0; i < paths.n; i++) {
			if (paths.items[i].area != k->area)
				continue;
			if (store_read(s, paths.items[i].path, &a, &r, &why) ==
			    1)
				note_if_duplicate(k, &r);
			else
				sure = false;
		}
	}
	arena_release(&a);
	return sure;
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

/* Search for K's text. Return as duplicates_find(). */
static int find_duplicate(struct store *s, struct known *k, struct err *e)
{
	int result = 0;

	unicode_fold_blanks(&k->want, k->text, k->len);
	if (!find_trusted(s, k)) {
		k->any = false;
		for (k->area = k->first;
		     k->area < AREA_ANY && result >= 0 && !is_settled(k);
		     k->area++)
			result = store_each_strict(s, k->area,
						   note_if_duplicate, k, e);
		make_cache(s, k);
	}
	buf_release(&k->want);
	buf_release(&k->folded);
	return result < 0 ? -1 : k->any;
}

int duplicates_find(struct store *s, const char *p, size_t len, struct arena *a,
		    struct record *r, enum area *where, struct err *e)
{
	struct known k = {.text = p, .len = len, .a = a, .found = r};
	const int result = find_duplicate(s, &k, e);

	*where = k.found_in == AREA_MEMORIES && !is_settled(&k) ? AREA_ARCHIVE
								: k.found_in;
	return result;
}

int duplicates_find_exact(struct store *s, enum area area, const char *content,
			  size_t len, struct arena *a, struct record *r,
			  struct err *e)
{
	struct known k = {.exact = true, .first = area, .a = a, .found = r};

	utf8_strip(&content, &len);
	k.text = content;
	k.len = len;
	return find_duplicate(s, &k, e);
}
