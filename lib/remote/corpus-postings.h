/* corpus-postings.h: the documents of a project that have a term, as one blob, and a
 * batch of changes of such blobs.
 */
#ifndef CO_REMOTE_CORPUS_POSTINGS_H
#define CO_REMOTE_CORPUS_POSTINGS_H

#include "base/buf.h"
#include "base/err.h"
#include "remote/corpus-terms.h"

/* A walk over a blob. */
struct corpus_postings {
	const unsigned char *p, *end;
	uint32_t doc;	/* number in its project */
	uint32_t times; /* see struct corpus_term */
	uint32_t share;
};

/* Start a walk over the LEN bytes of P. */
struct corpus_postings corpus_postings_walk(const char *p, size_t len);

/* Advance to the next document, by number. Return 1, 0 at the end, or -1 if the blob
 * is malformed. */
int corpus_postings_next(struct corpus_postings *w);

/* Changes of the postings of a project. A zeroed one is empty. */
struct corpus_changes {
	struct corpus_change {
		char *term; /* owned */
		size_t len;
		struct corpus_change_added {
			uint32_t doc, times, share;
		} * added;
		size_t nadded, cap_added;
		uint32_t *dropped; /* numbers */
		size_t ndropped, cap_dropped;
	} * items;
	size_t n, cap;
	struct table by_term;
};

/* Add to C that the document NUMBER with the terms T is new, or is gone. New numbers
 * come in ascending order and are above all in the blobs. */
void corpus_changes_add(struct corpus_changes *c, const struct corpus_terms *t,
			uint32_t number);
void corpus_changes_drop(struct corpus_changes *c, const struct corpus_terms *t,
			 uint32_t number);

/* Append to OUT the blob that the change X makes of the LEN bytes of P. Nothing is
 * appended if no document is left. Return 0, or -1: ERR_DATA, P is malformed. */
int corpus_changes_apply(struct corpus_change *x, const char *p, size_t len,
			 struct buf *out, struct err *e);

void corpus_changes_release(struct corpus_changes *c);

#endif
