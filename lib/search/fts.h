/* fts.h: which document has which term, in SQLite. Only this module uses SQLite
 * for our own data.
 *
 * A database has no text, only terms (see rank/terms.h) and their positions:
 * one FTS5 table without content, the number of terms of each document, and the
 * store's identity. Documents are added and never changed. Deleted documents
 * stay until the database is made anew; callers ignore them. A caller whose
 * documents have no files stores them in rows next to the terms.
 *
 * Errors: ERR_DATA, the file is damaged, foreign or of another version: make it
 * anew. ERR_BUSY, another process is writing. ERR_SYSTEM, the disk is full or
 * the file cannot be read or written.
 */
#ifndef CO_SEARCH_FTS_H
#define CO_SEARCH_FTS_H

#include "base/err.h"
#include "rank/terms.h"

struct fts;

struct fts_length {
	uint32_t number; /* of the document */
	uint32_t terms;
	uint32_t traits; /* see rank/traits.h */
};

/* The number of terms of each document, and its traits, sorted by number. A zeroed
 * one is empty. */
struct fts_lengths {
	struct fts_length *items;
	size_t n, cap;
};

enum fts_mode {
	FTS_OPEN,  /* an existing database */
	FTS_LOOK,  /* an existing one, without its lengths: nothing can be
		    * added */
	FTS_MAKE,  /* a new one in an empty file, for the caller only until it
		    * is renamed */
	FTS_MEMORY /* in memory until it is closed; PATH is ignored */
};

/* Open the database at PATH of the store with the identity STORE; another
 * store's is ERR_DATA. Reads see its state at this moment. Return 0, or -1.
 * Release *OUT with fts_close(). */
int fts_open(struct fts **out, enum fts_mode mode, const char *path,
	     uint64_t store, struct err *e);

/* Close DB, which may be NULL. Uncommitted changes are lost. */
void fts_close(struct fts *db);

struct fts_doc {
	const char *text;
	size_t text_len;
	const char *const *tags;
	size_t ntags;
	const char *title;  /* may be NULL */
	const char *source; /* may be NULL */
};

/* Begin, or commit, a transaction that adds documents. Return 0 or -1. */
int fts_begin(struct fts *db, struct err *e);
int fts_commit(struct fts *db, struct err *e);

/* fts_rest() ends reading, so that other processes may write DB. fts_wake()
 * begins again, in the state of that moment. Return 0 or -1. */
int fts_rest(struct fts *db, struct err *e);
int fts_wake(struct fts *db, uint64_t store, struct err *e);

/* Return the change since fts_open() of the total of page checksums (see
 * page-checksums.h), whose seed is STORE. */
uint64_t fts_change(const struct fts *db);

/* The state of splitting a run of paired characters into terms. */
struct fts_run {
	char last[TERMS_BYTES_MAX]; /* the second character of the last pair */
	size_t len;		    /* its bytes; 0: no pair to continue */
	bool paired;		    /* the last term was such a character */
};

/* The terms of a document. A zeroed one is valid. */
struct fts_made {
	struct buf text; /* its terms, each after its length and a flag */
	struct buf urls; /* those in URLs */
	struct metadata metadata;
	uint32_t nterms;
	unsigned traits; /* see rank/traits.h */
	struct fts_run run;
};

/* Fill M from DOC with the help of T, whose `index` is set. No database is
 * used: threads may call this at once, each with its own T and M. */
void fts_make(struct fts_made *m, struct terms *t, const struct fts_doc *doc);
void fts_made_release(struct fts_made *m);

/* Add M as the document NUMBER, which is above all others. Return 0 or -1. */
int fts_add(struct fts *db, uint32_t number, const struct fts_made *m,
	    struct err *e);

/* Return the number of terms of each document's text, without additional forms
 * of a word, and its traits. Borrowed until a document is added. */
const struct fts_lengths *fts_lengths(const struct fts *db);

/* Called for each document that has the term, by number. TEXT: how often its
 * text has it, without URLs, or FTS_IN_URL if only a URL has it. META: the term's
 * share of a tag, the title or the source, in 255ths (see rank/terms.h) rounded
 * up to a 15th, or 0. */
#define FTS_IN_URL UINT32_MAX
typedef void fts_fn(void *ctx, uint32_t number, uint32_t text, uint32_t meta);

/* Call FN for each document that has the term of LEN bytes. Return 0 or -1. */
int fts_postings(struct fts *db, const char *term, size_t len, fts_fn *fn,
		 void *ctx, struct err *e);

/* Like fts_postings(), for the first MOST documents. Return 1 if there are more,
 * 0, or -1. */
int fts_postings_first(struct fts *db, const char *term, size_t len,
		       size_t most, fts_fn *fn, void *ctx, struct err *e);

/* Rows of the caller's own, by number. Make the table once, in a new database;
 * change rows between fts_begin() and fts_commit(). fts_get() replaces the
 * contents of OUT; returns 1, 0 if there is no such row, or -1. fts_drop()
 * removes the rows from FROM to TO, both included. fts_each() calls FN for these
 * rows, in order, with borrowed bytes; a result of FN other than 0 ends it and
 * is returned. */
typedef int fts_row_fn(void *ctx, int64_t number, const void *p, size_t len);
int fts_make_rows(struct fts *db, struct err *e);
int fts_put(struct fts *db, int64_t number, const void *p, size_t len,
	    struct err *e);
int fts_get(struct fts *db, int64_t number, struct buf *out, struct err *e);
int fts_drop(struct fts *db, int64_t from, int64_t to, struct err *e);
int fts_each(struct fts *db, int64_t from, int64_t to, fts_row_fn *fn,
	     void *ctx, struct err *e);

/* Call FN for each term, perhaps repeatedly, and for the characters of a pair
 * instead of the pair (see terms_split()). TERM is borrowed until FN returns.
 * Return 0 or -1. */
typedef void fts_term_fn(void *ctx, const char *term, size_t len);
int fts_terms(struct fts *db, fts_term_fn *fn, void *ctx, struct err *e);

/* Return true if a longer term begins with the LEN bytes of TERM, or if that is
 * unknown. */
bool fts_begins(struct fts *db, const char *term, size_t len);

/* Merge the whole database into one segment. Later merges of added documents
 * leave it as it is. Call this when most documents are committed. SMALL: also
 * write it anew, without the space that is no longer used. Return 0 or -1. */
int fts_settle(struct fts *db, bool small, struct err *e);

/* Append name and version of the library. */
void fts_library(struct buf *out);

#endif
