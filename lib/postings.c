/* postings.c: FTS5's segments, without FTS5.
 *
 * A segment holds terms in their order, each with the documents that hold it,
 * in leaves: rows of docs_data.  docs_idx tells for a term on which leaf of a
 * segment it would be.  A leaf begins with two numbers: where the first rowid
 * is that goes on with what the leaf before it ended with (0: none), and where
 * its text ends, behind which are the places of its terms.  A term is followed
 * by its documents, each with how much higher its number is than the one before
 * (the first of a leaf with its number), the length of its places, twice, and
 * the places: each 2 more than the distance from the last one, and a 1 and a
 * number where another column begins.
 *
 * What is added later gets higher numbers, so that older parts come first, by
 * number.  What is not so, or marks deletions, which we never make, is taken
 * for damage.
 */
#include "postings.h"

#include "mem.h"

#define FTS_VERSION 4
#define STRUCTURE 10 /* the row of docs_data that names the segments */
#define LEAF_HEAD 4

/* A leaf that is read, and where. */
struct leaf {
	struct postings *p;
	const struct segment *part;
	uint64_t number;
	const unsigned char *bytes;
	size_t text, len; /* where its text ends, and what follows */
	size_t at;
	size_t end; /* where a next term begins, or behind all */
	bool fresh; /* its first document, of which the number is whole, is
		     * still to come */
};

static bool get(const struct leaf *l, size_t *at, size_t end, uint64_t *out)
{
	const size_t size = btree_number(l->bytes + *at, l->bytes + end, out);

	*at += size;
	return size > 0;
}

/* Read a leaf of the part of L. */
static bool read_leaf(struct leaf *l, uint64_t number)
{
	const int64_t rowid = (int64_t)(l->part->id << 37 | number);
	struct buf *record = &l->p->record;
	struct btree_value block;
	size_t at;
	uint64_t first;

	if (!btree_find(&l->p->file, l->p->data, rowid, record) ||
	    !btree_value(record->p, record->len, 1, &block) ||
	    block.len < LEAF_HEAD)
		return false;
	l->number = number;
	l->bytes = block.p;
	l->len = block.len;
	l->text = btree_get2(block.p + 2);
	l->at = btree_get2(block.p);
	l->end = SIZE_MAX;
	l->fresh = true;
	if (l->text < LEAF_HEAD || l->text > l->len || l->at > l->text)
		return false;
	at = l->text;
	if (at < l->len) {
		if (!get(l, &at, l->len, &first) || first > l->text)
			return false;
		l->end = (size_t)first;
	}
	return true;
}

/* What is looked for in docs_idx. */
struct place {
	uint64_t part;
	const struct buf *key;
	bool broken;
};

static int compare_place(void *ctx, const unsigned char *record, size_t len)
{
	struct place *place = ctx;
	const struct buf *key = place->key;
	struct btree_value part, term;
	int order;

	if (!btree_value(record, len, 0, &part) ||
	    !btree_value(record, len, 1, &term)) {
		place->broken = true;
		return 0;
	}
	if ((uint64_t)part.number != place->part)
		return (uint64_t)part.number < place->part ? -1 : 1;
	order = memcmp(term.p, key->p,
		       term.len < key->len ? term.len : key->len);
	return order ? order : (term.len > key->len) - (term.len < key->len);
}

/* Read the leaf where the part of L has the key, if it has it. */
static bool find_leaf(struct leaf *l)
{
	struct place place = {l->part->id, &l->p->key, false};
	struct buf *record = &l->p->record;
	struct btree_value part, leaf;
	uint64_t number = 0;

	/* It is on the first one, too, if it comes before all that are told. */
	if (btree_seek(&l->p->file, l->p->index, compare_place, &place,
		       record)) {
		if (!btree_value(record->p, record->len, 0, &part) ||
		    !btree_value(record->p, record->len, 2, &leaf))
			return false;
		if ((uint64_t)part.number == l->part->id)
			number = (uint64_t)leaf.number >> 1;
	}
	if (number < l->part->first)
		number = l->part->first;
	return !place.broken && number <= l->part->last && read_leaf(l, number);
}

/* A walk over the terms of a leaf. */
struct walk {
	size_t place;	 /* where the place of the next one is told */
	size_t from, to; /* the term at hand: where it begins, and ends */
	struct buf term;
};

/* Go to the next term, which is told by how many bytes it has of the one
 * before, and the others: 1, 0: there is none, -1. */
static int next_term(const struct leaf *l, struct walk *w)
{
	uint64_t step, kept = 0, more;
	size_t i;

	if (w->place >= l->len)
		return 0;
	if (!get(l, &w->place, l->len, &step) || step > l->text - w->from)
		return -1;
	i = w->from + (size_t)step;
	if ((w->from && !get(l, &i, l->text, &kept)) ||
	    !get(l, &i, l->text, &more) || more > l->text - i ||
	    kept > w->term.len)
		return -1;
	w->from += (size_t)step;
	w->to = i + (size_t)more;
	buf_cut(&w->term, (size_t)kept);
	buf_add(&w->term, (const char *)l->bytes + i, (size_t)more);
	return 1;
}

/* Go to where the documents of the key are: 1, 0: the leaf has it not, -1. */
static int find_key(struct leaf *l)
{
	struct walk w = {.place = l->text};
	int order = -1, r = 1;
	uint64_t step;

	while (r == 1 && order < 0 && (r = next_term(l, &w)) == 1)
		order = strcmp(buf_str(&w.term), l->p->key.p);
	if (r == 1 && order > 0)
		r = 0;
	if (r == 1) {
		l->at = w.to;
		l->end = SIZE_MAX;
		if (w.place < l->len) {
			if (get(l, &w.place, l->len, &step) &&
			    step <= l->text - w.from)
				l->end = w.from + (size_t)step;
			else
				r = -1;
		}
	}
	buf_release(&w.term);
	return r;
}

/* Go through the places of one document, LEN bytes: *TEXT are in the first
 * column, *COLUMN is the last. */
static bool count_places(struct leaf *l, uint64_t len, uint32_t *text,
			 uint32_t *column)
{
	bool next = false;
	uint64_t n;

	*text = *column = 0;
	while (len) {
		size_t before;

		if (l->at >= l->text) {
			if (l->number == l->part->last ||
			    !read_leaf(l, l->number + 1))
				return false;
			l->at = LEAF_HEAD;
		}
		before = l->at;
		if (!get(l, &l->at, l->text, &n) || l->at - before > len)
			return false;
		len -= l->at - before;
		if (next)
			*column = (uint32_t)n;
		else if (n != 1 && !*column)
			++*text;
		next = !next && n == 1;
	}
	return !next;
}

/* Go to the next document: 1, 0: there is none, -1. */
static int next_document(struct leaf *l)
{
	if (l->at >= l->end)
		return 0;
	while (l->at >= l->text) {
		if (l->number == l->part->last)
			return 0;
		if (!read_leaf(l, l->number + 1))
			return -1;
		if (!l->at && l->end != SIZE_MAX)
			return 0;
		if (!l->at)
			l->at = l->text;
	}
	return 1;
}

/* Hand out the documents from where L is on, whose numbers are above *LAST. */
static bool hand_out(struct leaf *l, uint64_t *last, postings_fn *fn, void *ctx)
{
	uint64_t number = 0, step, size;
	uint32_t text, column;
	int r;

	while ((r = next_document(l)) == 1) {
		if (!get(l, &l->at, l->text, &step) ||
		    !get(l, &l->at, l->text, &size) || size & 1)
			return false;
		number = l->fresh ? step : number + step;
		l->fresh = false;
		if (number <= *last || number > UINT32_MAX ||
		    !count_places(l, size / 2, &text, &column))
			return false;
		fn(ctx, (uint32_t)number, text, column);
		*last = number;
	}
	return r == 0 && number;
}

static void set_key(struct postings *p, const char *term, size_t len)
{
	buf_cut(&p->key, 0);
	buf_addc(&p->key, '0'); /* of the index of whole terms */
	buf_add(&p->key, term, len);
}

bool postings_each(struct postings *p, const char *term, size_t len,
		   postings_fn *fn, void *ctx)
{
	uint64_t last = 0;

	set_key(p, term, len);
	for (size_t i = 0; i < p->segments.n; i++) {
		struct leaf l = {.p = p, .part = &p->segments.items[i]};
		int found;

		if (!find_leaf(&l))
			return false;
		found = find_key(&l);
		if (found < 0 || (found && !hand_out(&l, &last, fn, ctx)))
			return false;
	}
	return true;
}

/* True if a term that is on the leaf L, or on one behind it, begins with the
 * key and is longer, or if that cannot be told. */
static bool is_begun(struct leaf *l)
{
	const struct buf *key = &l->p->key;
	struct walk w = {.place = l->text};
	int order = -1, r = 1;

	while (order < 0 && r >= 0) {
		r = next_term(l, &w);
		if (r == 1) {
			order = strncmp(buf_str(&w.term), key->p, key->len);
			order -= !order && w.term.len == key->len;
		} else if (r == 0) {
			if (l->number == l->part->last)
				break;
			r = read_leaf(l, l->number + 1) ? 0 : -1;
			w.place = l->text;
			w.from = 0;
		}
	}
	buf_release(&w.term);
	return r < 0 || order == 0;
}

bool postings_begins(struct postings *p, const char *term, size_t len)
{
	set_key(p, term, len);
	for (size_t i = 0; i < p->segments.n; i++) {
		struct leaf l = {.p = p, .part = &p->segments.items[i]};

		if (!find_leaf(&l) || is_begun(&l))
			return true;
	}
	return false;
}

static bool find_structure(struct postings *p)
{
	struct btree_value block;

	return btree_find(&p->file, p->data, STRUCTURE, &p->record) &&
	       btree_value(p->record.p, p->record.len, 1, &block) &&
	       segments_read(&p->segments, block.p, block.len);
}

static int compare_version(void *ctx, const unsigned char *record, size_t len)
{
	static const char name[] = "version";
	const size_t n = sizeof(name) - 1;
	struct btree_value key;
	int order;

	(void)ctx;
	if (!btree_value(record, len, 0, &key))
		return 1;
	order = memcmp(key.p, name, key.len < n ? key.len : n);
	return order ? order : (key.len > n) - (key.len < n);
}

/* See that the format of FTS5's tables is the one that is known here. */
static bool check_version(struct postings *p, uint32_t config)
{
	struct buf *r = &p->record;
	struct btree_value version;

	return btree_seek(&p->file, config, compare_version, NULL, r) &&
	       !compare_version(NULL, (const unsigned char *)r->p, r->len) &&
	       btree_value(r->p, r->len, 1, &version) &&
	       version.number == FTS_VERSION;
}

struct reading {
	const struct postings_state *state;
	bool known; /* it is what the database is */
};

static bool see_state(void *ctx, int64_t rowid, const struct buf *record)
{
	struct reading *r = ctx;
	const int64_t ours[] = {r->state->format, r->state->terms,
				r->state->store};
	struct btree_value v;

	(void)rowid;
	for (size_t i = 0; i < ARRAY_LEN(ours); i++) {
		if (!btree_value(record->p, record->len, i, &v) ||
		    v.number != ours[i])
			return false;
	}
	r->known = true;
	return true;
}

static bool see_lengths(void *ctx, int64_t rowid, const struct buf *record)
{
	struct btree_value v;

	(void)rowid;
	return btree_value(record->p, record->len, 1, &v) &&
	       lengths_unpack(ctx, v.p, v.len);
}

bool postings_open(struct postings *p, const char *path,
		   const struct postings_state *state, struct lengths *l)
{
	static const char *const names[] = {"state", "lengths", "docs_data",
					    "docs_idx", "docs_config"};
	uint32_t roots[ARRAY_LEN(names)];
	struct reading r = {state, false};

	*p = (struct postings){.open = false};
	p->open = btree_open(&p->file, path, (uint64_t)state->store);
	if (!p->open)
		return false;
	if (btree_roots(&p->file, names, ARRAY_LEN(names), roots) &&
	    btree_each(&p->file, roots[0], see_state, &r) && r.known &&
	    (!l || btree_each(&p->file, roots[1], see_lengths, l)) &&
	    check_version(p, roots[4])) {
		p->data = roots[2];
		p->index = roots[3];
		if (find_structure(p))
			return true;
	}
	postings_close(p);
	if (l)
		lengths_release(l);
	return false;
}

void postings_close(struct postings *p)
{
	if (p->open)
		btree_close(&p->file);
	segments_release(&p->segments);
	buf_release(&p->key);
	buf_release(&p->record);
	*p = (struct postings){.open = false};
}
