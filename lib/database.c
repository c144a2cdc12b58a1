/* database.c: written by SQLite, and mostly read without.
 *
 * To have SQLite open a file and look up a word costs half a millisecond, which
 * is more than all else that a search in a small store does.  So a database is
 * read by postings.c; where that cannot be (there is a journal, somebody is
 * writing, it is in memory alone), and for all writing, SQLite is opened.
 */
#include "database.h"

#include "mem.h"
#include "shares.h"
#include "terms.h"

#define FORMAT 2     /* of what tables.h describes */
#define LOOSE_MIN 32 /* pages, beside a quarter */

struct database {
	char *path; /* NULL: it is in memory */
	struct postings_state state;
	struct postings postings; /* closed where the tables are asked */
	struct tables *tables;	  /* NULL until they are needed */
	bool stale;		  /* what was committed was not read yet */
	struct lengths lengths;
	size_t saved; /* of them, how many the file has */

	/* What is being asked. */
	database_fn *fn;
	void *ctx;
};

static int open_as(struct database *db, enum database_mode mode, struct err *e)
{
	const struct postings_state *state = &db->state;

	if (mode == DATABASE_OPEN &&
	    postings_open(&db->postings, db->path, state, &db->lengths))
		return 0;
	if (tables_open(&db->tables, db->path, (uint64_t)state->store,
			mode == DATABASE_OPEN ? NULL : state, e) < 0)
		return -1;
	return mode == DATABASE_OPEN
		       ? tables_read(db->tables, state, &db->lengths, e)
		       : 0;
}

int database_open(struct database **out, enum database_mode mode,
		  const char *path, uint64_t store, struct err *e)
{
	struct database *db = mem_alloc(sizeof(*db));

	*out = NULL;
	db->path = mode == DATABASE_MEMORY ? NULL : mem_strdup(path);
	db->state =
		(struct postings_state){FORMAT, TERMS_VERSION, (int64_t)store};
	if (open_as(db, mode, e) < 0) {
		database_close(db);
		return -1;
	}
	db->saved = db->lengths.n;
	*out = db;
	return 0;
}

void database_close(struct database *db)
{
	if (!db)
		return;
	tables_close(db->tables);
	postings_close(&db->postings);
	lengths_release(&db->lengths);
	free(db->path);
	free(db);
}

uint64_t database_change(const struct database *db)
{
	return db->tables ? tables_change(db->tables) : 0;
}

const struct lengths *database_lengths(const struct database *db)
{
	return &db->lengths;
}

int database_begin(struct database *db, struct err *e)
{
	/* While we read, nobody can write, and that are we. */
	postings_close(&db->postings);
	db->stale = false;
	if (!db->tables && tables_open(&db->tables, db->path,
				       (uint64_t)db->state.store, NULL, e) < 0)
		return -1;
	return tables_begin(db->tables, e);
}

int database_add(struct database *db, const struct tables_doc *doc,
		 struct err *e)
{
	return tables_add(db->tables, doc, &db->lengths, e);
}

int database_commit(struct database *db, struct err *e)
{
	if (tables_commit(db->tables, &db->lengths, db->saved, e) < 0)
		return -1;
	db->saved = db->lengths.n;
	db->stale = db->path != NULL;
	return 0;
}

static void give(void *ctx, uint32_t number, uint32_t text, uint32_t column)
{
	const struct database *db = ctx;

	db->fn(db->ctx, number, text,
	       (column < SHARES ? column : SHARES) * (255 / SHARES));
}

/* True if it is read without SQLite. */
static bool is_light(struct database *db)
{
	if (db->stale)
		postings_open(&db->postings, db->path, &db->state, NULL);
	db->stale = false;
	return db->postings.open;
}

int database_postings(struct database *db, const char *term, size_t len,
		      database_fn *fn, void *ctx, struct err *e)
{
	db->fn = fn;
	db->ctx = ctx;
	if (!is_light(db))
		return tables_postings(db->tables, term, len, give, db, e);
	if (!postings_each(&db->postings, term, len, give, db))
		return err_set(e, ERR_DATA, "the index: it is damaged");
	return 0;
}

bool database_begins(struct database *db, const char *term, size_t len)
{
	return !is_light(db) || postings_begins(&db->postings, term, len);
}

int database_settle(struct database *db, struct err *e)
{
	return tables_settle(db->tables, e);
}

bool database_is_loose(const struct database *db)
{
	const struct btree *file = &db->postings.file;

	return db->postings.open && file->unused > LOOSE_MIN + file->pages / 4;
}

void database_library(struct buf *out)
{
	tables_library(out);
}
