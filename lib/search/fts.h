/* fts.h: which document holds which term, in SQLite: the one owner of it.
 *
 * A database holds no text, only terms (see rank/terms.h) and where they stand:
 * one FTS5 table without content, the number of terms of each document, and
 * whose it is.  Documents are added and never changed: what is no more is left
 * out by whoever asks, and goes when the database is made anew.
 *
 * Errors: ERR_DATA, the file is damaged, foreign, or of another version: make
 * it anew.  ERR_BUSY, another process is writing.  ERR_SYSTEM, the disk is full
 * or the file cannot be read or written.
 */
#ifndef CO_SEARCH_FTS_H
#define CO_SEARCH_FTS_H

#include "base/err.h"
#include "rank/metadata.h"
#include "search/lengths.h"

struct fts;

enum fts_mode {
	FTS_OPEN,  /* one that exists */
	FTS_MAKE,  /* a new file, in place of none; nothing else may use
			 * it until it has its name */
	FTS_MEMORY /* one that goes when it is closed; PATH is not read */
};

/* Open the database at PATH, whose store is STORE: another's is ERR_DATA.  It
 * is read, from here on, as it is now.  *OUT is yours, release with
 * fts_close(). */
int fts_open(struct fts **out, enum fts_mode mode, const char *path,
	     uint64_t store, struct err *e);

/* Cannot fail, and NULL is allowed: what is not committed is dropped. */
void fts_close(struct fts *db);

struct fts_doc {
	const char *text;
	size_t text_len;
	const char *const *tags;
	size_t ntags;
	const char *title;  /* may be NULL */
	const char *source; /* may be NULL */
};

/* Begin to add; and keep what was added. */
int fts_begin(struct fts *db, struct err *e);
int fts_commit(struct fts *db, struct err *e);

/* Let others write DB while it is not used; and read it again, as it is then. */
int fts_rest(struct fts *db, struct err *e);
int fts_wake(struct fts *db, uint64_t store, struct err *e);

/* By how much the total of the file's pages (see page-checksums.h, their seed
 * being the store) has changed since it was opened. */
uint64_t fts_change(const struct fts *db);

/* Where in a run of paired characters what is taken apart has come to. */
struct fts_run {
	char last[TERMS_BYTES_MAX]; /* the second one of the pair before, */
	size_t len;		    /* its bytes; 0: none is gone on with */
	bool paired;		    /* such a character is what stands before */
};

/* What a document is found by.  A zeroed one is valid. */
struct fts_made {
	struct buf text; /* its terms, each behind its length and a mark */
	struct metadata metadata;
	uint32_t nterms;
	struct fts_run run;
};

/* Make M of DOC; T says how, and its `index` is set.  Asks no database: threads
 * do it at once, each with a T and M of its own.  Cannot fail. */
void fts_make(struct fts_made *m, struct terms *t, const struct fts_doc *doc);
void fts_made_release(struct fts_made *m);

/* Add M, a document whose number is above all others that were added. */
int fts_add(struct fts *db, uint32_t number, const struct fts_made *m,
	    struct err *e);

/* The documents, with the terms that the text of each has, forms beside one
 * left out; borrowed until something is added. */
const struct lengths *fts_lengths(const struct fts *db);

/* Called for each document, by number, with how often its text holds what was
 * asked for, and with the share that this is of a tag, its title or its source,
 * in 255ths (see rank/metadata.h), rounded up to a 15th; 0 for what does not
 * hold it. */
typedef void fts_fn(void *ctx, uint32_t number, uint32_t text, uint32_t meta);

/* Call FN for each document that holds the term of LEN bytes. */
int fts_postings(struct fts *db, const char *term, size_t len, fts_fn *fn,
		 void *ctx, struct err *e);

/* Call FN for each term, some more than once, the characters of a pair (see
 * terms_split()) in its place; TERM is borrowed until it returns. */
typedef void fts_term_fn(void *ctx, const char *term, size_t len);
int fts_terms(struct fts *db, fts_term_fn *fn, void *ctx, struct err *e);

/* True if a term begins with the LEN bytes of TERM and is longer; or where that
 * cannot be told. */
bool fts_begins(struct fts *db, const char *term, size_t len);

/* What is committed is most of what will be there: have it in one piece, which
 * is left as it is when what is added to it piecemeal is merged. */
int fts_settle(struct fts *db, struct err *e);

/* Append the name and version of the library behind this. */
void fts_library(struct buf *out);

#endif
