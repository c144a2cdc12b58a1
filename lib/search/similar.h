/* similar.h: what in a store says nearly the same.
 *
 * Two texts are alike by their words (see rank/alike.h).  It is a hint for a
 * person, no more: "user prefers tabs" and "user prefers spaces" are alike, which
 * is what one wants to be told; and where the new one contradicts the other (see
 * search/contradicted.h), that as well. similar_find() also finds memories that the
 * text takes back in other words (see embed/retraction.h); these need not be alike.
 */
#ifndef CO_SEARCH_SIMILAR_H
#define CO_SEARCH_SIMILAR_H

#include "store/store.h"
#include "text/color.h"

#define SIMILAR_SHOWN 3

/* Opaque: the words of a store as it was when they were read. */
struct similar;

/* Read the memories, drafts, trash and archive of S; yours, release with
 * similar_free().  What is broken is left out, and not reported: whoever shows
 * it does.  NULL with E filled: a folder cannot be read. */
struct similar *similar_new(struct store *s, struct err *e);
/* The same for the LEN bytes of P alone, with at most 500 texts of each: of more
 * memories those are read that a search for its words finds first, of more
 * drafts, and of more in the archive, those with the highest ids, and of the trash
 * what was removed last. */
struct similar *similar_to(struct store *s, const char *p, size_t len,
			   struct err *e);
/* The same of memories alone. */
struct similar *similar_to_memories(struct store *s, const char *p, size_t len,
				    struct err *e);
void similar_free(struct similar *sim);

struct similar_hit {
	const struct record *record; /* head; borrowed */
	enum area area;
	int percent;
	bool contradicted; /* a memory that the text asked about contradicts */
};

/* Set HITS to the up to MAX texts that are most alike to ASKED, best first: an equal
 * one, then those that it contradicts. Of ASKED, the content, the path ("" for none), the
 * time and the marks count; the text at its path is left out. Return how many. */
size_t similar_find(struct similar *sim, const struct record *asked,
		    struct similar_hit *hits, size_t max);

#define SIMILAR_SAME 85 /* per cent; more than this is nearly the same text */
#define SIMILAR_SAME_MAX 4096 /* bytes; longer texts are not compared */

/* For each of the N RECORDS set FIRST[I] to the number of the first, of the same store
 * and with the same marks, that says nearly the same, or to I. Two that contradict each
 * other do not. */
void similar_first(const struct record *records, size_t n, size_t *first);

/* Append a line for each of the N HITS, as review shows them, coloured by C. */
void similar_show(struct buf *out, const struct similar_hit *hits, size_t n,
		  const struct coloring *c);

#define SIMILAR_GROUP 10 /* memories of one group, at most */

/* Memories that say nearly the same, or contradict each other. */
struct similar_group {
	const struct record
		*members[SIMILAR_GROUP]; /* heads, by id; borrowed */
	size_t n;
	int percent; /* of the least alike to the first */
};

/* Call FN for each group of memories that are alike by PERCENT and more to the
 * first of them, by id, each memory in one at most.  The work grows with the
 * store, not with its square: of a word that many hold, not all are compared.
 * Nonzero from FN ends it and is returned. */
typedef int similar_group_fn(void *ctx, const struct similar_group *g);
int similar_groups(struct similar *sim, int percent, similar_group_fn *fn,
		   void *ctx);

/* What stood at PATH is in AREA now, and, unless R is NULL, R. */
void similar_move(struct similar *sim, const char *path, const struct record *r,
		  enum area area);

#endif
