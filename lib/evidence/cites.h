/* cites.h: the key `cites` of a memory, a list of citations.
 *
 * A malformed citation is reported and skipped. The memory and its other
 * citations remain usable.
 */
#ifndef CO_EVIDENCE_CITES_H
#define CO_EVIDENCE_CITES_H

#include "base/strings.h"
#include "evidence/evidence.h"
#include "format/value.h"
#include "repo/record.h"

struct cites {
	struct citation *items;
	size_t n;
};

/* Find the key in R. Returns 1 with *V, in A or borrowed; 0 if R has none; -1
 * if the file must be read to know. */
int cites_find(const struct record *r, struct arena *a, struct value *v);

/* Read the citations of V, the value of the key in the file PATH, into C, in A.
 * Malformed ones are reported to R (ERR_DATA). */
void cites_read(struct cites *c, const struct value *v, const char *path,
		struct arena *a, const struct report *r);

/* Add C to the list V, whose array must have room for one more item, replacing
 * a citation of the same lines. The new text is in A. */
void cites_put(struct value *v, const struct citation *c, struct arena *a);

/* Prepare the free keys EXTRA (or NULL) of a memory that is about to be saved
 * in REPO. *OUT, in A, gets these keys with `cites` completed by the places
 * GIVEN, which are hashed now. Returns 0, or -1 with ERR_DATA if a citation is
 * malformed or fails as in evidence_cite(). */
int cites_settle(struct repo *repo, const struct strings *given,
		 const struct value *extra, struct arena *a,
		 const struct value **out, struct err *e);

#endif
