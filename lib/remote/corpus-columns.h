/* corpus-columns.h: what ranking needs of every document of a project, in one blob.
 *
 * A question reads them all. One row per document would take a hundred times as long.
 */
#ifndef CO_REMOTE_CORPUS_COLUMNS_H
#define CO_REMOTE_CORPUS_COLUMNS_H

#include "base/buf.h"
#include "base/err.h"
#include "base/instant.h"
#include "remote/corpus-terms.h"

/* A document. See rank/corpus.h for most fields. */
struct corpus_column {
	uint32_t number; /* in its project; never given again */
	uint32_t length;
	uint8_t traits, kind; /* kind: enum record_kind */
	uint64_t family;      /* see corpus_terms_family() */
	int64_t place, id;
	struct instant at;
	int64_t end; /* the second at which it expires; 0: never */
};

/* The documents, by number, ascending. A zeroed one is empty. */
struct corpus_columns {
	struct corpus_column *items;
	size_t n, cap;
};

/* Return the column of D, whose terms are T, with NUMBER. */
struct corpus_column corpus_columns_of(const struct remote_document *d,
				       const struct corpus_terms *t,
				       uint32_t number);

/* Add X, whose number is above all others. */
void corpus_columns_add(struct corpus_columns *c, struct corpus_column x);

/* Remove the document NUMBER. Return false if there is none. */
bool corpus_columns_drop(struct corpus_columns *c, uint32_t number);

/* Replace the contents of C by the LEN bytes of the blob P, or append C as one.
 * Reading returns 0, or -1 with ERR_DATA if P is malformed. */
int corpus_columns_read(struct corpus_columns *c, const char *p, size_t len,
			struct err *e);
void corpus_columns_write(const struct corpus_columns *c, struct buf *out);

void corpus_columns_release(struct corpus_columns *c);

#endif
