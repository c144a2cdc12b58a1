/* contradicted.h: memories that later ones contradict.
 *
 * What is alike and differs as rank/otherwise.h says is a contradiction where both
 * are of one store: what a project has for itself overrules nothing, and is
 * overruled by nothing, of the user's.  What others wrote contradicts nothing.
 */
#ifndef CO_SEARCH_CONTRADICTED_H
#define CO_SEARCH_CONTRADICTED_H

#include "rank/terms.h"
#include "repo/record.h"

/* Memories of an answer that are compared with one another, the first. */
#define CONTRADICTED_MOST 50

/* True if LATER contradicts EARLIER, which is alike to it. */
bool contradicted_by(struct terms *t, const struct record *earlier,
		     const struct record *later);

/* Have each of the N RECORDS, whole, say which of them contradict it and are
 * later: by `created`, then by id.  What is new lives in A. */
void contradicted_note(struct record *records, size_t n, struct arena *a);

#endif
