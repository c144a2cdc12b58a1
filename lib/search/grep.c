/* grep.c: scans that collect their hits in store/results.h. */
#include "search/grep.h"

#include "base/date.h"
#include "base/parallel.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "rank/terms.h"
#include "repo/marks.h"
#include "store/trash.h"

#define WORDS_MAX 64

static int parse_bound(const char *text, bool end, bool *has,
		       struct instant *out, struct err *e)
{
	struct date date;

	if (!text)
		return 0;
	*has = date_parse(text, strlen(text), &date);
	if (!*has)
		return err_set(e, ERR_USAGE, "bad date '%s': " DATE_FORMS,
			       text);
	*out = end ? date.last : date.first;
	return 0;
}

int grep_narrow_dates(struct grep_narrow *n, const char *since,
		      const char *until, struct err *e)
{
	if (parse_bound(since, false, &n->has_since, &n->since, e) < 0)
		return -1;
	return parse_bound(until, true, &n->has_until, &n->until, e);
}

/* Tags are equal if their case-folded forms are. */
static bool same_tag(const char *a, const char *b)
{
	struct buf x = {0}, y = {0};
	bool same = !strcmp(a, b);

	if (same)
		return true;
	unicode_fold(&x, a, strlen(a), true);
	unicode_fold(&y, b, strlen(b), true);
	same = x.len == y.len && !memcmp(x.p, y.p, x.len);
	buf_release(&x);
	buf_release(&y);
	return same;
}

static bool has_tag(const struct record *r, const char *tag)
{
	for (size_t i = 0; i < r->ntags; i++) {
		if (same_tag(r->tags[i], tag))
			return true;
	}
	return false;
}

/* Return true if the record R of S has the marks WANTED and no mark hides it at
 * the time AT, or now if AT is NULL. */
static bool is_shown(const struct store *s, const struct record *r,
		     unsigned lifted, unsigned wanted, const struct instant *at)
{
	const unsigned marks = store_marks(s, &r->keys, at);

	return !(marks & marks_hidden() & ~lifted) &&
	       (marks & wanted) == wanted;
}

/* The memories that were valid at a given time: those that had been created, had not
 * been replaced (by one created later) and had not expired.
 *
 * Known limit: memories forgotten since are unknown. */
struct as_of {
	struct instant at;
	struct as_of_memory {
		int64_t id;
		struct instant created;
	} * items; /* by id */
	size_t n, cap;
};

static int add_created(void *ctx, const struct record *r)
{
	struct as_of *t = ctx;

	*MEM_ADD(t->items, t->n, t->cap) = (struct as_of_memory){r->id, r->at};
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const struct as_of_memory *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

/* Read the creation times of the memories of S and of its archive. Return 0, or -1
 * (ERR_SYSTEM). Release T with release_as_of() in either case. */
static int read_as_of(struct as_of *t, struct store *s, struct instant at,
		      struct err *e)
{
	const struct report *report = s->report;
	int r;

	*t = (struct as_of){.at = at};
	s->report = NULL; /* the caller's own walk reports broken files */
	r = store_each(s, AREA_MEMORIES, add_created, t, e);
	if (r == 0)
		r = store_each(s, AREA_ARCHIVE, add_created, t, e);
	s->report = report;
	MEM_SORT(t->items, t->n, by_id);
	return r < 0 ? -1 : 0;
}

static void release_as_of(struct as_of *t)
{
	free(t->items);
	*t = (struct as_of){0};
}

/* Return true if R was replaced by T->at. An unknown replacement counts as
 * earlier. */
static bool was_replaced(const struct as_of *t, const struct record *r)
{
	struct arena a = {0};
	const struct as_of_memory *by = NULL;
	struct as_of_memory key = {0};
	struct value v;
	bool was = false;

	if (record_keys_find(&r->keys, "superseded", &a, &v) == 1 &&
	    marks_is_replaced(&v)) {
		key.id = v.kind == VALUE_INT ? v.u.i : 0;
		by = t->n ? bsearch(&key, t->items, t->n, sizeof(key), by_id)
			  : NULL;
		was = !by || instant_cmp(by->created, t->at) <= 0;
	}
	arena_release(&a);
	return was;
}

/* Return true if R was created and not replaced at that time. Threads may call this
 * at once. */
static bool was_current(const struct as_of *t, const struct record *r)
{
	return instant_cmp(r->at, t->at) <= 0 && !was_replaced(t, r);
}

static bool is_within(const struct grep_narrow *n, const struct record *r)
{
	if (!is_shown(n->store, r, n->lifted, n->marks, n->at) ||
	    (n->as_of && !was_current(n->as_of, r)))
		return false;
	if ((n->has_since && instant_cmp(r->at, n->since) < 0) ||
	    (n->has_until && instant_cmp(r->at, n->until) > 0))
		return false;
	for (size_t i = 0; i < n->ntags; i++) {
		if (!has_tag(r, n->tags[i]))
			return false;
	}
	for (size_t i = 0; i < n->nnot_tags; i++) {
		if (has_tag(r, n->not_tags[i]))
			return false;
	}
	return true;
}

int grep_test(struct match *m, const struct record *r, struct err *e)
{
	int found = match_test(m, r->content, r->content_len, e);

	for (size_t i = 0; i < r->ntags && found == 0; i++)
		found = match_test(m, r->tags[i], strlen(r->tags[i]), e);
	return found;
}

int grep_query_test(const struct grep_query *q, const struct record *r,
		    struct err *e)
{
	int found;

	if (!is_within(&q->narrow, r))
		return 0;
	if (!q->match)
		return 1;
	found = grep_test(q->match, r, e);
	return found < 0 ? -1 : found != q->invert;
}

struct collection {
	struct store *s;
	struct grep_query q[PARALLEL_MAX]; /* one copy for each thread */
	struct results *out;		   /* NULL: count only */
	size_t n;
};

static int is_wanted(void *ctx, unsigned who, const struct record *r,
		     struct err *e)
{
	const struct collection *c = ctx;

	if (layout_is_accepted(r->path))
		return 0;
	return grep_query_test(&c->q[who], r, e);
}

static int collect_one(void *ctx, const struct record *r)
{
	struct collection *c = ctx;

	if (c->out)
		results_add(c->out, c->s, r, NULL);
	c->n++;
	return 0;
}

/* Collect the memories outside the archive that are marked as replaced. */
static int collect_replaced(struct collection *c, struct err *e)
{
	for (unsigned who = 0; who < PARALLEL_MAX; who++)
		c->q[who].narrow.marks |= MARK_REPLACED;
	return store_each_wanted(c->s, AREA_MEMORIES, is_wanted, collect_one, c,
				 e);
}

static int collect_area(struct collection *c, enum area area,
			const struct grep_query *q, struct err *e)
{
	struct as_of as_of = {0};
	const bool memories = area == AREA_MEMORIES;
	int r = 0;

	if (q->narrow.at && memories &&
	    read_as_of(&as_of, c->s, *q->narrow.at, e) < 0) {
		release_as_of(&as_of);
		return -1;
	}
	for (unsigned who = 0; who < PARALLEL_MAX; who++) {
		c->q[who] = *q;
		c->q[who].narrow.store = c->s;
		/* Drafts, removed and replaced memories are not current
		 * anyway. */
		if (!memories) {
			c->q[who].narrow.lifted |= marks_past() |
						   MARK_REPLACED |
						   MARK_OTHER_LANGUAGE;
		} else if (q->narrow.at) {
			c->q[who].narrow.as_of = &as_of;
			c->q[who].narrow.lifted |= MARK_REPLACED;
		}
		if (who && q->match)
			c->q[who].match = match_again(q->match);
	}
	r = store_each_wanted(c->s, area, is_wanted, collect_one, c, e);
	if (r >= 0 && memories && q->narrow.at)
		r = store_each_wanted(c->s, AREA_ARCHIVE, is_wanted,
				      collect_one, c, e);
	else if (r >= 0 && area == AREA_ARCHIVE)
		r = collect_replaced(c, e);
	release_as_of(&as_of);
	for (unsigned who = 1; who < PARALLEL_MAX; who++)
		match_free(c->q[who].match);
	return r < 0 ? -1 : 0;
}

int grep_collect(struct store *s, enum area area, const struct grep_query *q,
		 struct results *out, struct err *e)
{
	struct collection c = {.s = s, .out = out};

	return collect_area(&c, area, q, e);
}

static int collect_removed(void *ctx, const struct record *r)
{
	struct collection *c = ctx;

	return is_within(&c->q[0].narrow, r) ? collect_one(c, r) : 0;
}

int grep_removed_articles(struct store *s, const struct grep_query *q,
			  struct results *out, struct err *e)
{
	struct collection c = {.s = s, .q = {*q}, .out = out};

	return trash_each_article(s, collect_removed, &c, e);
}

int grep_count(struct store *s, enum area area, const struct grep_query *q,
	       size_t *n, struct err *e)
{
	struct collection c = {.s = s};
	int r = collect_area(&c, area, q, e);

	*n = c.n;
	return r;
}

struct word_recall {
	struct match *whole; /* NULL: the query cannot be a literal */
	struct match *words[WORDS_MAX];
	size_t nwords;
	bool found_whole;
	struct results *out;
	struct store *store; /* being scanned */
	unsigned lifted, marks;
	const struct instant *at;
	struct as_of as_of; /* of the store, for AT */
	struct err *e;
};

/* Return the length of the prefix of P whose characters are all word
 * characters, if WORD, or none. */
static size_t span_of_words(const char *p, size_t len, bool word)
{
	size_t i = 0, size;

	for (; i < len; i += size) {
		uint32_t c = utf8_decode(p + i, len - i, &size);

		if (unicode_is_word(c) != word)
			break;
	}
	return i;
}

static int add_word(struct word_recall *rc, const char *p, size_t len,
		    struct err *e)
{
	size_t size;
	unsigned flags = MATCH_LITERAL;

	/* Words of other scripts have prefixes, or no separators. */
	if (!unicode_is_foreign(utf8_decode(p, len, &size)))
		flags |= MATCH_START;
	if (match_new(&rc->words[rc->nwords], p, len, flags, e) < 0)
		return -1;
	rc->nwords++;
	return 0;
}

/* Return true if the text from START to P has the word of LEN bytes at P. */
static bool is_repeated(const char *start, const char *p, size_t len)
{
	while (start < p) {
		size_t word;

		start += span_of_words(start, (size_t)(p - start), false);
		word = span_of_words(start, (size_t)(p - start), true);
		if (word == len && !memcmp(start, p, len))
			return true;
		start += word;
	}
	return false;
}

/* Compile the distinct words of the folded QUERY; include stop words if
 * STOP. */
static int add_words(struct word_recall *rc, const struct buf *query, bool stop,
		     struct err *e)
{
	const char *p = buf_str(query), *end = p + query->len;

	while (p < end && rc->nwords < WORDS_MAX) {
		size_t len;

		p += span_of_words(p, (size_t)(end - p), false);
		len = span_of_words(p, (size_t)(end - p), true);
		if (len && len <= MATCH_PATTERN_MAX &&
		    (stop || !words_is_stop(p, len)) &&
		    !is_repeated(query->p, p, len) && add_word(rc, p, len, e))
			return -1;
		p += len;
	}
	return 0;
}

bool grep_may_hold(const char *query, size_t len)
{
	return len <= MATCH_PATTERN_MAX && utf8_check(query, len) == len;
}

static int compile_query(struct word_recall *rc, const char *query,
			 struct err *e)
{
	struct buf folded = {0};
	size_t len = strlen(query);
	int r = -1;

	utf8_strip(&query, &len);
	unicode_fold(&folded, query, len, true);
	if ((grep_may_hold(query, len) &&
	     match_new(&rc->whole, query, len, MATCH_LITERAL, e) < 0) ||
	    add_words(rc, &folded, false, e) < 0 ||
	    (!rc->nwords && add_words(rc, &folded, true, e) < 0))
		goto out;
	r = 0;
out:
	buf_release(&folded);
	return r;
}

/* Return 1 if R is a hit, 0 or -1. *WORDS gets the number of query words that R
 * has, or 0 if it has the whole query. */
static int test_hit(struct word_recall *rc, const struct record *r,
		    size_t *words)
{
	int found = rc->whole ? grep_test(rc->whole, r, rc->e) : 0;

	*words = 0;
	if (found || rc->found_whole)
		return found;
	for (size_t i = 0; i < rc->nwords; i++) {
		found = grep_test(rc->words[i], r, rc->e);
		if (found < 0)
			return -1;
		*words += (size_t)found;
	}
	return *words > 0;
}

static int add_hit(void *ctx, const struct record *r)
{
	struct word_recall *rc = ctx;
	size_t words;
	struct result extra = {0};
	int found;

	if (!is_shown(rc->store, r, rc->lifted, rc->marks, rc->at) ||
	    (rc->at && !was_current(&rc->as_of, r)))
		return 0;
	found = test_hit(rc, r, &words);
	extra.words = (uint16_t)words;
	extra.partial = words > 0;
	if (found != 1)
		return found;
	if (!words && !rc->found_whole) {
		rc->found_whole = true;
		results_clear(rc->out); /* the results so far are partial */
	}
	results_add(rc->out, rc->store, r, &extra);
	return 0;
}

/* Scan rc->store. */
static int recall_store(struct word_recall *rc, bool superseded, struct err *e)
{
	int r = 0;

	if (superseded) {
		rc->marks = 0;
		r = store_each(rc->store, AREA_ARCHIVE, add_hit, rc, e);
		rc->marks = MARK_REPLACED;
		return r < 0 ? -1
			     : store_each(rc->store, AREA_MEMORIES, add_hit, rc,
					  e);
	}
	if (rc->at)
		r = read_as_of(&rc->as_of, rc->store, *rc->at, e);
	if (r == 0)
		r = store_each(rc->store, AREA_MEMORIES, add_hit, rc, e);
	if (r >= 0 && rc->at)
		r = store_each(rc->store, AREA_ARCHIVE, add_hit, rc, e);
	release_as_of(&rc->as_of);
	return r;
}

int grep_recall(struct store *const *stores, size_t n,
		const struct grep_recall *ask, struct results *out,
		struct err *e)
{
	struct word_recall rc = {
		.out = out, .lifted = ask->lifted, .at = ask->as_of, .e = e};
	int r = compile_query(&rc, ask->query, e);

	if (ask->superseded)
		rc.lifted |= marks_past();
	if (ask->superseded || ask->as_of)
		rc.lifted |= MARK_REPLACED;
	*out = (struct results){
		.order = RESULTS_NEWEST, .max = ask->max, .whole = true};
	for (size_t i = 0; i < n && r >= 0; i++) {
		rc.store = stores[i];
		r = recall_store(&rc, ask->superseded, e);
	}
	results_sort(out);
	match_free(rc.whole);
	for (size_t i = 0; i < rc.nwords; i++)
		match_free(rc.words[i]);
	return r < 0 ? -1 : 0;
}
