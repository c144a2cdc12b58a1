/* tables.h: a database as SQLite has it: the one owner of it.
 *
 * One FTS5 table without content, docs: the column t has the terms of a text,
 * those behind it have those of its metadata, each its share in 15ths.  Beside
 * it are lengths, how many terms each text has, and state.
 *
 * Errors as in database.h.
 */
#ifndef CO_TABLES_H
#define CO_TABLES_H

#include "err.h"
#include "lengths.h"
#include "postings.h"

struct tables;

/* Open the database at PATH, whose pages have their sums under SEED (see
 * pages.h), or with NEW, its state, a new one in place of an empty file, or with
 * PATH NULL in memory.  *OUT is yours, release with tables_close(). */
int tables_open(struct tables **out, const char *path, uint64_t seed,
		const struct postings_state *new, struct err *e);

/* Cannot fail, and NULL is allowed: what is not committed is dropped. */
void tables_close(struct tables *db);

/* Read from now on, until tables_begin(), as it is now; see that it is what
 * STATE says, and fill the empty L. */
int tables_read(struct tables *db, const struct postings_state *state,
		struct lengths *l, struct err *e);

struct tables_doc {
	uint32_t number;
	const char *text;
	size_t text_len;
	const char *const *tags;
	size_t ntags;
	const char *title;  /* may be NULL */
	const char *source; /* may be NULL */
};

/* Begin to add; add a document, and its length to L; keep what was added, with
 * the lengths in L from the index FROM on. */
int tables_begin(struct tables *db, struct err *e);
int tables_add(struct tables *db, const struct tables_doc *doc,
	       struct lengths *l, struct err *e);
int tables_commit(struct tables *db, const struct lengths *l, size_t from,
		  struct err *e);

/* By how much the total of its pages has changed since it was opened. */
uint64_t tables_change(const struct tables *db);

/* Call FN for each document that holds the term of LEN bytes. */
int tables_postings(struct tables *db, const char *term, size_t len,
		    postings_fn *fn, void *ctx, struct err *e);

/* What is in it is not to be merged with the little that is added next. */
int tables_settle(struct tables *db, struct err *e);

/* Append the name and version of the library behind this. */
void tables_library(struct buf *out);

#endif
