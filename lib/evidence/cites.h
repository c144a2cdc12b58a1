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

/* Find the key `cites` in R. Returns 1 with *V, allocated in A or borrowed from
 * R; 0 if R does not have it; -1, which is not an error, if only the file of R can
 * tell. */
int cites_find(const struct record *r, struct arena *a, struct value *v);

/* Read the citations of V, the value of `cites` in the file PATH, into C,
 * allocated in A. Malformed ones, and a V that is not a list, are reported to R
 * (ERR_DATA). */
void cites_read(struct cites *c, const struct value *v, const char *path,
		struct arena *a, const struct report *r);

/* Set *LIST, allocated in A, to a copy of V, the value of `cites` in the file
 * PATH or NULL, with room for MORE items. Returns 0, or -1 with ERR_DATA if V
 * is not a list. */
int cites_copy(struct value *list, const struct value *v, size_t more,
	       const char *path, struct arena *a, struct err *e);

/* Add C to the list V, or replace the citation of the same place there. The
 * array of V must have room for one more item. The new text is allocated in
 * A. */
void cites_put(struct value *v, const struct citation *c, struct arena *a);

/* Complete the key `cites` of a memory that is about to be saved in REPO. EXTRA
 * (or NULL) has the memory's free keys; it is not changed. The entries of its
 * `cites`, then GIVEN, are citations, whose hash is kept, or places as
 * citation_place() reads them, which are hashed now. *OUT is a copy of EXTRA
 * with the result, allocated in A and with values borrowed from EXTRA; or EXTRA
 * itself if there is nothing to cite. Returns 0, or -1 with ERR_DATA if an
 * entry is malformed or fails as in evidence_cite(). */
int cites_settle(struct repo *repo, const struct strings *given,
		 const struct value *extra, struct arena *a,
		 const struct value **out, struct err *e);

#endif
