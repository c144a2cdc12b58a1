/* vectors.c: vectors are made for the newest documents first, so that what was just
 * saved is found although many others have none. So most rows of the file are sorted by
 * number, downwards, and one pass over rows and documents finds the rows that are alive.
 * Rows of deleted documents are kept as long as the view remembers these.
 *
 * For a question q, a row d and the mean m of all rows alive, the cosine of d -
 * m and q - m is (d(q - m) - m(q - m)) / (|d - m| |q - m|), where |d - m|
 * follows from |d|, dm and |m|. So a row takes two products, and nothing stored
 * depends on other documents. The mean is computed from the sums of the parts,
 * less the dead rows.
 *
 * The mean of few documents is just their topic, so it counts fully only if
 * there are many.
 */
#include "embed/vectors.h"

#include "base/compat.h"
#include "base/hash.h"
#include "embed/vector-file.h"
#include "rank/rank.h"
#include "repo/marks.h"

#include <inttypes.h>
#include <math.h>

#define PARTS_MOST 48		      /* a file with more is written anew */
#define SPILL_BYTES ((size_t)4 << 20) /* of rows not yet written */
#define FEW 20		  /* with so many documents, the mean counts half */
#define QUERY_SCALE 16384 /* for vectors of 16 bits */

struct vectors {
	struct cache *cache;
	struct embed *encoder;
	char name[32];
	struct vector_file kept;
	struct vector_file_new made; /* not written yet */
	bool damaged;
};

struct vectors *vectors_open(struct cache *c, struct embed *m)
{
	struct vectors *v = mem_alloc(sizeof(*v));

	v->cache = c;
	v->encoder = m;
	snprintf(v->name, sizeof(v->name), "vectors-%016" PRIx64,
		 embed_identity(m));
	vector_file_open(&v->kept, view_dir(c), v->name, view_identity(c),
			 embed_identity(m));
	v->damaged = v->kept.damaged;
	return v;
}

void vectors_close(struct vectors *v)
{
	if (!v)
		return;
	vector_file_close(&v->kept);
	vector_file_release(&v->made);
	free(v);
}

struct vectors *vectors_new(size_t dimension)
{
	struct vectors *v = mem_alloc(sizeof(*v));

	vector_file_set_dimension(&v->kept, dimension);
	return v;
}

void vectors_put(struct vectors *v, uint32_t number, const char *p)
{
	vector_file_add_numbers(&v->kept, &v->made, number, (const int8_t *)p);
}

void vectors_pack(struct buf *out, const float *x, size_t dimension)
{
	struct vector_file r = {0};

	vector_file_set_dimension(&r, dimension);
	buf_grow(out, dimension);
	vector_file_pack(&r, x, (int8_t *)out->p + out->len);
	out->len += dimension;
}

bool vectors_damaged(const struct vectors *v)
{
	return v->damaged;
}

static bool has_vector(const struct vectors *v, uint32_t number)
{
	return vector_file_has_number(&v->made.numbers, number) ||
	       (!v->kept.foreign &&
		vector_file_has_number(&v->kept.numbers, number));
}

/* Set *NUMBER to that of the document at place I, if it has no vector. Return false if
 * it has one, or if the place has no document. */
static bool lacks_vector(const struct vectors *v, size_t i, uint32_t *number)
{
	struct view_doc d;
	const int r = view_head(v->cache, i, &d);

	if (r < 0)
		view_spoil(v->cache);
	if (r <= 0 || has_vector(v, d.number))
		return false;
	*number = d.number;
	return true;
}

size_t vectors_missing(const struct vectors *v)
{
	const size_t places = view_places(v->cache);
	uint32_t number;
	size_t n = 0;

	for (size_t i = 0; i < places; i++)
		n += lacks_vector(v, i, &number);
	return n;
}

/* Return how many parts of the file belong to this view. */
static size_t kept_parts(const struct vectors *v)
{
	return v->kept.foreign ? 0 : v->kept.nparts;
}

/* Return part I. The rows not yet written are the last part. */
static struct vector_file_part get_part(const struct vectors *v, size_t i)
{
	if (i < kept_parts(v))
		return v->kept.parts[i];
	return (struct vector_file_part){
		v->made.rows.p, v->made.n,
		(const int32_t *)(const void *)v->made.sum.p};
}

static size_t count_parts(const struct vectors *v)
{
	return kept_parts(v) + (v->made.n > 0);
}

/* Rows by their text. Another view with equal texts has the same vectors, so a
 * helper need not make them again. */
struct known_rows {
	const char **rows;
	struct table by_text;
};

static const char *find_known(const struct known_rows *k, uint64_t text)
{
	struct table_look at = table_look(&k->by_text, NULL, 0, text);
	size_t i;

	while (table_next(&at, &i)) {
		if (vector_file_text(k->rows[i]) == text)
			return k->rows[i];
	}
	return NULL;
}

static void index_known(struct known_rows *k, const struct vector_file *r)
{
	size_t n = 0;

	k->rows = mem_resize(NULL, r->n, sizeof(*k->rows));
	for (size_t i = 0; i < r->nparts; i++) {
		for (size_t j = 0; j < r->parts[i].n; j++) {
			const char *row = r->parts[i].rows + j * r->stride;

			if (find_known(k, vector_file_text(row)))
				continue;
			k->rows[n] = row;
			table_put(&k->by_text, NULL, 0, vector_file_text(row),
				  n++);
		}
	}
}

/* The state of vectors_update(). */
struct update {
	struct vectors *v;
	struct known_rows known;
	struct embed_text texts[EMBED_BATCH];
	uint32_t numbers[EMBED_BATCH];
	uint64_t hashes[EMBED_BATCH];
	size_t n, left;
	size_t batch; /* texts that are encoded at once */
	uint64_t until_ns;
	bool spills;	    /* rows can be written before all are made */
	struct arena arena; /* for the waiting texts */
	struct buf vectors;
	struct err *e;
};

/* Discard the rows: their vectors have another length, so the encoder is
 * another one, whatever its identity says. */
static void discard_rows(struct vectors *v, size_t dimension)
{
	vector_file_close(&v->kept);
	v->kept.store = view_identity(v->cache);
	v->kept.encoder = embed_identity(v->encoder);
	v->damaged = true;
	vector_file_set_dimension(&v->kept, dimension);
}

void vectors_expect(struct vectors *v, size_t dimension)
{
	if (v->kept.n && v->kept.dimension != dimension)
		discard_rows(v, dimension);
}

/* Encode the waiting texts. Return 0, 1 if all rows were discarded, or -1. */
static int encode_waiting(struct update *k)
{
	struct vectors *v = k->v;
	const size_t n = k->n;
	const float *p;
	size_t dimension;

	k->n = 0;
	if (!n)
		return 0;
	if (embed_texts(v->encoder, EMBED_DOCUMENT, k->texts, n, &k->vectors,
			&dimension, k->e) < 0)
		return -1;
	if (!v->kept.dimension)
		vector_file_set_dimension(&v->kept, dimension);
	if (dimension != v->kept.dimension && v->made.n && !v->kept.foreign)
		return err_set(k->e, ERR_HELPER,
			       "'%s' changed the length of its vectors",
			       embed_name(v->encoder));
	if (dimension != v->kept.dimension) {
		vector_file_release(&v->made);
		discard_rows(v, dimension);
		return 1;
	}
	p = (const float *)(const void *)k->vectors.p;
	for (size_t i = 0; i < n; i++)
		vector_file_add(&v->kept, &v->made, k->numbers[i], k->hashes[i],
				p + i * dimension);
	arena_reset(&k->arena);
	return 0;
}

void vectors_text(const struct embed *m, const struct view_doc *d,
		  const char **text, size_t *len, struct arena *a)
{
	const char *before = NULL;

	*text = d->text;
	*len = d->len;
	/* A sensitive text is not given to a program, which may send it
	 * anywhere. */
	if (!embed_is_local(m) && marks_now(&d->keys) & MARK_SENSITIVE)
		*len = 0;
	else if (*d->title)
		before = arena_printf(a, "%s\n", d->title);
	else if (!embed_is_static(m) && d->ntags == 1 && d->source &&
		 families_is_conversation(d->source))
		before = arena_printf(a, "%s: ", d->tags);
	if (!before)
		return;
	*text = arena_printf(a, "%s%.*s", before, (int)d->len, d->text);
	*len = strlen(*text);
}

/* Return true if no vector may be begun any more. */
static bool is_over(const struct update *k)
{
	return !k->left ||
	       (k->until_ns && instant_processor_ns() >= k->until_ns);
}

/* Add the known row of D, if its text has one. Otherwise return false, and set *TEXT,
 * with its hash in HASH, to the text to encode. */
static bool add_known_row(struct update *k, const struct view_doc *d,
			  struct embed_text *text, uint64_t *hash)
{
	const char *row;

	vectors_text(k->v->encoder, d, &text->p, &text->len, &k->arena);
	*hash = hash_bytes(text->p, text->len, 0);
	row = find_known(&k->known, *hash);
	if (row)
		vector_file_add_row(&k->v->kept, &k->v->made, d->number, row);
	return row;
}

/* Add all known rows. The file is of another view: it is replaced, even if the budget
 * does not suffice for all texts. */
static void add_known_rows(struct update *k)
{
	struct cache *c = k->v->cache;
	struct embed_text text;
	uint32_t number;
	struct view_doc d;
	uint64_t hash;

	for (size_t i = view_count(c); i-- > 0;) {
		if (lacks_vector(k->v, i, &number) && view_find(c, number, &d))
			add_known_row(k, &d, &text, &hash);
		arena_reset(&k->arena);
	}
}

/* Make the vector of D, at once or with the next ones. */
static int add_document(struct update *k, const struct view_doc *d)
{
	struct embed_text text;
	uint64_t hash;

	if (add_known_row(k, d, &text, &hash))
		return 0;
	k->left--;
	k->texts[k->n] = text;
	k->numbers[k->n] = d->number;
	k->hashes[k->n++] = hash;
	return k->n == k->batch ? encode_waiting(k) : 0;
}

/* Make missing vectors, the newest first, until the budget is spent, or until so many
 * rows wait that they are to be written: then set *FULL. Return as encode_waiting(). */
static int make_vectors(struct update *k, bool *full)
{
	struct cache *c = k->v->cache;
	uint32_t number;
	struct view_doc d;
	int r = 0;

	*full = false;
	for (size_t i = view_count(c); i-- > 0 && !r && !is_over(k);) {
		*full = k->spills && k->v->made.rows.len >= SPILL_BYTES;
		if (*full)
			break;
		if (lacks_vector(k->v, i, &number) && view_find(c, number, &d))
			r = add_document(k, &d);
	}
	return r ? r : encode_waiting(k);
}

/* The state of copying all rows that are alive or remembered. */
struct row_copy {
	struct vector_file_numbers known;
	struct vector_file_new rows;
};

static int add_known(void *ctx, const struct view_doc *d)
{
	struct row_copy *l = ctx;

	vector_file_add_number(&l->known, d->number);
	return 0;
}

static void copy_rows(const struct vectors *v, struct row_copy *l)
{
	view_each_known(v->cache, 0, add_known, l);
	for (size_t i = 0; i < count_parts(v); i++) {
		const struct vector_file_part part = get_part(v, i);

		for (size_t j = 0; j < part.n; j++) {
			const char *row = part.rows + j * v->kept.stride;
			const uint32_t number = vector_file_number(row);

			if (vector_file_has_number(&l->known, number))
				vector_file_add_row(&v->kept, &l->rows, number,
						    row);
		}
	}
}

/* Write the new rows, and all others if half of the file is dead or it has many
 * parts. Return 0 or -1. */
static int write_rows(struct vectors *v, int dir)
{
	const size_t all = v->kept.n + v->made.n;
	struct row_copy l = {0};
	struct err e;
	int r;

	if (v->kept.foreign || !v->kept.n) {
		r = vector_file_write(&v->kept, &v->made, dir, v->name, true,
				      &e);
	} else if (v->kept.damaged || v->kept.nparts >= PARTS_MOST ||
		   all > 2 * (view_count(v->cache) +
			      view_count_gone(v->cache))) {
		copy_rows(v, &l);
		r = vector_file_write(&v->kept, &l.rows, dir, v->name, true,
				      &e);
	} else {
		r = vector_file_write(&v->kept, &v->made, dir, v->name, false,
				      &e);
	}
	vector_file_release_numbers(&l.known);
	vector_file_release(&l.rows);
	return r;
}

/* Map the file anew, as another process or this one has written it. Return true if it
 * has rows of this store. */
static bool map_newer(struct vectors *v)
{
	struct vector_file file;

	vector_file_open(&file, view_dir(v->cache), v->name,
			 view_identity(v->cache), embed_identity(v->encoder));
	if (!file.n || file.foreign ||
	    (v->kept.dimension && file.dimension != v->kept.dimension)) {
		vector_file_close(&file);
		return false;
	}
	vector_file_close(&v->kept);
	v->kept = file;
	return true;
}

void vectors_reload(struct vectors *v)
{
	if (!v->made.n)
		map_newer(v);
}

/* Write the new rows, and map the file that has them. Return 0, or -1 with V
 * unchanged if they cannot be written or read. */
static int write_made(struct vectors *v)
{
	const int dir = view_dir(v->cache);

	if (!v->made.n)
		return 0;
	if (dir < 0 || !view_kept(v->cache))
		return -1;
	if (write_rows(v, dir) < 0 || !map_newer(v))
		return -1;
	vector_file_release(&v->made);
	return 0;
}

static void release_known(struct update *k)
{
	free(k->known.rows);
	table_release(&k->known.by_text);
	k->known = (struct known_rows){0};
}

int vectors_update(struct vectors *v, bool keep, struct vectors_budget *budget,
		   struct err *e)
{
	struct update *k;
	bool full;
	int r;

	if (!vectors_missing(v))
		return 0;
	k = mem_alloc(sizeof(*k));
	k->v = v;
	k->e = e;
	k->left = budget->texts;
	k->until_ns = budget->until_ns;
	k->batch = k->until_ns ? compat_processors() : EMBED_BATCH;
	if (k->batch > EMBED_BATCH)
		k->batch = EMBED_BATCH;
	k->spills = keep && !v->kept.foreign;
	do {
		k->n = 0;
		arena_reset(&k->arena);
		if (!embed_is_static(v->encoder) && v->kept.n && !k->known.rows)
			index_known(&k->known, &v->kept);
		if (v->kept.foreign && k->known.rows)
			add_known_rows(k);
		r = make_vectors(k, &full);
		if (r == 0 && full) { /* to use less memory */
			release_known(k);
			k->spills = write_made(v) == 0;
		}
		if (r == 1) { /* the known rows were discarded */
			release_known(k);
			k->left = budget->texts;
		}
	} while (r == 1 || (r == 0 && full));
	if (keep)
		write_made(v);
	budget->texts = k->left;
	release_known(k);
	arena_release(&k->arena);
	buf_release(&k->vectors);
	free(k);
	return r < 0 ? -1 : 0;
}

/* A row that is alive, and where its cosine goes. */
struct alive_row {
	const char *row;
	float *cosine;
};

struct comparison {
	size_t dimension, padded;
	struct alive_row *rows;
	size_t n;
	double *mean; /* of the rows alive, in their scale */
};

/* Set *AT to the place of NUMBER in the documents of P. Return false if it is not there.
 * *AT is the place of the row before, which is mostly a neighbour. */
static bool find_alive(const struct vectors_part *p, uint32_t number,
		       size_t *at)
{
	size_t low = 0, high = p->n;

	for (size_t i = *at > 0 ? *at - 1 : 0; i < p->n && i <= *at + 1; i++) {
		if (p->numbers[i] == number) {
			*at = i;
			return true;
		}
	}
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (p->numbers[middle] < number)
			low = middle + 1;
		else
			high = middle;
	}
	*at = low;
	return low < p->n && p->numbers[low] == number;
}

/* Collect the rows of P that are alive, and add them to the mean. */
static void collect_alive(struct comparison *k, const struct vectors_part *p)
{
	const struct vector_file *r = &p->v->kept;
	size_t at = 0;

	for (size_t i = 0; i < count_parts(p->v); i++) {
		const struct vector_file_part part = get_part(p->v, i);

		for (size_t j = 0; j < k->dimension; j++)
			k->mean[j] += part.sum[j];
		for (size_t j = 0; j < part.n; j++) {
			const char *row = part.rows + j * r->stride;

			if (!find_alive(p, vector_file_number(row), &at)) {
				for (size_t d = 0; d < k->dimension; d++)
					k->mean[d] -=
						vector_file_vector(row)[d];
			} else if (vector_file_norm(row)) {
				k->rows[k->n++] = (struct alive_row){
					row, &p->cosines[at]};
			}
		}
	}
}

/* Multiply ROW with A and with B. GCC vectorizes such a loop only if told
 * to. */
#if defined(__GNUC__) && !defined(__clang__)
__attribute__((optimize("O3")))
#endif
static void
multiply(const int8_t *row, const int16_t *a, const int16_t *b, size_t n,
	 int32_t *by_a, int32_t *by_b)
{
	int32_t x = 0, y = 0;

	for (size_t i = 0; i < n; i++) {
		x += row[i] * a[i];
		y += row[i] * b[i];
	}
	*by_a = x;
	*by_b = y;
}

/* Set OUT to V in 16 bits: V[i] * QUERY_SCALE / |V|. Return |V|. Products with
 * a row fit 31 bits, by the Cauchy inequality. */
static double pack_vector(const double *v, size_t n, int16_t *out)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += v[i] * v[i];
	sum = sqrt(sum);
	for (size_t i = 0; i < n; i++)
		out[i] = (int16_t)(sum > 0 ? lrint(v[i] * QUERY_SCALE / sum)
					   : 0);
	return sum;
}

static void compare_rows(const struct comparison *k, const double *query)
{
	int16_t *both = mem_alloc(2 * k->padded * sizeof(*both));
	int16_t *towards = both, *common = both + k->padded;
	const double far = pack_vector(query, k->dimension, towards);
	const double mean = pack_vector(k->mean, k->dimension, common);
	double apart = 0;

	for (size_t i = 0; i < k->dimension; i++)
		apart += k->mean[i] * query[i];
	for (size_t i = 0; i < k->n && far > 0; i++) {
		const char *row = k->rows[i].row;
		int32_t q, m;
		double length;

		multiply(vector_file_vector(row), towards, common, k->padded,
			 &q, &m);
		length = vector_file_norm(row) - 2 * m * mean / QUERY_SCALE +
			 mean * mean;
		if (length > 1e-6)
			*k->rows[i].cosine = (float)((q / (double)QUERY_SCALE -
						      apart / far) /
						     sqrt(length));
	}
	free(both);
}

void vectors_compare(const struct vectors_part *parts, size_t nparts,
		     const float *query, size_t dimension)
{
	const float scale = vector_file_scale(dimension);
	struct comparison k = {.dimension = dimension};
	double *away = mem_alloc(dimension * sizeof(*away));
	size_t all = 0;
	bool any = false;

	for (size_t i = 0; i < nparts; i++) {
		for (size_t j = 0; j < parts[i].n; j++)
			parts[i].cosines[j] = 0;
		all += parts[i].n;
	}
	for (size_t i = 0; i < dimension; i++)
		any = any || query[i] != 0;
	k.rows = mem_alloc((all + 1) * sizeof(*k.rows));
	k.mean = mem_alloc(dimension * sizeof(*k.mean));
	for (size_t i = 0; i < nparts; i++) {
		if (!parts[i].v || parts[i].v->kept.dimension != dimension)
			continue;
		k.padded = parts[i].v->kept.padded;
		collect_alive(&k, &parts[i]);
	}
	for (size_t i = 0; i < dimension; i++) {
		k.mean[i] /= (double)(k.n + FEW);
		away[i] = (double)(query[i] * scale) - k.mean[i];
	}
	if (any && k.n)
		compare_rows(&k, away);
	free(k.rows);
	free(k.mean);
	free(away);
}
