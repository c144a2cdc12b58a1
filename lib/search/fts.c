/* fts.c: FTS5 without content, read below its SQL.
 *
 * Ranking wants every document that holds a term, and how often.  FTS5's own
 * bm25() looks up the length of each, a microsecond and more; to walk the same
 * postings by xQueryPhrase() takes 0.06 of one.  So there are none of our own.
 * Lengths lie in a few blobs, which are read whole.
 *
 * FTS5 never sees a text.  Its tokenizer is ours, and the values inserted say
 * which of a document's terms it shall give: "t" those of the text, a letter
 * from "A" those of tags, title and source whose share of the value is that
 * many 15ths.  So the column of a posting tells the share.  In a query the
 * tokenizer takes what it is given as one term.
 *
 * A pair of characters is no term here but a phrase of two: of a run ABC, FTS5
 * is given A, B and C, and finds BC where C stands behind B.  Few terms with
 * many places take a third of what nearly as many terms as places do.  Between
 * runs that touch is a GAP.  Words need no places, only to be counted: they are
 * put where the one before stands, which takes the least bytes.
 *
 * FTS5 merges sixteen segments of one level to one of the next.  All of a new
 * database, which would be written again with the first few changes, is merged
 * at once, and so gets above the level of single documents; nothing is merged
 * before that.
 *
 * The journal is a file (a log would be synced and folded in by each program,
 * as it ends) and nothing is synced: the files of the store are the truth, and
 * each page has a sum (see page-checksums.h).  No extension can be loaded.
 */
#include "search/fts.h"

#include "base/mem.h"
#include "search/page-checksums.h"

#include <sqlite3.h>

#define FORMAT 5 /* of the tables below */
#define BUSY_MS 2000
#define CHUNK_MAX "16384" /* bytes of lengths: a row takes no more then */

/* Bytes of terms that FTS5 gathers, in twice as many of memory, before it sorts
 * and writes them.  Random Chinese has hardly a term twice, and to sort what no
 * cache holds takes half of its time.  What a new database is written in is
 * merged but once, however much it is; what is added later, at each sixteen. */
#define NEW_HASH "1048576"
#define LATER_HASH "4194304"

struct fts {
	sqlite3 *sql;
	int watch; /* over its pages */
	sqlite3_stmt *insert, *search;
	struct lengths lengths;
	size_t saved; /* of them, how many the file has */

	/* What is being added. */
	const struct fts_made *made;

	/* What is being asked. */
	fts_fn *fn;
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

static int fail(struct fts *db, int rc, struct err *e)
{
	if (rc == SQLITE_NOMEM)
		mem_none();
	return err_set(e, code_of(rc), "the index: %s",
		       db->sql ? sqlite3_errmsg(db->sql) : sqlite3_errstr(rc));
}

static int run(struct fts *db, const char *sql, struct err *e)
{
	int rc = sqlite3_exec(db->sql, sql, NULL, NULL, NULL);

	return rc == SQLITE_OK ? 0 : fail(db, rc, e);
}

static int prepare(struct fts *db, const char *sql, sqlite3_stmt **out,
		   struct err *e)
{
	int rc = sqlite3_prepare_v2(db->sql, sql, -1, out, NULL);

	return rc == SQLITE_OK ? 0 : fail(db, rc, e);
}

#define GAP " "

struct piece {
	const char *p;
	size_t len;
	bool beside; /* at the place of what is before it */
};

#define PIECES_MAX 3

/* Put into OUT what stands for TERM, which comes next to RUN: the term, or the
 * characters of a pair, each at a place of its own.  How many they are. */
static size_t take_apart(struct fts_run *run, const char *term, size_t len,
			 struct piece *out)
{
	const size_t split = *term & 0x80 ? terms_split(term, len) : 0;
	const size_t head = split ? split : len;
	size_t n = 0;

	if (!(*term & 0x80) || (!split && !terms_is_single(term, len))) {
		*out = (struct piece){term, len, !run->paired};
		run->paired = false;
		run->len = 0;
		return 1;
	}
	if (run->len != head || memcmp(run->last, term, head) != 0) {
		if (run->paired)
			out[n++] = (struct piece){GAP, strlen(GAP), false};
		out[n++] = (struct piece){term, head, false};
	}
	run->paired = true;
	run->len = 0;
	if (!split)
		return n;
	out[n++] = (struct piece){term + split, len - split, false};
	run->len = len - split;
	memcpy(run->last, term + split, run->len);
	return n;
}

/* What a term is handed on with. */
struct token {
	void *fts;
	int (*give)(void *, int, const char *, int, int, int);
	struct fts_run run;
};

static int give_share(void *ctx, const char *term, size_t len)
{
	struct token *k = ctx;
	struct piece pieces[PIECES_MAX];
	size_t n = take_apart(&k->run, term, len, pieces);
	int r = 0;

	for (size_t i = 0; i < n && !r; i++)
		r = k->give(k->fts, pieces[i].beside ? FTS5_TOKEN_COLOCATED : 0,
			    pieces[i].p, (int)pieces[i].len, 0, 0);
	return r;
}

/* Give a term that is asked for. */
static int give_asked(const struct token *k, const char *term, size_t len)
{
	const size_t split = terms_split(term, len);
	int r = 0;

	if (split)
		r = k->give(k->fts, 0, term, (int)split, 0, 0);
	return r ? r
		 : k->give(k->fts, 0, term + split, (int)(len - split), 0, 0);
}

/* At the place of the one before; TERMS_BYTES_MAX is less. */
#define BESIDE 0x80

static void keep(struct fts_made *m, const char *p, size_t len, bool beside)
{
	buf_addc(&m->text, (char)(len | (beside ? BESIDE : 0)));
	buf_add(&m->text, p, len);
}

static int keep_term(void *ctx, const struct term *t)
{
	struct fts_made *m = ctx;
	struct piece pieces[PIECES_MAX];
	size_t n;

	m->nterms += !t->beside;
	/* Most are words behind words. */
	if (!(*t->p & 0x80) && !m->run.paired) {
		keep(m, t->p, t->len, true);
		return 0;
	}
	n = take_apart(&m->run, t->p, t->len, pieces);
	for (size_t i = 0; i < n; i++)
		keep(m, pieces[i].p, pieces[i].len, pieces[i].beside);
	return 0;
}

static int give_terms(const struct token *k, const struct buf *text)
{
	int r = 0;

	for (size_t i = 0; i < text->len && !r;) {
		const unsigned char mark = (unsigned char)text->p[i];
		const int len = mark & ~BESIDE;

		r = k->give(k->fts, mark & BESIDE ? FTS5_TOKEN_COLOCATED : 0,
			    text->p + i + 1, len, 0, 0);
		i += 1 + (size_t)len;
	}
	return r;
}

static int tokenize(Fts5Tokenizer *self, void *fts, int flags, const char *text,
		    int len,
		    int (*give)(void *, int, const char *, int, int, int))
{
	const struct fts_made *m = ((struct fts *)self)->made;
	struct token k = {.fts = fts, .give = give};

	if (flags & FTS5_TOKENIZE_QUERY)
		return give_asked(&k, text, (size_t)len);
	if (len != 1 || !m)
		return SQLITE_ERROR;
	if (*text != 't')
		return metadata_step(&m->metadata, (size_t)(*text - 'A'),
				     give_share, &k);
	return give_terms(&k, &m->text);
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
	struct fts *db = ctx;
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
	db->fn(db->ctx, (uint32_t)api->xRowid(fts), text,
	       share * (METADATA_WHOLE / METADATA_STEPS));
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
static int extend(struct fts *db, struct err *e)
{
	fts5_tokenizer tokenizer = {make_tokenizer, drop_tokenizer, tokenize};
	sqlite3_stmt *ask;
	fts5_api *api = NULL;
	int rc;

	if (prepare(db, "SELECT fts5(?1)", &ask, NULL) == 0) {
		sqlite3_bind_pointer(ask, 1, &api, "fts5_api_ptr", NULL);
		sqlite3_step(ask);
		sqlite3_finalize(ask);
	}
	if (!api)
		return err_set(e, ERR_SYSTEM, "this SQLite has no FTS5");
	rc = api->xCreateTokenizer(api, "co", db, &tokenizer, NULL);
	if (rc == SQLITE_OK)
		rc = api->xCreateFunction(api, "see", db, see_postings, NULL);
	return rc == SQLITE_OK ? 0 : fail(db, rc, e);
}

static const char tables_sql[] =
	"PRAGMA synchronous = OFF;"
	"CREATE TABLE state (format, terms, store);"
	"INSERT INTO state VALUES (%d, %d, %lld);"
	"CREATE TABLE lengths (first INTEGER PRIMARY KEY, packed BLOB);"
	"CREATE VIRTUAL TABLE docs USING fts5 (t, A, B, C, D, E, F, G, H, I, J,"
	" K, L, M, N, O, content = '', columnsize = 0, tokenize = co);"
	"CREATE VIRTUAL TABLE words USING fts5vocab (docs, instance);"
	"INSERT INTO docs (docs, rank) VALUES ('hashsize', " NEW_HASH ");"
	"INSERT INTO docs (docs, rank) VALUES ('automerge', 0);"
	"INSERT INTO docs (docs, rank) VALUES ('crisismerge', 1000);";

static int make(struct fts *db, uint64_t store, struct err *e)
{
	struct buf sql = {0};
	int r;

	buf_addf(&sql, tables_sql, FORMAT, TERMS_VERSION, (long long)store);
	r = run(db, sql.p, e);
	buf_release(&sql);
	return r;
}

/* See that the tables are ours, of this version, and of STORE. */
static int check(struct fts *db, uint64_t store, struct err *e)
{
	sqlite3_stmt *ask = NULL;
	int rc, r = -1;

	if (prepare(db, "SELECT format, terms, store FROM state", &ask, e) < 0)
		return -1;
	rc = sqlite3_step(ask);
	if (rc != SQLITE_ROW)
		fail(db, rc == SQLITE_DONE ? SQLITE_CORRUPT : rc, e);
	else if (sqlite3_column_int(ask, 0) != FORMAT ||
		 sqlite3_column_int(ask, 1) != TERMS_VERSION)
		err_set(e, ERR_DATA, "the index is of another version");
	else if ((uint64_t)sqlite3_column_int64(ask, 2) != store)
		err_set(e, ERR_DATA, "the index is another store's");
	else
		r = 0;
	sqlite3_finalize(ask);
	return r;
}

static int read_lengths(struct fts *db, struct err *e)
{
	sqlite3_stmt *ask;
	int rc;

	if (prepare(db, "SELECT packed FROM lengths ORDER BY first", &ask, e) <
	    0)
		return -1;
	while ((rc = sqlite3_step(ask)) == SQLITE_ROW) {
		const void *p = sqlite3_column_blob(ask, 0);
		const int len = sqlite3_column_bytes(ask, 0);

		if (!lengths_unpack(&db->lengths, p, (size_t)len)) {
			rc = SQLITE_CORRUPT;
			break;
		}
	}
	sqlite3_finalize(ask);
	db->saved = db->lengths.n;
	return rc == SQLITE_DONE ? 0 : fail(db, rc, e);
}

/* Write the lengths of what was added, in rows of about CHUNK_MAX bytes: the
 * last one grows until it is full. */
static int write_lengths(struct fts *db, struct err *e)
{
	struct buf packed = {0};
	sqlite3_stmt *put = NULL;
	int rc;

	if (db->saved == db->lengths.n)
		return 0;
	if (prepare(db,
		    "INSERT INTO lengths VALUES (coalesce("
		    "(SELECT first FROM lengths WHERE length(packed) "
		    "< " CHUNK_MAX
		    " AND first = (SELECT max(first) FROM lengths)), ?1), ?2)"
		    " ON CONFLICT (first) DO UPDATE SET packed ="
		    " CAST(packed || excluded.packed AS BLOB)",
		    &put, e) < 0)
		return -1;
	lengths_pack(&db->lengths, db->saved, &packed);
	sqlite3_bind_int64(put, 1, db->lengths.items[db->saved].number);
	sqlite3_bind_blob64(put, 2, packed.p, packed.len, SQLITE_STATIC);
	rc = sqlite3_step(put);
	sqlite3_finalize(put);
	buf_release(&packed);
	db->saved = db->lengths.n;
	return rc == SQLITE_DONE ? 0 : fail(db, rc, e);
}

/* Have SQLite, once it could begin, read and write through page-checksums.h. */
static int stand_between(struct err *e)
{
	sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);

	if (!vfs)
		return err_set(e, ERR_SYSTEM, "SQLite cannot begin");
	for (size_t i = 0; i < PAGE_CHECKSUMS_CALLS; i++)
		vfs->xSetSystemCall(vfs, page_checksums_calls[i].name,
				    page_checksums_calls[i].call);
	return 0;
}

static int open_file(struct fts *db, enum fts_mode mode, const char *path,
		     uint64_t store, struct err *e)
{
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
	int reserved = PAGE_CHECKSUMS_RESERVED, rc;

	/* Nothing changes where SQLite runs already. */
	sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	/* Few pages are used, as a rule: no room is made for more at once. */
	sqlite3_config(SQLITE_CONFIG_PAGECACHE, NULL, 0, 0);
	if (mode != FTS_OPEN)
		flags |= SQLITE_OPEN_CREATE;
	if (mode == FTS_MEMORY)
		path = ":memory:";
	else if ((db->watch = page_checksums_watch(path, store)) < 0)
		return err_set(e, ERR_SYSTEM, "cannot watch '%s'", path);
	if (stand_between(e) < 0)
		return -1;
	rc = sqlite3_open_v2(path, &db->sql, flags, NULL);
	if (rc != SQLITE_OK)
		return fail(db, rc, e);
	if (mode == FTS_MAKE)
		sqlite3_file_control(db->sql, NULL, SQLITE_FCNTL_RESERVE_BYTES,
				     &reserved);
	sqlite3_extended_result_codes(db->sql, 1);
	sqlite3_busy_timeout(db->sql, BUSY_MS);
	/* Nobody else sees a new file: when it is cut off, it is removed. */
	return mode == FTS_MAKE ? run(db, "PRAGMA journal_mode = OFF", e) : 0;
}

int fts_open(struct fts **out, enum fts_mode mode, const char *path,
	     uint64_t store, struct err *e)
{
	struct fts *db = mem_alloc(sizeof(*db));

	*out = NULL;
	db->watch = -1;
	if (open_file(db, mode, path, store, e) < 0 || extend(db, e) < 0)
		goto fail;
	if (mode != FTS_OPEN && make(db, store, e) < 0)
		goto fail;
	if (mode == FTS_OPEN &&
	    (run(db, "BEGIN", e) < 0 || check(db, store, e) < 0 ||
	     read_lengths(db, e) < 0))
		goto fail;
	*out = db;
	return 0;
fail:
	fts_close(db);
	return -1;
}

int fts_rest(struct fts *db, struct err *e)
{
	return sqlite3_get_autocommit(db->sql) ? 0 : run(db, "COMMIT", e);
}

int fts_wake(struct fts *db, uint64_t store, struct err *e)
{
	return run(db, "BEGIN", e) < 0 ? -1 : check(db, store, e);
}

void fts_close(struct fts *db)
{
	if (!db)
		return;
	sqlite3_finalize(db->insert);
	sqlite3_finalize(db->search);
	sqlite3_close(db->sql);
	page_checksums_leave(db->watch);
	lengths_release(&db->lengths);
	free(db);
}

uint64_t fts_change(const struct fts *db)
{
	return page_checksums_change(db->watch);
}

const struct lengths *fts_lengths(const struct fts *db)
{
	return &db->lengths;
}

int fts_begin(struct fts *db, struct err *e)
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

int fts_commit(struct fts *db, struct err *e)
{
	return write_lengths(db, e) < 0 ? -1 : run(db, "COMMIT", e);
}

void fts_make(struct fts_made *m, struct terms *t, const struct fts_doc *doc)
{
	metadata_take(&m->metadata, t, doc->tags, doc->ntags, doc->title,
		      doc->source);
	buf_cut(&m->text, 0);
	m->nterms = 0;
	m->run = (struct fts_run){.len = 0};
	terms_document(t, doc->text, doc->text_len, doc->tags, doc->ntags,
		       keep_term, m);
}

void fts_made_release(struct fts_made *m)
{
	buf_release(&m->text);
	metadata_release(&m->metadata);
}

int fts_add(struct fts *db, uint32_t number, const struct fts_made *m,
	    struct err *e)
{
	int rc;

	db->made = m;
	sqlite3_bind_int64(db->insert, 1, number);
	sqlite3_step(db->insert);
	rc = sqlite3_reset(db->insert);
	db->made = NULL;
	if (rc != SQLITE_OK)
		return fail(db, rc, e);
	lengths_add(&db->lengths, number, m->nterms);
	/* The first one is a segment, so that there are two to be merged. */
	return db->lengths.n == 1 ? run(db, "SAVEPOINT s; RELEASE s", e) : 0;
}

int fts_postings(struct fts *db, const char *term, size_t len, fts_fn *fn,
		 void *ctx, struct err *e)
{
	int rc;

	if (!db->search &&
	    prepare(db,
		    "SELECT see(docs) FROM docs WHERE docs MATCH"
		    " '\"' || replace(?1, '\"', '\"\"') || '\"' LIMIT 1",
		    &db->search, e) < 0)
		return -1;
	db->fn = fn;
	db->ctx = ctx;
	sqlite3_bind_text64(db->search, 1, term, len, SQLITE_STATIC,
			    SQLITE_UTF8);
	sqlite3_step(db->search);
	rc = sqlite3_reset(db->search);
	sqlite3_clear_bindings(db->search);
	return rc == SQLITE_OK ? 0 : fail(db, rc, e);
}

/* A number at *AT of the LEN bytes of P, as FTS5 writes them. */
static bool read_number(const unsigned char *p, size_t len, size_t *at,
			size_t *out)
{
	*out = 0;
	while (*at < len && *out <= UINT32_MAX >> 7) {
		*out = *out << 7 | (p[*at] & 0x7f);
		if (!(p[(*at)++] & 0x80))
			return true;
	}
	return false;
}

/* Call FN for each term of a leaf of FTS5: the place of its footer in bytes 2
 * and 3; there, how far each term is from the one before; and each but the
 * first begins with what it shares with that.  False if it is none. */
static bool read_leaf(const unsigned char *p, size_t len, struct buf *term,
		      fts_term_fn *fn, void *ctx)
{
	size_t footer = len < 4 ? len : (size_t)p[2] << 8 | p[3];
	size_t at = 0, from, keep, more, step;
	bool first = true;

	if (len < 4 || footer > len)
		return false;
	for (size_t i = footer; i < len; first = false) {
		if (!read_number(p, len, &i, &step))
			return false;
		from = at += step;
		keep = 0;
		if ((!first && !read_number(p, footer, &from, &keep)) ||
		    !read_number(p, footer, &from, &more) ||
		    more > footer - from || keep > term->len)
			return false;
		buf_cut(term, keep);
		buf_add(term, (const char *)p + from, more);
		/* In front of each is the mark of the one index we have. */
		if (term->len > 1 && term->p[1] != *GAP)
			fn(ctx, term->p + 1, term->len - 1);
	}
	return true;
}

/* The vocabulary table of FTS5 reads all postings to count them.  Most leaves
 * hold nothing but postings of a common word: by what it finds a term, FTS5
 * lists those that begin one, of which the page is in all but the last bit; and
 * a leaf's own number has the segment in bits 37 and up. */
int fts_terms(struct fts *db, fts_term_fn *fn, void *ctx, struct err *e)
{
	struct buf term = {0};
	sqlite3_stmt *ask;
	int rc;

	if (prepare(db,
		    "SELECT block FROM docs_idx CROSS JOIN docs_data"
		    " ON id = (segid << 37) + (pgno >> 1)",
		    &ask, e) < 0)
		return -1;
	while ((rc = sqlite3_step(ask)) == SQLITE_ROW) {
		const unsigned char *p = sqlite3_column_blob(ask, 0);
		const int len = sqlite3_column_bytes(ask, 0);

		if (!read_leaf(p, (size_t)len, &term, fn, ctx)) {
			rc = SQLITE_CORRUPT;
			break;
		}
	}
	sqlite3_finalize(ask);
	buf_release(&term);
	return rc == SQLITE_DONE ? 0 : fail(db, rc, e);
}

bool fts_begins(struct fts *db, const char *term, size_t len)
{
	sqlite3_stmt *ask;
	bool begins;
	int rc;

	/* Of a character of pairs that cannot be told. */
	if (terms_is_single(term, len))
		return true;
	if (prepare(db, "SELECT instr(term, ?1) = 1 FROM words WHERE term > ?1",
		    &ask, NULL) < 0)
		return true;
	sqlite3_bind_text64(ask, 1, term, len, SQLITE_STATIC, SQLITE_UTF8);
	rc = sqlite3_step(ask);
	begins = rc == SQLITE_ROW ? sqlite3_column_int(ask, 0)
				  : rc != SQLITE_DONE;
	sqlite3_finalize(ask);
	return begins;
}

int fts_settle(struct fts *db, struct err *e)
{
	if (run(db,
		"INSERT INTO docs (docs) VALUES ('optimize');"
		"INSERT INTO docs (docs, rank) VALUES ('crisismerge', 16);"
		"INSERT INTO docs (docs, rank) VALUES ('hashsize', " LATER_HASH
		");",
		e) < 0)
		return -1;
	/* What was merged has left as many pages unused.  Where there is no
	 * room for a copy they stay. */
	run(db, "VACUUM", NULL);
	return 0;
}

void fts_library(struct buf *out)
{
	buf_adds(out, "SQLite " SQLITE_VERSION);
}
