/* fts.c: an FTS5 table without content, read below its SQL.
 *
 * Postings. Ranking needs every document that has a term, and how often. FTS5's
 * bm25() looks up the length of each document, which takes over 1 us; reading
 * the postings by xQueryPhrase() takes 0.06 us. So the postings of FTS5 are
 * used, and the lengths lie in a few blobs that are read whole.
 *
 * Tokenizer. FTS5 never gets a text. The tokenizer is ours, and the inserted
 * value selects the terms that it emits: "t" those of the text; a letter from
 * "A" those of tags, title and source whose share of the value is that many
 * 15ths. So the column of a posting is the share. In a query, the whole string
 * is one term.
 *
 * Pairs of characters. A pair is stored as a phrase of two characters: the run
 * ABC gives the terms A, B, C, and BC is found where C follows B. This takes a
 * third of the space of one term per pair. A GAP separates runs that touch.
 * Words need only a count, so each gets the position of the term before it,
 * which takes the fewest bytes.
 *
 * Merging. FTS5 merges sixteen segments of one level into one of the next. A
 * new database is merged completely once, which lifts it above the level of
 * single documents; otherwise its first few changes would write all of it
 * again.
 *
 * Durability. The journal is a file: each program would sync and fold in a
 * write-ahead log when it ends. Nothing is synced, since the files of the store
 * are the truth and each page has a checksum (see page-checksums.h). No
 * extension can be loaded.
 */
#include "search/fts.h"

#include "base/mem.h"
#include "rank/rank.h"
#include "search/page-checksums.h"

#include <sqlite3.h>

#define FORMAT 7 /* version of the tables below */
#define BUSY_MS 2000
#define CHUNK_MAX "16384" /* bytes of lengths in a row, about */

/* Bytes of terms that FTS5 collects, in twice as much memory, before it sorts
 * and writes them. Random Chinese hardly repeats a term: half of the time then
 * goes into sorting more than fits the processor's cache. A new database is
 * merged only once, so it may have many segments; later ones are merged by
 * sixteen. */
#define NEW_HASH "1048576"
#define LATER_HASH "4194304"

struct fts {
	sqlite3 *sql;
	int watch; /* see page_checksums_watch(); -1: none */
	sqlite3_stmt *insert, *search;
	sqlite3_stmt *put, *get; /* prepared when they are first used */
	struct fts_lengths lengths;
	size_t saved; /* how many lengths the file has */

	/* The document being added. */
	const struct fts_made *made;

	/* The query being run. */
	fts_fn *fn;
	void *ctx;
	size_t left; /* documents that it may report */
	bool cut;    /* there were more */
};

/* Lengths are packed as triples of numbers, see buf_add_number(): the difference to the
 * number before, the terms, and the traits. That is usually four bytes per document. */

/* Add a document; NUMBER is above all others. */
static void add_length(struct fts_lengths *l, uint32_t number, uint32_t terms,
		       uint32_t traits)
{
	*MEM_ADD(l->items, l->n, l->cap) =
		(struct fts_length){number, terms, traits};
}

/* Append to OUT the packed lengths from index FROM on. Those packed later from
 * the next index on may be appended. */
static void pack_lengths(const struct fts_lengths *l, size_t from,
			 struct buf *out)
{
	uint32_t before = from ? l->items[from - 1].number : 0;

	for (size_t i = from; i < l->n; i++) {
		buf_add_number(out, l->items[i].number - before);
		buf_add_number(out, l->items[i].terms);
		buf_add_number(out, l->items[i].traits);
		before = l->items[i].number;
	}
}

/* Read a number at *P and advance *P. Return false if there is none of 32 bits. */
static bool read_packed(const unsigned char **p, const unsigned char *end,
			uint32_t *out)
{
	uint64_t n;
	const bool is = buf_read_number(p, end, &n) && n <= UINT32_MAX;

	*out = is ? (uint32_t)n : 0;
	return is;
}

/* Add the LEN packed bytes of P after those of L. Return false if they are
 * malformed. */
static bool unpack_lengths(struct fts_lengths *l, const void *p, size_t len)
{
	const unsigned char *at = p, *const end = at + len;
	uint32_t before = l->n ? l->items[l->n - 1].number : 0;

	while (at < end) {
		uint32_t step, terms, traits;

		if (!read_packed(&at, end, &step) ||
		    !read_packed(&at, end, &terms) ||
		    !read_packed(&at, end, &traits) || !step ||
		    step > UINT32_MAX - before)
			return false;
		before += step;
		add_length(l, before, terms, traits);
	}
	return true;
}

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
		/* What SQLite returns for a page with a wrong checksum. */
		return rc == SQLITE_IOERR_SHORT_READ ||
				       rc == SQLITE_IOERR_CORRUPTFS ||
				       rc == SQLITE_IOERR_READ
			       ? ERR_DATA
			       : ERR_SYSTEM;
	default:
		return ERR_DATA;
	}
}

static int set_sql_error(struct fts *db, int rc, struct err *e)
{
	if (rc == SQLITE_NOMEM)
		mem_none();
	return err_set(e, code_of(rc), "the index: %s",
		       db->sql ? sqlite3_errmsg(db->sql) : sqlite3_errstr(rc));
}

static int run_sql(struct fts *db, const char *sql, struct err *e)
{
	int rc = sqlite3_exec(db->sql, sql, NULL, NULL, NULL);

	return rc == SQLITE_OK ? 0 : set_sql_error(db, rc, e);
}

static int prepare(struct fts *db, const char *sql, sqlite3_stmt **out,
		   struct err *e)
{
	int rc = sqlite3_prepare_v2(db->sql, sql, -1, out, NULL);

	return rc == SQLITE_OK ? 0 : set_sql_error(db, rc, e);
}

#define GAP " "

struct piece {
	const char *p;
	size_t len;
	bool colocated; /* at the position of the piece before it */
};

#define PIECES_MAX 3

/* Split TERM, which follows RUN, into pieces at OUT: the term itself, or the
 * characters of a pair, each at its own position. Return the number of
 * pieces. */
static size_t split_term(struct fts_run *run, const char *term, size_t len,
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

/* How the tokenizer emits its terms. */
struct term_sink {
	void *fts;
	int (*give)(void *, int, const char *, int, int, int);
	struct fts_run run;
};

static int emit_share_term(void *ctx, const char *term, size_t len)
{
	struct term_sink *k = ctx;
	struct piece pieces[PIECES_MAX];
	size_t n = split_term(&k->run, term, len, pieces);
	int r = 0;

	for (size_t i = 0; i < n && !r; i++)
		r = k->give(k->fts,
			    pieces[i].colocated ? FTS5_TOKEN_COLOCATED : 0,
			    pieces[i].p, (int)pieces[i].len, 0, 0);
	return r;
}

/* Emit a term of a query. */
static int emit_query_term(const struct term_sink *k, const char *term,
			   size_t len)
{
	const size_t split = terms_split(term, len);
	int r = 0;

	if (split)
		r = k->give(k->fts, 0, term, (int)split, 0, 0);
	return r ? r
		 : k->give(k->fts, 0, term + split, (int)(len - split), 0, 0);
}

/* Flag in the length byte: at the position of the term before. TERMS_BYTES_MAX
 * is smaller. */
#define COLOCATED 0x80

static void add_piece(struct buf *out, const char *p, size_t len,
		      bool colocated)
{
	buf_addc(out, (char)(len | (colocated ? COLOCATED : 0)));
	buf_add(out, p, len);
}

static int add_term(void *ctx, const struct term *t)
{
	struct fts_made *m = ctx;
	struct piece pieces[PIECES_MAX];
	size_t n;

	m->nterms += !t->colocated;
	/* It is ASCII, and parts the runs before and after it. */
	if (t->in_url) {
		m->run.len = 0;
		add_piece(&m->urls, t->p, t->len, true);
		return 0;
	}
	/* The usual case: a word after a word. */
	if (!(*t->p & 0x80) && !m->run.paired) {
		add_piece(&m->text, t->p, t->len, true);
		return 0;
	}
	n = split_term(&m->run, t->p, t->len, pieces);
	for (size_t i = 0; i < n; i++)
		add_piece(&m->text, pieces[i].p, pieces[i].len,
			  pieces[i].colocated);
	return 0;
}

static int emit_terms(const struct term_sink *k, const struct buf *text)
{
	int r = 0;

	for (size_t i = 0; i < text->len && !r;) {
		const unsigned char mark = (unsigned char)text->p[i];
		const int len = mark & ~COLOCATED;

		r = k->give(k->fts, mark & COLOCATED ? FTS5_TOKEN_COLOCATED : 0,
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
	struct term_sink k = {.fts = fts, .give = give};

	if (flags & FTS5_TOKENIZE_QUERY)
		return emit_query_term(&k, text, (size_t)len);
	if (len != 1 || !m)
		return SQLITE_ERROR;
	if (*text == 'u')
		return emit_terms(&k, &m->urls);
	if (*text != 't')
		return terms_metadata_step(&m->metadata, (size_t)(*text - 'A'),
					   emit_share_term, &k);
	return emit_terms(&k, &m->text);
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

#define URLS (METADATA_STEPS + 1) /* the column of terms in URLs */

/* Report one document that has the term. */
static int report_posting(const Fts5ExtensionApi *api, Fts5Context *fts,
			  void *ctx)
{
	struct fts *db = ctx;
	uint32_t text = 0, share = 0;
	bool in_url = false;
	Fts5PhraseIter it;
	int column, at;

	if (!db->left--) {
		db->cut = true;
		return SQLITE_DONE;
	}
	for (api->xPhraseFirst(fts, 0, &it, &column, &at); column >= 0;
	     api->xPhraseNext(fts, &it, &column, &at)) {
		if (!column)
			text++;
		else if (column == URLS)
			in_url = true;
		else if ((uint32_t)column > share)
			share = (uint32_t)column;
	}
	db->fn(db->ctx, (uint32_t)api->xRowid(fts),
	       !text && in_url ? FTS_IN_URL : text,
	       share * (METADATA_WHOLE / METADATA_STEPS));
	return SQLITE_OK;
}

static void report_postings(const Fts5ExtensionApi *api, Fts5Context *fts,
			    sqlite3_context *sql, int n, sqlite3_value **values)
{
	int rc = api->xQueryPhrase(fts, 0, api->xUserData(fts), report_posting);

	(void)n;
	(void)values;
	if (rc != SQLITE_OK)
		sqlite3_result_error_code(sql, rc);
}

/* Register the tokenizer and report_postings() with the connection. */
static int register_functions(struct fts *db, struct err *e)
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
		rc = api->xCreateFunction(api, "see", db, report_postings,
					  NULL);
	return rc == SQLITE_OK ? 0 : set_sql_error(db, rc, e);
}

static const char tables_sql[] =
	"PRAGMA synchronous = OFF;"
	"CREATE TABLE state (format, terms, traits, store);"
	"INSERT INTO state VALUES (%d, %d, %d, %lld);"
	"CREATE TABLE lengths (first INTEGER PRIMARY KEY, packed BLOB);"
	"CREATE VIRTUAL TABLE docs USING fts5 (t, A, B, C, D, E, F, G, H, I, J,"
	" K, L, M, N, O, u, content = '', columnsize = 0, tokenize = co);"
	"CREATE VIRTUAL TABLE words USING fts5vocab (docs, instance);"
	"INSERT INTO docs (docs, rank) VALUES ('hashsize', " NEW_HASH ");"
	"INSERT INTO docs (docs, rank) VALUES ('automerge', 0);"
	"INSERT INTO docs (docs, rank) VALUES ('crisismerge', 1000);";

static int create_tables(struct fts *db, uint64_t store, struct err *e)
{
	struct buf sql = {0};
	int r;

	buf_addf(&sql, tables_sql, FORMAT, TERMS_VERSION, TRAITS_VERSION,
		 (long long)store);
	r = run_sql(db, sql.p, e);
	buf_release(&sql);
	return r;
}

/* Check that the tables have this version and belong to STORE. */
static int check_state(struct fts *db, uint64_t store, struct err *e)
{
	sqlite3_stmt *ask = NULL;
	int rc, r = -1;

	if (prepare(db, "SELECT format, terms, traits, store FROM state", &ask,
		    e) < 0)
		return -1;
	rc = sqlite3_step(ask);
	if (rc != SQLITE_ROW)
		set_sql_error(db, rc == SQLITE_DONE ? SQLITE_CORRUPT : rc, e);
	else if (sqlite3_column_int(ask, 0) != FORMAT ||
		 sqlite3_column_int(ask, 1) != TERMS_VERSION ||
		 sqlite3_column_int(ask, 2) != TRAITS_VERSION)
		err_set(e, ERR_DATA, "the index is of another version");
	else if ((uint64_t)sqlite3_column_int64(ask, 3) != store)
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

		if (!unpack_lengths(&db->lengths, p, (size_t)len)) {
			rc = SQLITE_CORRUPT;
			break;
		}
	}
	sqlite3_finalize(ask);
	db->saved = db->lengths.n;
	return rc == SQLITE_DONE ? 0 : set_sql_error(db, rc, e);
}

/* Write the lengths of the added documents, in rows of about CHUNK_MAX bytes:
 * the last row grows until it is full. */
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
	pack_lengths(&db->lengths, db->saved, &packed);
	sqlite3_bind_int64(put, 1, db->lengths.items[db->saved].number);
	sqlite3_bind_blob64(put, 2, packed.p, packed.len, SQLITE_STATIC);
	rc = sqlite3_step(put);
	sqlite3_finalize(put);
	buf_release(&packed);
	db->saved = db->lengths.n;
	return rc == SQLITE_DONE ? 0 : set_sql_error(db, rc, e);
}

/* Make SQLite, once it is initialized, read and write through
 * page-checksums.h. */
static int install_checksums(struct err *e)
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

	/* These have no effect if SQLite is running already. */
	sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	/* Usually few pages are used: do not preallocate more. */
	sqlite3_config(SQLITE_CONFIG_PAGECACHE, NULL, 0, 0);
	if (mode != FTS_OPEN && mode != FTS_LOOK)
		flags |= SQLITE_OPEN_CREATE;
	if (mode == FTS_MEMORY)
		path = ":memory:";
	else if ((db->watch = page_checksums_watch(path, store)) < 0)
		return err_set(e, ERR_SYSTEM, "cannot watch '%s'", path);
	if (install_checksums(e) < 0)
		return -1;
	rc = sqlite3_open_v2(path, &db->sql, flags, NULL);
	if (rc != SQLITE_OK)
		return set_sql_error(db, rc, e);
	if (mode == FTS_MAKE)
		sqlite3_file_control(db->sql, NULL, SQLITE_FCNTL_RESERVE_BYTES,
				     &reserved);
	sqlite3_extended_result_codes(db->sql, 1);
	sqlite3_busy_timeout(db->sql, BUSY_MS);
	/* Nobody else sees a new file, and an incomplete one is removed. */
	return mode == FTS_MAKE ? run_sql(db, "PRAGMA journal_mode = OFF", e)
				: 0;
}

int fts_open(struct fts **out, enum fts_mode mode, const char *path,
	     uint64_t store, struct err *e)
{
	struct fts *db = mem_alloc(sizeof(*db));

	*out = NULL;
	db->watch = -1;
	if (open_file(db, mode, path, store, e) < 0 ||
	    register_functions(db, e) < 0)
		goto fail;
	if ((mode == FTS_MAKE || mode == FTS_MEMORY) &&
	    create_tables(db, store, e) < 0)
		goto fail;
	if ((mode == FTS_OPEN || mode == FTS_LOOK) &&
	    (run_sql(db, "BEGIN", e) < 0 || check_state(db, store, e) < 0 ||
	     (mode == FTS_OPEN && read_lengths(db, e) < 0)))
		goto fail;
	*out = db;
	return 0;
fail:
	fts_close(db);
	return -1;
}

int fts_rest(struct fts *db, struct err *e)
{
	return sqlite3_get_autocommit(db->sql) ? 0 : run_sql(db, "COMMIT", e);
}

int fts_wake(struct fts *db, uint64_t store, struct err *e)
{
	return run_sql(db, "BEGIN", e) < 0 ? -1 : check_state(db, store, e);
}

void fts_close(struct fts *db)
{
	if (!db)
		return;
	sqlite3_finalize(db->insert);
	sqlite3_finalize(db->search);
	sqlite3_finalize(db->put);
	sqlite3_finalize(db->get);
	sqlite3_close(db->sql);
	page_checksums_leave(db->watch);
	free(db->lengths.items);
	free(db);
}

uint64_t fts_change(const struct fts *db)
{
	return page_checksums_change(db->watch);
}

const struct fts_lengths *fts_lengths(const struct fts *db)
{
	return &db->lengths;
}

int fts_begin(struct fts *db, struct err *e)
{
	/* End the read transaction, so that two processes never wait for each
	 * other. */
	if (!sqlite3_get_autocommit(db->sql) && run_sql(db, "COMMIT", e) < 0)
		return -1;
	if (run_sql(db,
		    "PRAGMA synchronous = OFF; PRAGMA secure_delete = OFF;"
		    "BEGIN IMMEDIATE",
		    e) < 0)
		return -1;
	if (db->insert)
		return 0;
	return prepare(
		db,
		"INSERT INTO docs (rowid, t, A, B, C, D, E, F, G, H, I,"
		" J, K, L, M, N, O, u) VALUES (?1, 't', 'A', 'B', 'C', 'D',"
		" 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'N',"
		" 'O', 'u')",
		&db->insert, e);
}

int fts_commit(struct fts *db, struct err *e)
{
	return write_lengths(db, e) < 0 ? -1 : run_sql(db, "COMMIT", e);
}

void fts_make(struct fts_made *m, struct terms *t, const struct fts_doc *doc)
{
	terms_metadata_take(&m->metadata, t, doc->tags, doc->ntags, doc->title,
			    doc->source);
	buf_cut(&m->text, 0);
	buf_cut(&m->urls, 0);
	m->nterms = 0;
	m->run = (struct fts_run){.len = 0};
	terms_document(t, doc->text, doc->text_len, doc->tags, doc->ntags,
		       add_term, m);
	m->traits = traits_of_text(doc->text, doc->text_len);
	if (doc->title && *doc->title)
		m->traits |= TRAIT_TITLED;
}

void fts_made_release(struct fts_made *m)
{
	buf_release(&m->text);
	buf_release(&m->urls);
	terms_metadata_release(&m->metadata);
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
		return set_sql_error(db, rc, e);
	add_length(&db->lengths, number, m->nterms, m->traits);
	/* Make the first document a segment, so that there are two to merge. */
	return db->lengths.n == 1 ? run_sql(db, "SAVEPOINT s; RELEASE s", e)
				  : 0;
}

int fts_postings(struct fts *db, const char *term, size_t len, fts_fn *fn,
		 void *ctx, struct err *e)
{
	return fts_postings_first(db, term, len, SIZE_MAX, fn, ctx, e);
}

int fts_postings_first(struct fts *db, const char *term, size_t len,
		       size_t most, fts_fn *fn, void *ctx, struct err *e)
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
	db->left = most;
	db->cut = false;
	sqlite3_bind_text64(db->search, 1, term, len, SQLITE_STATIC,
			    SQLITE_UTF8);
	sqlite3_step(db->search);
	rc = sqlite3_reset(db->search);
	sqlite3_clear_bindings(db->search);
	return rc == SQLITE_OK ? db->cut : set_sql_error(db, rc, e);
}

int fts_make_rows(struct fts *db, struct err *e)
{
	return run_sql(db, "CREATE TABLE rows (id INTEGER PRIMARY KEY, data)",
		       e);
}

int fts_put(struct fts *db, int64_t number, const void *p, size_t len,
	    struct err *e)
{
	int rc;

	if (!db->put &&
	    prepare(db, "INSERT OR REPLACE INTO rows VALUES (?1, ?2)", &db->put,
		    e) < 0)
		return -1;
	sqlite3_bind_int64(db->put, 1, number);
	sqlite3_bind_blob64(db->put, 2, p, len, SQLITE_STATIC);
	sqlite3_step(db->put);
	rc = sqlite3_reset(db->put);
	sqlite3_clear_bindings(db->put);
	return rc == SQLITE_OK ? 0 : set_sql_error(db, rc, e);
}

int fts_get(struct fts *db, int64_t number, struct buf *out, struct err *e)
{
	int rc;

	if (!db->get &&
	    prepare(db, "SELECT data FROM rows WHERE id = ?1", &db->get, e) < 0)
		return -1;
	buf_cut(out, 0);
	sqlite3_bind_int64(db->get, 1, number);
	rc = sqlite3_step(db->get);
	if (rc == SQLITE_ROW) {
		const void *p = sqlite3_column_blob(db->get, 0);

		buf_add(out, p ? p : "",
			(size_t)sqlite3_column_bytes(db->get, 0));
	}
	sqlite3_reset(db->get);
	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		return set_sql_error(db, rc, e);
	return rc == SQLITE_ROW;
}

int fts_drop(struct fts *db, int64_t from, int64_t to, struct err *e)
{
	struct buf sql = {0};
	int r;

	buf_addf(&sql, "DELETE FROM rows WHERE id BETWEEN %lld AND %lld",
		 (long long)from, (long long)to);
	r = run_sql(db, sql.p, e);
	buf_release(&sql);
	return r;
}

int fts_each(struct fts *db, int64_t from, int64_t to, fts_row_fn *fn,
	     void *ctx, struct err *e)
{
	sqlite3_stmt *ask;
	int rc, r = 0;

	if (prepare(db,
		    "SELECT id, data FROM rows WHERE id BETWEEN ?1 AND ?2"
		    " ORDER BY id",
		    &ask, e) < 0)
		return -1;
	sqlite3_bind_int64(ask, 1, from);
	sqlite3_bind_int64(ask, 2, to);
	while (!r && (rc = sqlite3_step(ask)) == SQLITE_ROW) {
		const void *p = sqlite3_column_blob(ask, 1);

		r = fn(ctx, sqlite3_column_int64(ask, 0), p ? p : "",
		       (size_t)sqlite3_column_bytes(ask, 1));
	}
	sqlite3_finalize(ask);
	return r || rc == SQLITE_DONE ? r : set_sql_error(db, rc, e);
}

/* Read a number of FTS5's format at *AT in the LEN bytes of P. */
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

/* Call FN for each term of an FTS5 leaf page. Bytes 2 and 3 have the offset of
 * its footer. The footer has the distance of each term from the one before.
 * Each term but the first begins with the length of the prefix that it shares
 * with the one before. Return false if the page is malformed. */
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
		/* The first byte is the mark of FTS5's main index. */
		if (term->len > 1 && term->p[1] != *GAP)
			fn(ctx, term->p + 1, term->len - 1);
	}
	return true;
}

/* FTS5's vocabulary table reads all postings to count them. Most leaf pages
 * have only postings of a common word, so read only the pages in which a term
 * begins: the table docs_idx has them, with the page number shifted left by one
 * bit. The id of a leaf has the segment number from bit 37 on. */
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
	return rc == SQLITE_DONE ? 0 : set_sql_error(db, rc, e);
}

bool fts_begins(struct fts *db, const char *term, size_t len)
{
	sqlite3_stmt *ask;
	bool begins;
	int rc;

	/* This is unknown for a character that is part of pairs. */
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

int fts_settle(struct fts *db, bool small, struct err *e)
{
	if (run_sql(db,
		    "INSERT INTO docs (docs) VALUES ('optimize');"
		    "INSERT INTO docs (docs, rank) VALUES ('crisismerge', 16);"
		    "INSERT INTO docs (docs, rank) VALUES "
		    "('hashsize', " LATER_HASH ");",
		    e) < 0)
		return -1;
	/* Merging has left as many pages unused. They stay if there is no space
	 * for a copy. */
	if (small)
		run_sql(db, "VACUUM", NULL);
	return 0;
}

void fts_library(struct buf *out)
{
	buf_adds(out, "SQLite " SQLITE_VERSION);
}
