/* similar.h: find texts of a store that say nearly the same, or the opposite.
 *
 * Two texts are alike by their words (see rank/alike.h). That is only a hint
 * for a person: "user prefers tabs" and "user prefers spaces" are alike. If the
 * new one contradicts the other, that is reported too. similar_find() also finds
 * memories that the text retracts in other words (see search/retraction.h); these need
 * not be alike.
 */
#ifndef CO_SEARCH_SIMILAR_H
#define CO_SEARCH_SIMILAR_H

#include "rank/terms.h"
#include "repo/record.h"
#include "store/results.h"
#include "store/store.h"
#include "text/color.h"

#define SIMILAR_SHOWN 3

/* The words of the texts of a store, as they were when they were read. */
struct similar;

/* Read the memories, drafts, trash and archive of S. Sensitive memories and
 * broken files are left out, without a report. Return NULL with E set if a
 * directory cannot be read. The caller frees the result with similar_free(). */
struct similar *similar_new(struct store *s, struct err *e);
/* Like similar_new(), but only for comparison with the LEN bytes of P, so that
 * few texts are read of a large store. Of more than 500 memories, the 50 that a
 * search for the words of P finds first are read; of the drafts and of the
 * archive, the 500 with the highest ids; of the trash, the 500 removed last. In
 * a large store of a team, all replaced memories are read, too. */
struct similar *similar_to(struct store *s, const char *p, size_t len,
			   struct err *e);
/* Like similar_to(), but read only memories that were not replaced. */
struct similar *similar_to_memories(struct store *s, const char *p, size_t len,
				    struct err *e);
void similar_free(struct similar *sim);

struct similar_hit {
	const struct record *record; /* borrowed; long texts without content */
	enum area area;
	int percent;
	bool contradicted; /* the new text contradicts this memory */
};

/* Set HITS to at most SIMILAR_SHOWN texts that are most alike to ASKED: an equal one
 * first, then those that it contradicts, then by similarity. Of ASKED, the
 * content, the path ("" for none), the time and the marks are used. The text at
 * its path is left out. Return their number. */
size_t similar_find(struct similar *sim, const struct record *asked,
		    struct similar_hit *hits);

#define SIMILAR_SAME 85 /* per cent; from here on, texts are nearly the same */
#define SIMILAR_SAME_MAX 4096 /* bytes; longer texts are not compared */

/* Set FIRST[I] for each of the N RECORDS: to the number of the first record of
 * the same store and with the same marks that says nearly the same, or to I.
 * Records that contradict each other do not say the same. */
void similar_first(const struct record *records, size_t n, size_t *first);

/* Append a line for each of the N HITS, as review shows them, coloured by C. Cut
 * those that do not contradict to COLUMNS, unless that is 0. */
void similar_show(struct buf *out, const struct similar_hit *hits, size_t n,
		  size_t columns, const struct coloring *c);

/* Record that the text at PATH is now in AREA and, unless R is NULL, has become
 * R. */
void similar_move(struct similar *sim, const char *path, const struct record *r,
		  enum area area);

/* Two memories contradict each other if rank/alike.h says so and both are
 * of one store: a project's memories neither overrule the user's nor are
 * overruled by them. Memories from other sources contradict nothing.
 */

/* The number of memories of an answer that are compared, best first. */
#define CONTRADICTED_MOST 50

/* Return true if LATER contradicts EARLIER. The caller knows that they are
 * alike. */
bool similar_contradicted_by(struct terms *t, const struct record *earlier,
			     const struct record *later);

/* Set, in each of the N whole RECORDS, those that contradict it and are later, by
 * `created`, then by id, and those that it contradicts. The lists are in A. */
void similar_contradicted_note(struct record *records, size_t n,
			       struct arena *a);

/* similar_contradicted_keep() compares each memory word by word with this many of
 * those before it in the list that are alike, the nearest first. Without a limit, the
 * work would grow with the square of the alike memories. */
#define CONTRADICTED_ALIKE 100

/* The work of similar_contradicted_keep(). */
struct contradicted_work {
	size_t pairs;  /* compared word by word */
	size_t partly; /* memories for which CONTRADICTED_ALIKE was too few */
};

/* Remove from FOUND, which is whole, the memories that contradict no other of FOUND and
 * that no other contradicts. Two texts that are not alike are told apart by a few
 * numbers. */
struct contradicted_work similar_contradicted_keep(struct results *found);

#define SIMILAR_GROUP 10 /* memories of one group, at most */

/* A group of memories that are alike by their words. Those that share only words
 * that over 200 memories have are not compared. Whether they contradict each other is not
 * checked. */
struct similar_group {
	const struct record
		*members[SIMILAR_GROUP]; /* heads, by id; borrowed */
	size_t n;
	int percent; /* the lowest similarity to the first member */
};

/* Call FN for each group of current memories of S that are alike to its first
 * member, by id, by at least PERCENT, which is not 0. Each memory is in one
 * group at most. Sensitive memories and broken files are left out, without a
 * report. If FN returns nonzero, stop and return that. Return -1 with E set if
 * the directory cannot be read. */
typedef int similar_group_fn(void *ctx, const struct similar_group *g);
int similar_groups(struct store *s, int percent, similar_group_fn *fn,
		   void *ctx, struct err *e);

#endif
