/* cites.h: the key `cites` of a memory: a list of citations.
 *
 * A malformed one is a fault that is named, and hides neither the memory nor
 * its other citations.
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

/* What R has under the key: 1 and *V, in A or borrowed; 0: nothing; -1: only
 * its file can tell. */
int cites_find(const struct record *r, struct arena *a, struct value *v);

/* The citations in V, the value of the key in the file PATH; they live in A.
 * What is malformed goes to the report (ERR_DATA). */
void cites_read(struct cites *c, const struct value *v, const char *path,
		struct arena *a, const struct report *r);

/* Add C to the list V, which has room for one more, in the place of what it has
 * of the same lines; what is new lives in A. */
void cites_put(struct value *v, const struct citation *c, struct arena *a);

/* The free keys EXTRA (NULL for none) of a memory that is to be saved in REPO
 * to *OUT, in A, with `cites` of what they cite and of the places GIVEN: those
 * get their hash now.  -1: ERR_DATA, it is malformed, as evidence_cite(). */
int cites_settle(struct repo *repo, const struct strings *given,
		 const struct value *extra, struct arena *a,
		 const struct value **out, struct err *e);

#endif
