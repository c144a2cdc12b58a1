/* index.c: bringing a database up to the view of the files.
 *
 * Whoever gets the lock of the cache folder without waiting takes it before
 * the refresh, and writes what is missing; the others index it in memory, which
 * is a few documents as a rule.  Only where there is no database to read, or
 * much is missing, they wait for the one who is making it.
 *
 * A new database is made beside the old one and takes its name when it is
 * whole, so that readers of the old one are not disturbed.
 *
 * Each page of a database is compared with its own sum when it is read.  What
 * that cannot show is what the stamp is for: where the file is not what it was
 * when it was left, the writer was killed before he could say so, which does no
 * harm, or it is damaged, perhaps where nobody reads it today; so all pages are
 * compared once.  And where the system went down since, pages may be missing
 * that were written, unless their total is the one that was left.
 *
 * One that was being written when its writer was killed has a journal, which
 * SQLite rolls back.
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
#define LOOKS 3 /* at what can be read at times alone */
#define FEW 256 /* documents that are indexed sooner than waited for */
#define DEAD_MIN \
	250 /* so many that do not come back, and a quarter of all,
		      * want a new one */

static char *path_of(const struct index *ix, const char *name)
{
	struct buf path = {0};

	buf_addf(&path, "%s/%s", view_folder_path(ix->cache), name);
	return buf_take(&path);
}

/* Give each document the length that L has of it. */
static size_t take_lengths(struct index *ix, const struct lengths *l)
{
	size_t taken = 0;

	for (size_t i = 0, k = 0; i < ix->documents.n && k < l->n; k++) {
		while (i < ix->documents.n &&
		       ix->documents.numbers[i] < l->items[k].number)
			i++;
		if (i < ix->documents.n &&
		    ix->documents.numbers[i] == l->items[k].number) {
			ix->documents.lengths[i++] = l->items[k].terms;
			taken++;
		}
	}
	return taken;
}

static bool exists(const struct index *ix, const char *name)
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

/* Have SQLite roll back what a killed writer began. */
static void recover(struct index *ix)
{
	char *path = path_of(ix, NAME);
	struct fts *db;

	if (fts_open(&db, FTS_OPEN, path, view_identity(ix->cache), NULL) == 0)
		fts_close(db);
	free(path);
}

/* Leave the stamp of the database as it is now. */
static void leave_stamp(struct index *ix)
{
	struct stamp stamp;

	if (stamp_take(&stamp, view_dir(ix->cache), NAME, ix->total) == 0)
		cache_set_note(ix->store->cache, VIEW_NOTE_INDEX, &stamp,
			       sizeof(stamp));
}

/* Compare all pages, and leave a new stamp if they are right. */
static bool is_whole_file(struct index *ix, const struct stamp *left,
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
		leave_stamp(ix);
	return true;
}

/* True if the database is one that was left here, as far as is seen at a
 * GLANCE or, without it, by its pages; with the lock, the stamp is brought up
 * to date. */
static bool is_ours(struct index *ix, bool locked, bool glance)
{
	enum stamp_verdict verdict;
	struct stamp left;

	memcpy(&left, view_note(ix->cache, VIEW_NOTE_INDEX), sizeof(left));
	if (locked && exists(ix, JOURNAL))
		recover(ix);
	verdict = stamp_test(&left, view_dir(ix->cache), NAME);
	ix->total = left.total;
	if (verdict == STAMP_ABSENT)
		return false;
	if (verdict == STAMP_SAME || (verdict == STAMP_CHANGED && glance))
		return true;
	return is_whole_file(ix, &left, verdict, locked);
}

/* Open the database, if there is one that can be trusted. */
static void open_database(struct index *ix, bool locked, bool glance)
{
	struct err e;
	char *path;

	if (view_dir(ix->cache) < 0 || !is_ours(ix, locked, glance))
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

/* What is the database worth: the documents that it lacks. */
static size_t compare(struct index *ix)
{
	const struct lengths *l;
	size_t taken;

	if (!ix->db)
		return ix->documents.n;
	l = fts_lengths(ix->db);
	taken = take_lengths(ix, l);
	ix->news.dead = l->n - taken;
	return ix->documents.n - taken;
}

struct adding {
	struct index *ix;
	struct indexing to;
	size_t i; /* the place among the documents, of those for memory */
	size_t added;
};

static int add(void *ctx, const struct view_doc *d)
{
	struct adding *a = ctx;

	a->added += !d->gone;
	progress_step(a->ix->store->progress, "documents", a->added,
		      a->ix->documents.n);
	return indexing_add(&a->to, d);
}

static int add_missing(void *ctx, const struct view_doc *d)
{
	struct adding *a = ctx;

	return a->ix->documents.lengths[a->i++] == DOCUMENTS_MISSING ? add(a, d)
								     : 0;
}

/* The highest number that DB has. */
static uint32_t last_of(const struct fts *db)
{
	const struct lengths *l = fts_lengths(db);

	return l->n ? l->items[l->n - 1].number : 0;
}

/* The place of the first document that is missing. */
static size_t first_missing(const struct index *ix)
{
	size_t i = 0;

	while (i < ix->documents.n &&
	       ix->documents.lengths[i] != DOCUMENTS_MISSING)
		i++;
	return i;
}

/* Add to DB, in one transaction, the documents that are missing: to the
 * database those above all that it has, the remembered too. */
static int add_all(struct index *ix, struct fts *db, size_t *added,
		   struct err *e)
{
	const bool memory = db == ix->extra;
	struct adding a = {.ix = ix};
	int r = -1;

	a.i = first_missing(ix);
	if (a.i == ix->documents.n)
		return 0;
	indexing_begin(&a.to, db, e);
	if (fts_begin(db, e) == 0 &&
	    (memory ? view_each(ix->cache, ix->documents.numbers[a.i] - 1,
				add_missing, &a)
		    : view_each_known(ix->cache, last_of(db), add, &a)) == 0 &&
	    indexing_finish(&a.to) == 0 && fts_commit(db, e) == 0) {
		take_lengths(ix, fts_lengths(db));
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
	if (add_all(ix, db, &ix->news.added, e) == 0 && fts_settle(db, e) == 0)
		r = 0;
	fts_close(db);
	return r;
}

/* No document is in a database. */
static void miss_all(struct index *ix)
{
	memset(ix->documents.lengths, 0xff,
	       ix->documents.n * sizeof(*ix->documents.lengths));
	ix->news.added = 0;
}

/* Make the database anew, with all documents. */
static int make_database(struct index *ix, struct err *e)
{
	const int dir = view_dir(ix->cache);
	char *path = path_of(ix, NEW_NAME);
	int fd, r = -1;

	fts_close(ix->db);
	ix->db = NULL;
	ix->news.dead = 0;
	miss_all(ix);
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
	/* The journal of the old one must never meet the new one. */
	unlinkat(dir, JOURNAL, 0);
	if (renameat(dir, NEW_NAME, dir, NAME) < 0) {
		err_sys(e, "cannot make '%s'", path);
		goto out;
	}
	if (page_checksums_check(dir, NAME, view_identity(ix->cache),
				 &ix->total))
		leave_stamp(ix);
	free(path);
	path = path_of(ix, NAME);
	r = fts_open(&ix->db, FTS_OPEN, path, view_identity(ix->cache), e);
	ix->news.made = r == 0;
out:
	if (r < 0) {
		unlinkat(dir, NEW_NAME, 0);
		miss_all(ix);
	}
	free(path);
	return r;
}

/* Add what is missing to the database, which is ours to write. */
static int add_to_database(struct index *ix, struct err *e)
{
	int r = add_all(ix, ix->db, &ix->news.added, e);

	if (r == 0) {
		ix->total += fts_change(ix->db);
		leave_stamp(ix);
		return 0;
	}
	fts_close(ix->db);
	ix->db = NULL;
	return -1;
}

/* True if the database has not too much that is dead for good, and lacks nothing
 * below what it has. */
static bool is_worth_adding(const struct index *ix)
{
	const size_t first = first_missing(ix);
	const size_t known = view_count_gone(ix->cache);

	return ix->news.dead <= known + DEAD_MIN + ix->documents.n / 4 &&
	       (first == ix->documents.n ||
		ix->documents.numbers[first] > last_of(ix->db));
}

/* Bring the database up to the view; the lock is ours. */
static void write_database(struct index *ix, bool rebuild)
{
	const size_t missing = compare(ix);
	struct err e = {0};
	int r = 0;

	if (!view_kept(ix->cache)) {
		set_without(ix, "the cache folder cannot be written");
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

/* Index in memory what no database has. */
static int add_in_memory(struct index *ix, struct err *e)
{
	compare(ix);
	if (fts_open(&ix->extra, FTS_MEMORY, NULL, 0, e) < 0)
		return -1;
	return add_all(ix, ix->extra, &ix->news.memory, e);
}

static bool is_whole(const struct index *ix)
{
	for (size_t i = 0; i < ix->documents.n; i++) {
		if (ix->documents.lengths[i] == DOCUMENTS_MISSING)
			return false;
	}
	return true;
}

/* Refresh and open what is there; take the lock, if it was not had, where
 * little can be done without.  1, 0: there is nothing to index, -1. */
static int look(struct index *ix, bool *locked, struct err *e)
{
	bool lost = false; /* what the cache knew */
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
		/* It may be written just now, unless we have the lock. */
		open_database(ix, *locked, !*locked);
		if (*locked || (ix->db && compare(ix) <= FEW) ||
		    view_dir(ix->cache) < 0 ||
		    !cache_lock(ix->store->cache, WAIT_MS))
			return 1;
		*locked = true;
		fts_close(ix->db);
		ix->db = NULL;
	}
}

static void release(struct index *ix)
{
	fts_close(ix->db);
	fts_close(ix->extra);
	documents_release(&ix->documents);
	ix->db = ix->extra = NULL;
}

/* The same, until what could not be read is told, or was found. */
static int look_whole(struct index *ix, bool *locked, struct err *e)
{
	int r = 1;

	for (int tries = LOOKS; r == 1 && tries; tries--) {
		release(ix);
		r = look(ix, locked, e);
		if (r != 1)
			return r;
		r = store_report_broken(ix->store, ix->cache, tries == 1, e);
	}
	return r < 0 ? -1 : 1;
}

/* index_open(), once the lock is had or not. */
static int open_locked(struct index *ix, struct store *s, unsigned flags,
		       bool locked, struct err *e)
{
	int r;

	*ix = (struct index){.store = s};
	r = look_whole(ix, &locked, e);
	if (r == 1) {
		if (flags & INDEX_REBUILD)
			*ix->news.damage = '\0';
		if (locked && (ix->documents.n || flags & INDEX_REBUILD))
			write_database(ix, flags & INDEX_REBUILD);
		else
			compare(ix);
		if (locked)
			cache_unlock(s->cache);
		locked = false;
		if (!is_whole(ix) && add_in_memory(ix, e) < 0)
			r = -1;
		else if (ix->news.memory)
			set_without(ix, view_dir(ix->cache) < 0
						? "the cache folder cannot be "
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
		release(ix);
	else
		ix->changes = cache_changes(ix->store->cache);
}

/* True if the view, which was refreshed, and the database are those that IX was
 * made of. */
static bool is_as_left(struct index *ix)
{
	return cache_changes(ix->store->cache) == ix->changes &&
	       fts_wake(ix->db, view_identity(ix->cache), NULL) == 0 &&
	       stamp_test(&ix->left, view_dir(ix->cache), NAME) == STAMP_SAME;
}

int index_renew(struct index *ix, struct store *s, struct err *e)
{
	const bool locked = cache_lock(s->cache, 0);
	int r = cache_hold(s->cache, REFRESH_DOCUMENTS | REFRESH_MAKE, e);

	if (r == 1 && ix->db && is_as_left(ix)) {
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
	release(ix);
	/* With the lock nothing changes under our hands, and one look will do. */
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
	compare(ix);
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
	miss_all(ix);
	return ix->documents.n ? add_in_memory(ix, e) : 0;
}

int index_reopen(struct index *ix, struct err *e)
{
	/* The view that is damaged stays: it tells the next one. */
	release(ix);
	return index_open(ix, ix->store, 0, e);
}

void index_close(struct index *ix)
{
	release(ix);
	if (ix->store)
		cache_drop(ix->store->cache);
	*ix = (struct index){0};
}

/* Open what there is, and change nothing.  1: ST has what is missing, and the
 * size of the database; 0: there is no cache, and nothing to close. */
static int peek(struct index *ix, struct store *s, struct index_status *st)
{
	struct stat file;

	*ix = (struct index){.store = s};
	if (cache_refresh(s->cache, REFRESH_DOCUMENTS, NULL) != 1)
		return 0;
	ix->cache = s->cache;
	documents_list(&ix->documents, ix->cache);
	open_database(ix, false, false);
	st->missing = compare(ix);
	if (fstatat(view_dir(ix->cache), NAME, &file, AT_SYMLINK_NOFOLLOW) == 0)
		st->bytes = (uint64_t)file.st_size;
	return 1;
}

void index_status(struct index_status *st, struct store *s)
{
	struct index ix;

	*st = (struct index_status){0};
	if (!peek(&ix, s, st))
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
	buf_adds(out, state_names[st->state]);
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
