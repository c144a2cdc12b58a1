/* postings.h: which documents hold a term, read from a database of ours (see
 * database.h) without SQLite.
 *
 * FTS5 keeps what it knows in tables of its own; their format is described in
 * its source and has a number.  Where it has another, or anything else is not
 * as expected, this is false, and database.c asks SQLite.
 */
#ifndef CO_POSTINGS_H
#define CO_POSTINGS_H

#include "btree.h"
#include "lengths.h"
#include "segments.h"

/* Of what the database is. */
struct postings_state {
	int64_t format; /* of its tables */
	int64_t terms;	/* their version */
	int64_t store;
};

struct postings {
	struct btree file;
	bool open;
	uint32_t data, index; /* where FTS5's tables begin */
	struct segments segments;
	struct buf key, record; /* that was looked up last */
};

/* Open the database at PATH if it is what STATE says, and fill L, which is empty
 * (or NULL), with what it has.  It is read, from here on, as it is now.  A
 * zeroed P is closed, and so it is after false. */
bool postings_open(struct postings *p, const char *path,
		   const struct postings_state *state, struct lengths *l);
void postings_close(struct postings *p);

/* Called for each document, by number, with how often its text holds the term,
 * and with the last of the columns behind the first that holds it, 0 if none
 * does. */
typedef void postings_fn(void *ctx, uint32_t number, uint32_t text,
			 uint32_t column);

/* Call FN for each document that holds the LEN bytes of TERM.  False: the file
 * is damaged, and FN was not called for all. */
bool postings_each(struct postings *p, const char *term, size_t len,
		   postings_fn *fn, void *ctx);

/* True if a term begins with the LEN bytes of TERM and is longer; or where that
 * cannot be told. */
bool postings_begins(struct postings *p, const char *term, size_t len);

#endif
