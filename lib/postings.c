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
 * Segments are on levels.  What is added is one of the lowest, and when there
 * are some of one level they are merged to one of the next.  So a large one on
 * the lowest would be written again as soon as a few single documents are added.
 *
 * What is added later gets higher numbers, so that older parts come first, by
 * number.  What is not so, or marks deletions, which we never make, is taken
 * for damage.
 */
#include "postings.h"

#include "mem.h"

#define FTS_VERSION 4
#define STRUCTURE 10 /* the row of docs_data that names the segments */
#define PARTS_MAX 2000
#define LEAF_HEAD 4
#define LEVEL 4 /* of what was made at once: above some 8^4 additions */

struct postings_part {
	uint64_t id, first, last; /* leaves */
};

/* A leaf that is read, and where. */
struct leaf {
	struct postings *p;
	const struct postings_part *part;
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

/* How many of the bytes of A and B are the same. */
static size_t count_same(const unsigned char *a, size_t na,
			 const unsigned char *b, size_t nb)
{
	size_t n = 0;

	while (n < na && n < nb && a[n] == b[n])
		n++;
	return n;
}

/* Go to where the documents of the key are: 1, 0: the leaf has it not, -1.  A
 * term is told by how many bytes it has of the one before, and the others. */
static int find_key(struct leaf *l)
{
	const unsigned char *key = (const unsigned char *)l->p->key.p;
	const size_t len = l->p->key.len;
	size_t places = l->text, at, next, matched = 0;
	uint64_t kept = 0, step, more;
	bool first = true;

	if (places == l->len)
		return 0;
	if (!get(l, &places, l->len, &step))
		return -1;
	for (next = (size_t)step;; next += (size_t)step, first = false) {
		if (step > l->text || next > l->text)
			return -1;
		at = next;
		if ((!first && !get(l, &at, l->text, &kept)) ||
		    !get(l, &at, l->text, &more) || more > l->text - at)
			return -1;
		if (kept < matched)
			return 0;
		if (kept == matched) {
			const size_t same =
				count_same(l->bytes + at, (size_t)more,
					   key + matched, len - matched);

			matched += same;
			if (matched == len && same == more)
				break;
			if (matched == len ||
			    (same < more && l->bytes[at + same] > key[matched]))
				return 0;
		}
		if (places >= l->len)
			return 0;
		if (!get(l, &places, l->len, &step))
			return -1;
	}
	l->at = at + (size_t)more;
	l->end = SIZE_MAX;
	if (places < l->len) {
		if (!get(l, &places, l->len, &step) || step > l->text)
			return -1;
		l->end = next + (size_t)step;
	}
	return 1;
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

bool postings_each(struct postings *p, const char *term, size_t len,
		   postings_fn *fn, void *ctx)
{
	uint64_t last = 0;

	buf_cut(&p->key, 0);
	buf_addc(&p->key, '0'); /* of the index of whole terms */
	buf_add(&p->key, term, len);
	for (size_t i = 0; i < p->nparts; i++) {
		struct leaf l = {.p = p, .part = &p->parts[i]};
		int found;

		if (!find_leaf(&l))
			return false;
		found = find_key(&l);
		if (found < 0 || (found && !hand_out(&l, &last, fn, ctx)))
			return false;
	}
	return true;
}

/* Read N numbers at *AT, which is moved behind them. */
static bool read_numbers(const unsigned char **at, const unsigned char *end,
			 uint64_t *numbers, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const size_t size = btree_number(*at, end, &numbers[i]);

		if (!size)
			return false;
		*at += size;
	}
	return true;
}

/* The segments of one level, the oldest first, put in front of those of the
 * levels below it. */
static bool read_level(struct postings *p, const unsigned char **at,
		       const unsigned char *end)
{
	struct postings_part *parts;
	uint64_t head[2], fields[3]; /* being merged, segments */

	if (!read_numbers(at, end, head, ARRAY_LEN(head)) ||
	    head[1] > PARTS_MAX)
		return false;
	parts = mem_resize(NULL, p->nparts + (size_t)head[1] + 1,
			   sizeof(*parts));
	if (p->nparts)
		memcpy(parts + head[1], p->parts, p->nparts * sizeof(*parts));
	free(p->parts);
	p->parts = parts;
	p->nparts += (size_t)head[1];
	for (uint64_t n = head[1]; n; n--) {
		if (!read_numbers(at, end, fields, ARRAY_LEN(fields)) ||
		    fields[0] > INT32_MAX || fields[2] > INT32_MAX)
			return false;
		*parts++ =
			(struct postings_part){fields[0], fields[1], fields[2]};
	}
	return true;
}

/* Read which segments there are: four bytes, how many levels and segments, how
 * much was written, and each level. */
static bool read_structure(struct postings *p, const unsigned char *at,
			   size_t len, uint64_t head[3])
{
	static const unsigned char other[] = {0xff, 0, 0, 1}; /* version */
	const unsigned char *const end = at + len;

	if (len < 4 || (len >= 8 && !memcmp(at + 4, other, sizeof(other))))
		return false;
	at += 4;
	if (!read_numbers(&at, end, head, 3) || head[0] > PARTS_MAX ||
	    head[1] > PARTS_MAX)
		return false;
	for (uint64_t i = 0; i < head[0]; i++) {
		if (!read_level(p, &at, end))
			return false;
	}
	return p->nparts == head[1];
}

static bool find_structure(struct postings *p)
{
	struct btree_value block;
	uint64_t head[3];

	return btree_find(&p->file, p->data, STRUCTURE, &p->record) &&
	       btree_value(p->record.p, p->record.len, 1, &block) &&
	       read_structure(p, block.p, block.len, head);
}

static void add_number(struct buf *out, uint64_t n)
{
	char bytes[10];
	size_t at = sizeof(bytes);

	bytes[--at] = (char)(n & 0x7f);
	while (n >>= 7)
		bytes[--at] = (char)(n | 0x80);
	buf_add(out, bytes + at, sizeof(bytes) - at);
}

void postings_settle(const void *block, size_t len, struct buf *out)
{
	struct postings p = {.open = false};
	uint64_t head[3];

	if (read_structure(&p, block, len, head) && p.nparts &&
	    head[0] <= LEVEL && !(head[2] >> 56)) {
		buf_add(out, block, 4);
		add_number(out, LEVEL + 1);
		add_number(out, p.nparts);
		add_number(out, head[2]);
		for (size_t i = 0; i < 2 * LEVEL + 1; i++)
			add_number(out, 0);
		add_number(out, p.nparts);
		for (size_t i = 0; i < p.nparts; i++) {
			add_number(out, p.parts[i].id);
			add_number(out, p.parts[i].first);
			add_number(out, p.parts[i].last);
		}
	}
	postings_close(&p);
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
	free(p->parts);
	buf_release(&p->key);
	buf_release(&p->record);
	*p = (struct postings){.open = false};
}
