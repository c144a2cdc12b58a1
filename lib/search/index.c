/* index.c: bring a database up to date with the view of the files.
 *
 * A process that gets the lock of the cache directory without waiting takes it
 * before the refresh and writes what is missing. Other processes index the
 * missing documents, usually few, in memory. They wait only if there is no
 * readable database or it lacks many.
 *
 * A new database is made under another name and renamed when it is complete, so
 * readers of the old one are not disturbed.
 *
 * Each page is checked against its own checksum when it is read. The stamp
 * covers the rest. If the file differs from its stamp, either a writer was
 * killed before it wrote the stamp, which does no harm, or the file is damaged,
 * perhaps in pages that nobody reads today; so all pages are checked once.
 * After a restart of the system, written pages may be missing, so the total of
 * checksums must also equal the stamp's.
 *
 * A database whose writer was killed has a journal, which SQLite rolls back.
 */
#include "search/index.h"

#include "format/json-write.h"
#include "search/indexing.h"
#include "search/page-checksums.h"

#include <fcntl.h>
#include <unistd.h>

#define NAME "knowledge.db"
#define JOURNAL "knowledge.db-journal"
#define NEW_NAME "knowledge.new"
#define NEW_JOURNAL "knowledge.new-journal"
#define WAIT_MS 30000
#define LOOKS 3 /* refreshes, if a file cannot be read at times */
#define FEW 256 /* up to so many missing documents are indexed in memory */
#define DEAD_MIN \
	250 /* a new database is made for so many dead documents and a quarter
	     * of all */

static char *path_of(const struct index *ix, const char *name)
{
	struct buf path = {0};

	buf_addf(&path, "%s/%s", view_folder_path(ix->cache), name);
	return buf_take(&path);
}

/* Set the length and traits of each document that L has. Return the number of
 * them. */
static size_t set_lengths(struct index *ix, const struct lengths *l)
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

static bool view_has(const struct index *ix, const char *name)
{
	return faccessat(view_dir(ix->cache), name, F_OK,
			 AT_SYMLINK_NOFOLLOW) == 0;
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

/* Make SQLite roll back the changes of a killed writer. */
static void roll_back(struct index *ix)
{
	char *path = path_of(ix, NAME);
	struct fts *db;

	if (fts_open(&db, FTS_OPEN, path, view_identity(ix->cache), NULL) == 0)
		fts_close(db);
	free(path);
}

/* Write the stamp of the current database. */
static void write_stamp(struct index *ix)
{
	struct stamp stamp;

	if (stamp_take(&stamp, view_dir(ix->cache), NAME, ix->total) == 0)
		cache_set_note(ix->store->cache, VIEW_NOTE_INDEX, &stamp,
			       sizeof(stamp));
}

/* Check all pages. If they are right, write a new stamp if LOCKED. */
static bool check_pages(struct index *ix, const struct stamp *left,
			enum stamp_verdict verdict, bool locked)
{
	if (!page_checksums_check(view_dir(ix->cache), NAME,
				  view_identity(ix->cache), &ix->total)) {
		if (verdict != STAMP_NONE)
			set_damage(ix, "it was not as it had been left");
		return false;
	}
	if (verdict == STAMP_BEFORE && ix->total != left->total)
		return false;
	if (locked)
		write_stamp(ix);
	return true;
}

/* Return true if the database is as its writer left it. GLANCE: do not check
 * the pages of one that was changed since. LOCKED: also roll back and update
 * the stamp. */
static bool is_trusted(struct index *ix, bool locked, bool glance)
{
	enum stamp_verdict verdict;
	struct stamp left;

	memcpy(&left, view_note(ix->cache, VIEW_NOTE_INDEX), sizeof(left));
	if (locked && view_has(ix, JOURNAL))
		roll_back(ix);
	verdict = stamp_test(&left, view_dir(ix->cache), NAME);
	ix->total = left.total;
	if (verdict == STAMP_ABSENT)
		return false;
	if (verdict == STAMP_SAME || (verdict == STAMP_CHANGED && glance))
		return true;
	return check_pages(ix, &left, verdict, locked);
}

/* Open the database if there is one that can be trusted. */
static void open_database(struct index *ix, bool locked, bool glance)
{
	struct err e;
	char *path;

	if (view_dir(ix->cache) < 0 || !is_trusted(ix, locked, glance))
		return;
	path = path_of(ix, NAME);
	if (fts_open(&ix->db, FTS_OPEN, path, view_identity(ix->cache), &e) <
	    0) {
		if (e.code == ERR_DATA)
			set_damage(ix, e.text);
		else
			set_without(ix, e.text);
	}
	free(path);
}

/* Set the lengths of all documents from the database. Return the number of
 * documents that it lacks. */
static size_t match_lengths(struct index *ix)
{
	const struct lengths *l;
	size_t taken;

	if (!ix->db)
		return ix->documents.n;
	l = fts_lengths(ix->db);
	taken = set_lengths(ix, l);
	ix->news.dead = l->n - taken;
	return ix->documents.n - taken;
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
	return indexing_add(&a->to, d);
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
	const struct lengths *l = fts_lengths(db);

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
	indexing_begin(&a.to, db, e);
	if (fts_begin(db, e) == 0 &&
	    (memory ? view_each(ix->cache, ix->documents.numbers[a.i] - 1,
				add_missing, &a)
		    : view_each_known(ix->cache, last_number(db), add_document,
				      &a)) == 0 &&
	    indexing_finish(&a.to) == 0 && fts_commit(db, e) == 0) {
		set_lengths(ix, fts_lengths(db));
		*added = a.added;
		r = 0;
	}
	indexing_release(&a.to);
	return r;
}

static int fill_new(struct index *ix, const char *path, struct err *e)
{
	struct fts *db;
	int r = -1;

	if (fts_open(&db, FTS_MAKE, path, view_identity(ix->cache), e) < 0)
		return -1;
	if (add_all(ix, db, &ix->news.added, e) == 0 &&
	    fts_settle(db, true, e) == 0)
		r = 0;
	fts_close(db);
	return r;
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
	const int dir = view_dir(ix->cache);
	char *path = path_of(ix, NEW_NAME);
	int fd, r = -1;

	fts_close(ix->db);
	ix->db = NULL;
	ix->news.dead = 0;
	clear_lengths(ix);
	unlinkat(dir, NEW_NAME, 0);
	unlinkat(dir, NEW_JOURNAL, 0);
	fd = file_open(dir, NEW_NAME, O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (fd < 0) {
		err_sys(e, "cannot make '%s'", path);
		goto out;
	}
	close(fd);
	if (fill_new(ix, path, e) < 0)
		goto out;
	/* The old journal must never be applied to the new file. */
	unlinkat(dir, JOURNAL, 0);
	if (renameat(dir, NEW_NAME, dir, NAME) < 0) {
		err_sys(e, "cannot make '%s'", path);
		goto out;
	}
	if (page_checksums_check(dir, NAME, view_identity(ix->cache),
				 &ix->total))
		write_stamp(ix);
	free(path);
	path = path_of(ix, NAME);
	r = fts_open(&ix->db, FTS_OPEN, path, view_identity(ix->cache), e);
	ix->news.made = r == 0;
out:
	if (r < 0) {
		unlinkat(dir, NEW_NAME, 0);
		clear_lengths(ix);
	}
	free(path);
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
	    fts_rest(ix->db, NULL) < 0 ||
	    stamp_take(&ix->left, view_dir(ix->cache), NAME, ix->total) < 0)
		release_parts(ix);
	else
		ix->changes = cache_changes(ix->store->cache);
}

/* Return true if neither the refreshed view nor the database has changed since
 * index_rest(). */
static bool is_unchanged(struct index *ix)
{
	return cache_changes(ix->store->cache) == ix->changes &&
	       fts_wake(ix->db, view_identity(ix->cache), NULL) == 0 &&
	       stamp_test(&ix->left, view_dir(ix->cache), NAME) == STAMP_SAME;
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
	set_damage(ix, why->text);
	fts_close(ix->db);
	fts_close(ix->extra);
	ix->db = ix->extra = NULL;
	if (!ix->cache)
		return 0;
	if (cache_lock(ix->store->cache, 0)) {
		unlinkat(view_dir(ix->cache), NAME, 0);
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
	struct stat file;

	*ix = (struct index){.store = s};
	if (cache_refresh(s->cache, REFRESH_DOCUMENTS, NULL) != 1)
		return 0;
	ix->cache = s->cache;
	documents_list(&ix->documents, ix->cache);
	open_database(ix, false, false);
	st->missing = match_lengths(ix);
	if (fstatat(view_dir(ix->cache), NAME, &file, AT_SYMLINK_NOFOLLOW) == 0)
		st->bytes = (uint64_t)file.st_size;
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
					       : state_names[st->state]);
	if (st->state == INDEX_FRESH)
		buf_addf(out, ", %zu documents (%llu bytes)", st->documents,
			 (unsigned long long)st->bytes);
	else if (st->state == INDEX_BEHIND)
		buf_addf(out, ", %zu of %zu documents missing", st->missing,
			 st->documents);
}

void index_status_json(struct buf *out, const char *key,
		       const struct index_status *st)
{
	json_write_open(out, key, '{');
	json_write_text(out, "state", state_names[st->state]);
	json_write_size(out, "documents", st->documents);
	json_write_size(out, "missing", st->missing);
	json_write_size(out, "dead", st->dead);
	json_write_int(out, "bytes", (int64_t)st->bytes);
	json_write_close(out, '}');
}
