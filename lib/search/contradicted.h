/* contradicted.h: find memories that later ones contradict.
 *
 * Two memories contradict each other if rank/contradiction.h says so and both are
 * of one store: a project's memories neither overrule the user's nor are
 * overruled by them. Memories from other sources contradict nothing.
 */
#ifndef CO_SEARCH_CONTRADICTED_H
#define CO_SEARCH_CONTRADICTED_H

#include "rank/terms.h"
#include "repo/record.h"
#include "store/results.h"

/* how many memories of an answer are compared, best first */
#define CONTRADICTED_MOST 50

/* Return true if LATER contradicts EARLIER. The caller knows that they are
 * alike. */
bool contradicted_by(struct terms *t, const struct record *earlier,
		     const struct record *later);

/* Set, in each of the N whole RECORDS, those that contradict it and are later, by
 * `created`, then by id, and those that it contradicts. The lists are in A. */
void contradicted_note(struct record *records, size_t n, struct arena *a);

/* contradicted_keep() compares each memory word by word with this many of those before
 * it in the list that are alike, the nearest first. Without a limit, the work would
 * grow with the square of the alike memories. */
#define CONTRADICTED_ALIKE 100

/* The work of contradicted_keep(). */
struct contradicted_work {
	size_t pairs;  /* compared word by word */
	size_t partly; /* memories for which CONTRADICTED_ALIKE was too few */
};

/* Remove from FOUND, which is whole, the memories that contradict no other of FOUND and
 * that no other contradicts. Two texts that are not alike are told apart by a few
 * numbers. */
struct contradicted_work contradicted_keep(struct results *found);

#endif
