/* index.c: bring a database up to date with the view of the files.
 *
 * A process that gets the lock of the cache directory without waiting takes it
 * before the refresh and writes the missing documents. Other processes index the
 * missing documents, usually few, in memory. They wait only if there is no
 * readable database or it lacks many.
 *
 * The stamp of the database is a note in the catalog (see fts-file.h).
 */
#include "search/index.h"

#include "base/parallel.h"
#include "format/json-write.h"

#define WAIT_MS 30000
#define LOOKS 3 /* refreshes, if a file cannot be read at times */
#define FEW 256 /* up to so many missing documents are indexed in memory */
#define BATCH_MOST 256		     /* documents in a batch */
#define BYTES_MOST ((size_t)1 << 20) /* bytes of text in a batch, about */
#define LEAST 64 /* below this number, starting a thread takes longer */
#define DEAD_MIN \
	250 /* a new database is made for so many dead documents and a quarter
	     * of all */

static struct fts_file file_of(const struct index *ix)
{
	return (struct fts_file){view_dir(ix->cache),
				 view_folder_path(ix->cache), "knowledge",
				 view_identity(ix->cache)};
}

/* Set the length and traits of each document that L has. Return the number of
 * them. */
static size_t set_lengths(struct index *ix, const struct fts_lengths *l)
{
	size_t taken = 0;

	for (size_t i = 0, k = 0; i < ix->documents.n && k < l->n; k++) {
		while (i < ix->documents.n &&
		       ix->documents.numbers[i] < l->items[k].number)
			i++;
		if (i < ix->documents.n &&
		    ix->documents.numbers[i] == l->items[k].number) {
			ix->documents.traits[i] = (uint8_t)l->items[k].traits;
			ix->documents.lengths[i++] = l->items[k].terms;
			taken++;
		}
	}
	return taken;
}

static void set_damage(struct index *ix, const char *what)
{
	if (!*ix->news.damage)
		snprintf(ix->news.damage, sizeof(ix->news.damage), "%.127s",
			 what);
}

static void set_without(struct index *ix, const char *why)
{
	if (!*ix->news.without)
		snprintf(ix->news.without, sizeof(ix->news.without), "%.127s",
			 why);
}

static int make_stamp(const struct index *ix, struct fts_stamp *stamp)
{
	const struct fts_file f = file_of(ix);

	return fts_file_stamp(&f, ix->total, stamp);
}

static void store_stamp(struct index *ix, const struct fts_stamp *stamp)
{
	cache_set_note(ix->store->cache, VIEW_NOTE_INDEX, stamp,
		       sizeof(*stamp));
}

/* Store the stamp of the current database. */
static void write_stamp(struct index *ix)
{
	struct fts_stamp stamp;

	if (make_stamp(ix, &stamp) == 0)
		store_stamp(ix, &stamp);
}

/* Return true if the database is as its writer left it. GLANCE: do not check
 * the pages of one that was changed since. LOCKED: also roll back and update
 * the stamp. */
static bool is_trusted(struct index *ix, bool locked, bool glance)
{
	const struct fts_file f = file_of(ix);
	enum fts_file_state state;
	struct fts_stamp left;

	memcpy(&left, view_note(ix->cache, VIEW_NOTE_INDEX), sizeof(left));
	if (locked)
		fts_file_roll_back(&f);
	state = fts_file_check(&f, &left, glance, &ix->total);
	if (state == FTS_FILE_DAMAGED)
		set_damage(ix, "it was not as it had been left");
	if (state == FTS_FILE_SOUND && locked)
		write_stamp(ix);
	return state == FTS_FILE_SOUND || state == FTS_FILE_AS_LEFT;
}

/* Open the database if there is one that can be trusted. */
static void open_database(struct index *ix, bool locked, bool glance)
{
	const struct fts_file f = file_of(ix);
	struct err e;

	if (f.dir < 0 || !is_trusted(ix, locked, glance))
		return;
	if (fts_file_open(&f, FTS_OPEN, &ix->db, &e) < 0) {
		if (e.code == ERR_DATA)
			set_damage(ix, e.text);
		else
			set_without(ix, e.text);
	}
}

/* Set the lengths of all documents from the database. Return the number of
 * documents that it lacks. */
static size_t match_lengths(struct index *ix)
{
	const struct fts_lengths *l;
	size_t taken;

	if (!ix->db)
		return ix->documents.n;
	l = fts_lengths(ix->db);
	taken = set_lengths(ix, l);
	ix->news.dead = l->n - taken;
	return ix->documents.n - taken;
}

/* To add documents, all threads split a batch into terms, which is half of the work,
 * while the caller's thread inserts the batch before into the database, in order. So
 * the contents of the database do not depend on the number of threads. */

struct indexing {
	struct fts *db;
	struct err *e;
	struct indexing_batch {
		struct view_doc docs[BATCH_MOST];
		struct fts_made made[BATCH_MOST];
		size_t n, most; /* now, and at most so far */
		size_t bytes;	/* of text */
	} * batches;		/* one being filled, and the one before */
	unsigned now;		/* index of the batch being filled */
	struct terms terms[PARALLEL_MAX];
	struct indexing_tags {
		const char **items;
		size_t cap;
	} tags[PARALLEL_MAX];
	struct buf words[PARALLEL_MAX]; /* of an article */
};

/* Start adding to DB. E gets the errors of all later calls. */
static void begin_indexing(struct indexing *x, struct fts *db, struct err *e)
{
	*x = (struct indexing){.db = db, .e = e};
	x->batches = mem_alloc(2 * sizeof(*x->batches));
	for (size_t i = 0; i < PARALLEL_MAX; i++)
		x->terms[i].index = true;
}

static void make_terms(struct indexing *x, unsigned who,
		       const struct view_doc *d, struct fts_made *made)
{
	struct indexing_tags *tags = &x->tags[who];
	struct fts_doc doc = {
		.ntags = d->ntags,
		.title = d->title,
		.source = d->source,
	};
	const char *tag = d->tags;

	if (d->ntags > tags->cap) {
		tags->cap = d->ntags * 2;
		tags->items = mem_resize(tags->items, tags->cap,
					 sizeof(*tags->items));
	}
	for (size_t i = 0; i < d->ntags; i++, tag += strlen(tag) + 1)
		tags->items[i] = tag;
	doc.tags = tags->items;
	doc.text = documents_words(d, &x->words[who], &doc.text_len);
	fts_make(made, &x->terms[who], &doc);
}

static void make_range(void *ctx, unsigned who, size_t from, size_t to)
{
	struct indexing *x = ctx;
	struct indexing_batch *b = &x->batches[x->now];

	for (size_t i = from; i < to; i++)
		make_terms(x, who, &b->docs[i], &b->made[i]);
}

static int insert_batch(struct indexing *x, struct indexing_batch *b)
{
	int r = 0;

	for (size_t i = 0; i < b->n && !r; i++)
		r = fts_add(x->db, b->docs[i].number, &b->made[i], x->e);
	b->n = b->bytes = 0;
	return r;
}

/* Make the terms of the batch just filled, and insert the one before it. */
static int process_batch(struct indexing *x)
{
	struct parallel threads;
	int r;

	parallel_begin(&threads, make_range, x, x->batches[x->now].n, LEAST);
	r = insert_batch(x, &x->batches[!x->now]);
	parallel_end(&threads);
	x->now = !x->now;
	return r;
}

/* Add D; its strings must stay valid until the end. Return 0 or -1. */
static int index_document(struct indexing *x, const struct view_doc *d)
{
	struct indexing_batch *b = &x->batches[x->now];

	b->docs[b->n++] = *d;
	if (b->n > b->most)
		b->most = b->n;
	b->bytes += d->len;
	return b->n == BATCH_MOST || b->bytes >= BYTES_MOST ? process_batch(x)
							    : 0;
}

/* Insert the remaining documents. Return 0 or -1. */
static int finish_indexing(struct indexing *x)
{
	return process_batch(x) < 0 ? -1
				    : insert_batch(x, &x->batches[!x->now]);
}

static void release_indexing(struct indexing *x)
{
	for (size_t i = 0; x->batches && i < 2; i++) {
		for (size_t k = 0; k < x->batches[i].most; k++)
			fts_made_release(&x->batches[i].made[k]);
	}
	free(x->batches);
	for (size_t i = 0; i < PARALLEL_MAX; i++) {
		terms_release(&x->terms[i]);
		free(x->tags[i].items);
		buf_release(&x->words[i]);
	}
}

struct addition {
	struct index *ix;
	struct indexing to;
	size_t i; /* for the index in memory: the document's position */
	size_t added;
};

static int add_document(void *ctx, const struct view_doc *d)
{
	struct addition *a = ctx;

	a->added += !d->gone;
	progress_step(a->ix->store->progress, "documents", a->added,
		      a->ix->documents.n);
	return index_document(&a->to, d);
}

static int add_missing(void *ctx, const struct view_doc *d)
{
	struct addition *a = ctx;

	return a->ix->documents.lengths[a->i++] == DOCUMENTS_MISSING
		       ? add_document(a, d)
		       : 0;
}

/* Return the highest number in DB. */
static uint32_t last_number(const struct fts *db)
{
	const struct fts_lengths *l = fts_lengths(db);

	return l->n ? l->items[l->n - 1].number : 0;
}

/* Return the position of the first missing document. */
static size_t first_missing(const struct index *ix)
{
	size_t i = 0;

	while (i < ix->documents.n &&
	       ix->documents.lengths[i] != DOCUMENTS_MISSING)
		i++;
	return i;
}

/* Add the missing documents to DB, in one transaction. In memory: those of the
 * view. To the database: all above its highest number, remembered deleted ones
 * included. */
static int add_all(struct index *ix, struct fts *db, size_t *added,
		   struct err *e)
{
	const bool memory = db == ix->extra;
	struct addition a = {.ix = ix};
	int r = -1;

	a.i = first_missing(ix);
	if (a.i == ix->documents.n)
		return 0;
	begin_indexing(&a.to, db, e);
	if (fts_begin(db, e) == 0 &&
	    (memory ? view_each(ix->cache, ix->documents.numbers[a.i] - 1,
				add_missing, &a)
		    : view_each_known(ix->cache, last_number(db), add_document,
				      &a)) == 0 &&
	    finish_indexing(&a.to) == 0 && fts_commit(db, e) == 0) {
		set_lengths(ix, fts_lengths(db));
		*added = a.added;
		r = 0;
	}
	release_indexing(&a.to);
	return r;
}

static int fill_new(void *ctx, struct fts *db, struct err *e)
{
	struct index *ix = ctx;

	if (add_all(ix, db, &ix->news.added, e) < 0)
		return -1;
	return fts_settle(db, true, e);
}

/* Mark all documents as missing. */
static void clear_lengths(struct index *ix)
{
	memset(ix->documents.lengths, 0xff,
	       ix->documents.n * sizeof(*ix->documents.lengths));
	ix->news.added = 0;
}

/* Make a new database with all documents. */
static int make_database(struct index *ix, struct err *e)
{
	const struct fts_file f = file_of(ix);
	struct fts_stamp stamp;
	int r;

	fts_close(ix->db);
	ix->db = NULL;
	ix->news.dead = 0;
	clear_lengths(ix);
	r = fts_file_make(&f, fill_new, ix, &stamp, e);
	if (r == 0) {
		ix->total = stamp.total;
		store_stamp(ix, &stamp);
		r = fts_file_open(&f, FTS_OPEN, &ix->db, e);
	}
	ix->news.made = r == 0;
	if (r < 0)
		clear_lengths(ix);
	return r;
}

/* Add the missing documents to the database. The caller holds the lock. */
static int add_to_database(struct index *ix, struct err *e)
{
	int r = add_all(ix, ix->db, &ix->news.added, e);

	if (r == 0) {
		ix->total += fts_change(ix->db);
		write_stamp(ix);
		return 0;
	}
	fts_close(ix->db);
	ix->db = NULL;
	return -1;
}

/* Return true if the database has not too many dead documents, and lacks none
 * below its highest number. */
static bool is_worth_adding(const struct index *ix)
{
	const size_t first = first_missing(ix);
	const size_t known = view_count_gone(ix->cache);

	return ix->news.dead <= known + DEAD_MIN + ix->documents.n / 4 &&
	       (first == ix->documents.n ||
		ix->documents.numbers[first] > last_number(ix->db));
}

/* Bring the database up to date. The caller holds the lock. */
static void write_database(struct index *ix, bool rebuild)
{
	const size_t missing = match_lengths(ix);
	struct err e = {0};
	int r = 0;

	if (!view_kept(ix->cache)) {
		set_without(ix, "the cache directory cannot be written");
		return;
	}
	if (ix->db && !rebuild && is_worth_adding(ix)) {
		if (!missing)
			return;
		r = add_to_database(ix, &e);
		if (r < 0 && e.code == ERR_DATA)
			set_damage(ix, e.text);
		else if (r < 0)
			set_without(ix, e.text);
		if (r == 0 || e.code != ERR_DATA)
			return;
	}
	if (make_database(ix, &e) < 0)
		set_without(ix, e.text);
}

/* Index the missing documents in memory. */
static int add_in_memory(struct index *ix, struct err *e)
{
	match_lengths(ix);
	if (fts_open(&ix->extra, FTS_MEMORY, NULL, 0, e) < 0)
		return -1;
	return add_all(ix, ix->extra, &ix->news.memory, e);
}

static bool is_complete(const struct index *ix)
{
	for (size_t i = 0; i < ix->documents.n; i++) {
		if (ix->documents.lengths[i] == DOCUMENTS_MISSING)
			return false;
	}
	return true;
}

/* Refresh the view and open the database. If it cannot be used or lacks many
 * documents, wait for the lock and start again. Return 1, 0 if there is nothing
 * to index, -1. */
static int refresh_and_open(struct index *ix, bool *locked, struct err *e)
{
	bool lost = false; /* the cache was damaged */
	int tried = 0;

	for (;;) {
		int r = cache_refresh(ix->store->cache,
				      REFRESH_DOCUMENTS | REFRESH_MAKE, e);

		ix->cache = r == 1 ? ix->store->cache : NULL;
		if (r != 1)
			return r;
		*ix->news.damage = '\0';
		lost = lost || view_news(ix->cache)->damaged;
		if (lost)
			set_damage(ix, "its record of the files was damaged, "
				       "or of another store or version");
		documents_list(&ix->documents, ix->cache);
		if (view_damaged(ix->cache) && !tried++)
			continue;
		ix->news.documents = ix->documents.n;
		if (!ix->documents.n)
			return 1;
		/* Without the lock, another process may be writing it now. */
		open_database(ix, *locked, !*locked);
		if (*locked || (ix->db && match_lengths(ix) <= FEW) ||
		    view_dir(ix->cache) < 0 ||
		    !cache_lock(ix->store->cache, WAIT_MS))
			return 1;
		*locked = true;
		fts_close(ix->db);
		ix->db = NULL;
	}
}

static void release_parts(struct index *ix)
{
	fts_close(ix->db);
	fts_close(ix->extra);
	documents_release(&ix->documents);
	ix->db = ix->extra = NULL;
}

/* Like refresh_and_open(). A file that cannot be read is tried again, and then
 * reported. */
static int open_readable(struct index *ix, bool *locked, struct err *e)
{
	int r = 1;

	for (int tries = LOOKS; r == 1 && tries; tries--) {
		release_parts(ix);
		r = refresh_and_open(ix, locked, e);
		if (r != 1)
			return r;
		r = store_report_broken(ix->store, ix->cache, tries == 1, e);
	}
	return r < 0 ? -1 : 1;
}

/* index_open(), with the lock if LOCKED. */
static int open_locked(struct index *ix, struct store *s, unsigned flags,
		       bool locked, struct err *e)
{
	int r;

	*ix = (struct index){.store = s};
	r = open_readable(ix, &locked, e);
	if (r == 1) {
		if (flags & INDEX_REBUILD)
			*ix->news.damage = '\0';
		if (locked && (ix->documents.n || flags & INDEX_REBUILD))
			write_database(ix, flags & INDEX_REBUILD);
		else
			match_lengths(ix);
		if (locked)
			cache_unlock(s->cache);
		locked = false;
		if (!is_complete(ix) && add_in_memory(ix, e) < 0)
			r = -1;
		else if (ix->news.memory)
			set_without(ix,
				    view_dir(ix->cache) < 0
					    ? "the cache directory cannot be "
					      "used"
					    : "another process is writing");
	}
	if (locked)
		cache_unlock(s->cache);
	if (r < 0)
		index_close(ix);
	return r < 0 ? -1 : 0;
}

int index_open(struct index *ix, struct store *s, unsigned flags, struct err *e)
{
	const bool locked =
		cache_lock(s->cache, flags & INDEX_REBUILD ? WAIT_MS : 0);

	return open_locked(ix, s, flags, locked, e);
}

void index_rest(struct index *ix)
{
	if (!ix->db || ix->extra || *ix->news.damage || *ix->news.without ||
	    fts_rest(ix->db, NULL) < 0 || make_stamp(ix, &ix->left) < 0)
		release_parts(ix);
	else
		ix->changes = cache_changes(ix->store->cache);
}

/* Return true if neither the refreshed view nor the database has changed since
 * index_rest(). */
static bool is_unchanged(struct index *ix)
{
	const struct fts_file f = file_of(ix);

	return cache_changes(ix->store->cache) == ix->changes &&
	       fts_wake(ix->db, f.store, NULL) == 0 &&
	       fts_file_is_same(&f, &ix->left);
}

int index_renew(struct index *ix, struct store *s, struct err *e)
{
	const bool locked = cache_lock(s->cache, 0);
	int r = cache_hold(s->cache, REFRESH_DOCUMENTS | REFRESH_MAKE, e);

	if (r == 1 && ix->db && is_unchanged(ix)) {
		r = store_report_broken(s, ix->cache, false, e);
		if (r == 0) {
			ix->news = (struct index_news){.documents =
							       ix->documents.n,
						       .dead = ix->news.dead};
			cache_let(s->cache);
			if (locked)
				cache_unlock(s->cache);
			return 0;
		}
		cache_let(s->cache);
	}
	release_parts(ix);
	/* With the lock, nothing can change: one refresh is enough. */
	if (!locked)
		cache_let(s->cache);
	r = open_locked(ix, s, 0, locked, e);
	cache_let(s->cache);
	return r;
}

int index_open_known(struct index *ix, struct store *s, size_t most)
{
	*ix = (struct index){.store = s};
	if (!cache_take(s->cache, most))
		return 0;
	ix->cache = s->cache;
	documents_list(&ix->documents, ix->cache);
	if (!view_damaged(ix->cache))
		open_database(ix, false, true);
	if (!ix->db) {
		index_close(ix);
		return 0;
	}
	match_lengths(ix);
	documents_leave_missing(&ix->documents);
	ix->news.documents = ix->documents.n;
	return 1;
}

int index_distrust(struct index *ix, const struct err *why, struct err *e)
{
	struct fts_file f;

	set_damage(ix, why->text);
	fts_close(ix->db);
	fts_close(ix->extra);
	ix->db = ix->extra = NULL;
	if (!ix->cache)
		return 0;
	if (cache_lock(ix->store->cache, 0)) {
		f = file_of(ix);
		fts_file_remove(&f);
		cache_unlock(ix->store->cache);
	}
	clear_lengths(ix);
	return ix->documents.n ? add_in_memory(ix, e) : 0;
}

int index_reopen(struct index *ix, struct err *e)
{
	/* Keep the damaged view: it makes the next refresh start anew. */
	release_parts(ix);
	return index_open(ix, ix->store, 0, e);
}

void index_close(struct index *ix)
{
	release_parts(ix);
	if (ix->store)
		cache_drop(ix->store->cache);
	*ix = (struct index){0};
}

/* Open the index read-only. Set `missing` and `bytes` of ST and return 1, or
 * return 0 if there is no cache; then there is nothing to close. */
static int open_readonly(struct index *ix, struct store *s,
			 struct index_status *st)
{
	struct fts_file f;

	*ix = (struct index){.store = s};
	if (cache_refresh(s->cache, REFRESH_DOCUMENTS, NULL) != 1)
		return 0;
	ix->cache = s->cache;
	documents_list(&ix->documents, ix->cache);
	open_database(ix, false, false);
	st->missing = match_lengths(ix);
	f = file_of(ix);
	st->bytes = fts_file_size(&f);
	return 1;
}

void index_status(struct index_status *st, struct store *s)
{
	struct index ix;

	*st = (struct index_status){0};
	if (!open_readonly(&ix, s, st))
		return;
	st->documents = ix.documents.n;
	st->dead = ix.news.dead;
	if (ix.db)
		st->state = st->missing ? INDEX_BEHIND : INDEX_FRESH;
	else if (st->bytes || *ix.news.damage)
		st->state = INDEX_DAMAGED;
	index_close(&ix);
}

static const char *const state_names[] = {
	[INDEX_NONE] = "none",
	[INDEX_FRESH] = "fresh",
	[INDEX_BEHIND] = "behind",
	[INDEX_DAMAGED] = "damaged",
};

void index_status_text(struct buf *out, const struct index_status *st)
{
	buf_adds(out, st->state == INDEX_FRESH ? "up to date"
		      : st->state == INDEX_DAMAGED
			      ? "damaged or of another version"
			      : state_names[st->state]);
	if (st->state == INDEX_FRESH)
		buf_addf(out, ", %zu document%s (%llu bytes)", st->documents,
			 st->documents == 1 ? "" : "s",
			 (unsigned long long)st->bytes);
	else if (st->state == INDEX_BEHIND)
		buf_addf(out, ", %zu of %zu document%s missing", st->missing,
			 st->documents, st->documents == 1 ? "" : "s");
}

void index_status_json(struct buf *out, const struct index_status *st)
{
	json_write_open(out, "index", '{');
	json_write_text(out, "state", state_names[st->state]);
	json_write_size(out, "documents", st->documents);
	json_write_size(out, "missing", st->missing);
	json_write_size(out, "dead", st->dead);
	json_write_int(out, "bytes", (int64_t)st->bytes);
	json_write_close(out, '}');
}
