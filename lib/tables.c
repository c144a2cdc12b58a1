/* tables.c: FTS5 without content, read below its SQL.
 *
 * Ranking wants every document that holds a term, and how often.  FTS5's own
 * bm25() costs a microsecond and more a hit, since it looks up the length of
 * each; walking the same postings by xQueryPhrase() costs 0.06 of one.  That is
 * why there are no postings of our own beside FTS5's.  Lengths lie in a few
 * blobs, which are read whole.
 *
 * FTS5 never sees a text.  Its tokenizer is ours, and the values inserted say
 * which of a document's terms it shall give: "t" those of the text, a letter
 * from "A" those of tags, title and source whose share of the value is that
 * many 15ths.  So the column of a posting tells the share.  In a query the
 * tokenizer takes what it is given as one term.
 *
 * The journal is a file (a log would be synced and folded in by each program,
 * as it ends) and nothing is synced: the files of the store are the truth, and
 * each page has a sum (see pages.h).  No extension can be loaded.
 */
#include "tables.h"

#include "mem.h"
#include "pages.h"
#include "shares.h"
#include "terms.h"

#include <sqlite3.h>

#define BUSY_MS 2000
#define CHUNK_MAX "16384" /* bytes of lengths: a row takes no more then */

struct tables {
	sqlite3 *sql;
	int watch; /* over the pages of the file */
	sqlite3_stmt *insert, *search;
	struct terms terms;

	/* What is being added. */
	const struct tables_doc *doc;
	struct shares shares;
	uint32_t nterms;

	/* What is being asked. */
	postings_fn *fn;
	void *ctx;
};

static enum err_code code_of(int rc)
{
	switch (rc & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return ERR_BUSY;
	case SQLITE_FULL:
	case SQLITE_CANTOPEN:
	case SQLITE_READONLY:
	case SQLITE_PERM:
	case SQLITE_AUTH:
	case SQLITE_NOLFS:
	case SQLITE_INTERRUPT:
		return ERR_SYSTEM;
	case SQLITE_IOERR:
		/* What SQLite makes of a page whose sum is wrong. */
		return rc == SQLITE_IOERR_SHORT_READ ||
				       rc == SQLITE_IOERR_CORRUPTFS ||
				       rc == SQLITE_IOERR_READ
			       ? ERR_DATA
			       : ERR_SYSTEM;
	default:
		return ERR_DATA;
	}
}

static int fail(struct tables *db, int rc, struct err *e)
{
	if (rc == SQLITE_NOMEM)
		mem_none();
	return err_set(e, code_of(rc), "the index: %s",
		       db->sql ? sqlite3_errmsg(db->sql) : sqlite3_errstr(rc));
}

static int run(struct tables *db, const char *sql, struct err *e)
{
	int rc = sqlite3_exec(db->sql, sql, NULL, NULL, NULL);

	return rc == SQLITE_OK ? 0 : fail(db, rc, e);
}

static int prepare(struct tables *db, const char *sql, sqlite3_stmt **out,
		   struct err *e)
{
	int rc = sqlite3_prepare_v2(db->sql, sql, -1, out, NULL);

	return rc == SQLITE_OK ? 0 : fail(db, rc, e);
}

/* What a term is handed on with. */
struct token {
	struct tables *db;
	void *fts;
	int (*give)(void *, int, const char *, int, int, int);
};

static int give_term(void *ctx, const struct term *t)
{
	const struct token *k = ctx;

	k->db->nterms += !t->beside;
	return k->give(k->fts, t->beside ? FTS5_TOKEN_COLOCATED : 0, t->p,
		       (int)t->len, 0, 0);
}

static int give_share(void *ctx, const char *term, size_t len)
{
	const struct token *k = ctx;

	return k->give(k->fts, 0, term, (int)len, 0, 0);
}

static int tokenize(Fts5Tokenizer *self, void *fts, int flags, const char *text,
		    int len,
		    int (*give)(void *, int, const char *, int, int, int))
{
	struct tables *db = (struct tables *)self;
	const struct tables_doc *d = db->doc;
	struct token k = {db, fts, give};

	if (flags & FTS5_TOKENIZE_QUERY)
		return give(fts, 0, text, len, 0, 0);
	if (len != 1 || !d)
		return SQLITE_ERROR;
	if (*text != 't')
		return shares_each(&db->shares, (size_t)(*text - 'A'),
				   give_share, &k);
	return terms_document(&db->terms, d->text, d->text_len, d->tags,
			      d->ntags, give_term, &k);
}

static int make_tokenizer(void *ctx, const char **args, int n,
			  Fts5Tokenizer **out)
{
	(void)args;
	(void)n;
	*out = ctx;
	return SQLITE_OK;
}

static void drop_tokenizer(Fts5Tokenizer *self)
{
	(void)self;
}

/* One document that holds the term asked for. */
static int see_posting(const Fts5ExtensionApi *api, Fts5Context *fts, void *ctx)
{
	struct tables *db = ctx;
	uint32_t text = 0, share = 0;
	Fts5PhraseIter it;
	int column, at;

	for (api->xPhraseFirst(fts, 0, &it, &column, &at); column >= 0;
	     api->xPhraseNext(fts, &it, &column, &at)) {
		if (!column)
			text++;
		else if ((uint32_t)column > share)
			share = (uint32_t)column;
	}
	db->fn(db->ctx, (uint32_t)api->xRowid(fts), text, share);
	return SQLITE_OK;
}

static void see_postings(const Fts5ExtensionApi *api, Fts5Context *fts,
			 sqlite3_context *sql, int n, sqlite3_value **values)
{
	int rc = api->xQueryPhrase(fts, 0, api->xUserData(fts), see_posting);

	(void)n;
	(void)values;
	if (rc != SQLITE_OK)
		sqlite3_result_error_code(sql, rc);
}

/* Teach the connection our tokenizer and see_postings(). */
static int extend(struct tables *db, struct err *e)
{
	fts5_tokenizer tokenizer = {make_tokenizer, drop_tokenizer, tokenize};
	sqlite3_stmt *ask;
	fts5_api *api = NULL;
	int rc;

	if (prepare(db, "SELECT fts5(?1)", &ask, e) < 0)
		return err_set(e, ERR_SYSTEM, "this SQLite has no FTS5");
	sqlite3_bind_pointer(ask, 1, &api, "fts5_api_ptr", NULL);
	sqlite3_step(ask);
	rc = sqlite3_finalize(ask);
	if (rc != SQLITE_OK || !api)
		return err_set(e, ERR_SYSTEM, "this SQLite has no FTS5");
	rc = api->xCreateTokenizer(api, "co", db, &tokenizer, NULL);
	if (rc == SQLITE_OK)
		rc = api->xCreateFunction(api, "see", db, see_postings, NULL);
	return rc == SQLITE_OK ? 0 : fail(db, rc, e);
}

static const char tables_sql[] =
	"PRAGMA synchronous = OFF;"
	"CREATE TABLE state (format, terms, store);"
	"INSERT INTO state VALUES (%lld, %lld, %lld);"
	"CREATE TABLE lengths (first INTEGER PRIMARY KEY, packed BLOB);"
	"CREATE VIRTUAL TABLE docs USING fts5 (t, A, B, C, D, E, F, G, H, I, J,"
	" K, L, M, N, O, content = '', columnsize = 0, tokenize = co);"
	"INSERT INTO docs (docs, rank) VALUES ('hashsize', 4194304);"
	"INSERT INTO docs (docs, rank) VALUES ('automerge', 0);"
	"INSERT INTO docs (docs, rank) VALUES ('crisismerge', 8);";

static int one_number(struct tables *db, const char *sql, int64_t *out,
		      struct err *e)
{
	sqlite3_stmt *ask;
	int rc;

	if (prepare(db, sql, &ask, e) < 0)
		return -1;
	rc = sqlite3_step(ask);
	*out = rc == SQLITE_ROW ? sqlite3_column_int64(ask, 0) : 0;
	sqlite3_finalize(ask);
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : fail(db, rc, e);
}

/* See that the tables are what STATE says. */
static int check(struct tables *db, const struct postings_state *state,
		 struct err *e)
{
	sqlite3_stmt *ask;
	int rc, r = -1;

	if (prepare(db, "SELECT format, terms, store FROM state", &ask, e) < 0)
		return -1;
	rc = sqlite3_step(ask);
	if (rc != SQLITE_ROW)
		fail(db, rc == SQLITE_DONE ? SQLITE_CORRUPT : rc, e);
	else if (sqlite3_column_int64(ask, 0) != state->format ||
		 sqlite3_column_int64(ask, 1) != state->terms)
		err_set(e, ERR_DATA, "the index is of another version");
	else if (sqlite3_column_int64(ask, 2) != state->store)
		err_set(e, ERR_DATA, "the index is another store's");
	else
		r = 0;
	sqlite3_finalize(ask);
	return r;
}

int tables_read(struct tables *db, const struct postings_state *state,
		struct lengths *l, struct err *e)
{
	sqlite3_stmt *ask;
	int rc;

	if (run(db, "BEGIN", e) < 0 || check(db, state, e) < 0 ||
	    prepare(db, "SELECT packed FROM lengths ORDER BY first", &ask, e) <
		    0)
		return -1;
	while ((rc = sqlite3_step(ask)) == SQLITE_ROW) {
		const void *p = sqlite3_column_blob(ask, 0);
		const int len = sqlite3_column_bytes(ask, 0);

		if (!lengths_unpack(l, p, (size_t)len)) {
			rc = SQLITE_CORRUPT;
			break;
		}
	}
	sqlite3_finalize(ask);
	return rc == SQLITE_DONE ? 0 : fail(db, rc, e);
}

/* Write L from the index FROM on, in rows of about CHUNK_MAX bytes: the last one
 * grows until it is full. */
static int write_lengths(struct tables *db, const struct lengths *l,
			 size_t from, struct err *e)
{
	struct buf packed = {0};
	sqlite3_stmt *put = NULL;
	int64_t first;
	int rc;

	if (from == l->n)
		return 0;
	if (one_number(db,
		       "SELECT first FROM lengths WHERE length(packed) "
		       "< " CHUNK_MAX
		       " AND first = (SELECT max(first) FROM lengths)",
		       &first, e) < 0 ||
	    prepare(db,
		    first ? "UPDATE lengths SET packed ="
			    " CAST(packed || ?2 AS BLOB) WHERE first = ?1"
			  : "INSERT INTO lengths VALUES (?1, ?2)",
		    &put, e) < 0)
		return -1;
	lengths_pack(l, from, &packed);
	if (!first)
		first = l->items[from].number;
	sqlite3_bind_int64(put, 1, first);
	sqlite3_bind_blob64(put, 2, packed.p, packed.len, SQLITE_STATIC);
	rc = sqlite3_step(put);
	sqlite3_finalize(put);
	buf_release(&packed);
	return rc == SQLITE_DONE ? 0 : fail(db, rc, e);
}

/* Have SQLite read and write through pages.h. */
static void stand_between(void)
{
	sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);

	for (size_t i = 0; i < PAGES_CALLS; i++)
		vfs->xSetSystemCall(vfs, pages_calls[i].name,
				    pages_calls[i].call);
}

static int open_file(struct tables *db, const char *path, uint64_t seed,
		     bool new, struct err *e)
{
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
	int reserved = PAGES_RESERVED, rc;

	/* Nothing changes where SQLite runs already. */
	sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	/* Few pages are used, as a rule: no room is made for more at once. */
	sqlite3_config(SQLITE_CONFIG_PAGECACHE, NULL, 0, 0);
	if (new)
		flags |= SQLITE_OPEN_CREATE;
	if (path && (db->watch = pages_watch(path, seed)) < 0)
		return err_set(e, ERR_SYSTEM, "cannot watch '%s'", path);
	stand_between();
	rc = sqlite3_open_v2(path ? path : ":memory:", &db->sql, flags, NULL);
	if (rc != SQLITE_OK)
		return fail(db, rc, e);
	if (new &&path)
		sqlite3_file_control(db->sql, NULL, SQLITE_FCNTL_RESERVE_BYTES,
				     &reserved);
	sqlite3_extended_result_codes(db->sql, 1);
	sqlite3_busy_timeout(db->sql, BUSY_MS);
	/* Nobody else sees a new file: when it is cut off, it is removed. */
	return new &&path ? run(db, "PRAGMA journal_mode = OFF", e) : 0;
}

int tables_open(struct tables **out, const char *path, uint64_t seed,
		const struct postings_state *new, struct err *e)
{
	struct tables *db = mem_alloc(sizeof(*db));
	struct buf sql = {0};

	*out = NULL;
	db->watch = -1;
	if (open_file(db, path, seed, new != NULL, e) < 0 || extend(db, e) < 0)
		goto fail;
	if (new) {
		buf_addf(&sql, tables_sql, (long long)new->format,
			 (long long)new->terms, (long long)new->store);
		if (run(db, sql.p, e) < 0)
			goto fail;
	}
	buf_release(&sql);
	*out = db;
	return 0;
fail:
	buf_release(&sql);
	tables_close(db);
	return -1;
}

void tables_close(struct tables *db)
{
	if (!db)
		return;
	sqlite3_finalize(db->insert);
	sqlite3_finalize(db->search);
	sqlite3_close(db->sql);
	pages_leave(db->watch);
	shares_release(&db->shares);
	terms_release(&db->terms);
	free(db);
}

uint64_t tables_change(const struct tables *db)
{
	return pages_change(db->watch);
}

int tables_begin(struct tables *db, struct err *e)
{
	/* What is read so far is left, so that nobody waits for us while we
	 * wait for them. */
	if (!sqlite3_get_autocommit(db->sql) && run(db, "COMMIT", e) < 0)
		return -1;
	if (run(db,
		"PRAGMA synchronous = OFF; PRAGMA secure_delete = OFF;"
		"BEGIN IMMEDIATE",
		e) < 0)
		return -1;
	if (db->insert)
		return 0;
	return prepare(db,
		       "INSERT INTO docs (rowid, t, A, B, C, D, E, F, G, H, I,"
		       " J, K, L, M, N, O) VALUES (?1, 't', 'A', 'B', 'C', 'D',"
		       " 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'N',"
		       " 'O')",
		       &db->insert, e);
}

int tables_commit(struct tables *db, const struct lengths *l, size_t from,
		  struct err *e)
{
	return write_lengths(db, l, from, e) < 0 ? -1 : run(db, "COMMIT", e);
}

int tables_add(struct tables *db, const struct tables_doc *doc,
	       struct lengths *l, struct err *e)
{
	int rc;

	shares_take(&db->shares, &db->terms, doc->tags, doc->ntags, doc->title,
		    doc->source);
	db->doc = doc;
	db->nterms = 0;
	sqlite3_bind_int64(db->insert, 1, doc->number);
	sqlite3_step(db->insert);
	rc = sqlite3_reset(db->insert);
	db->doc = NULL;
	if (rc != SQLITE_OK)
		return fail(db, rc, e);
	lengths_add(l, doc->number, db->nterms);
	return 0;
}

int tables_postings(struct tables *db, const char *term, size_t len,
		    postings_fn *fn, void *ctx, struct err *e)
{
	struct buf quoted = {0};
	int rc;

	if (!db->search && prepare(db,
				   "SELECT see(docs) FROM docs"
				   " WHERE docs MATCH ?1 LIMIT 1",
				   &db->search, e) < 0)
		return -1;
	buf_addc(&quoted, '"');
	for (size_t i = 0; i < len; i++) {
		if (term[i] == '"')
			buf_addc(&quoted, '"');
		buf_addc(&quoted, term[i]);
	}
	buf_addc(&quoted, '"');
	db->fn = fn;
	db->ctx = ctx;
	sqlite3_bind_text64(db->search, 1, quoted.p, quoted.len, SQLITE_STATIC,
			    SQLITE_UTF8);
	sqlite3_step(db->search);
	rc = sqlite3_reset(db->search);
	sqlite3_clear_bindings(db->search);
	buf_release(&quoted);
	return rc == SQLITE_OK ? 0 : fail(db, rc, e);
}

int tables_settle(struct tables *db, struct err *e)
{
	struct buf settled = {0};
	sqlite3_stmt *sql = NULL;
	int rc;

	if (prepare(db, "SELECT block FROM docs_data WHERE id = 10", &sql, e) <
	    0)
		return -1;
	rc = sqlite3_step(sql);
	if (rc == SQLITE_ROW)
		segments_settle(sqlite3_column_blob(sql, 0),
				(size_t)sqlite3_column_bytes(sql, 0), &settled);
	sqlite3_finalize(sql);
	if (!settled.len)
		return rc == SQLITE_ROW ? 0 : fail(db, rc, e);
	if (prepare(db, "UPDATE docs_data SET block = ?1 WHERE id = 10", &sql,
		    e) == 0) {
		sqlite3_bind_blob64(sql, 1, settled.p, settled.len,
				    SQLITE_STATIC);
		rc = sqlite3_step(sql);
		sqlite3_finalize(sql);
		rc = rc == SQLITE_DONE ? 0 : fail(db, rc, e);
	} else {
		rc = -1;
	}
	buf_release(&settled);
	return rc;
}

void tables_library(struct buf *out)
{
	buf_adds(out, "SQLite " SQLITE_VERSION);
}
