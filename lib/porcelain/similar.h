/* similar.h: what in a store says nearly the same.
 *
 * Two texts are alike by the share of their words that both have, stemmed (see
 * rank/terms.h) and each counted once.  It is a hint for a person, no more:
 * "user prefers tabs" and "user prefers spaces" are alike, which is what one
 * wants to be told.
 */
#ifndef CO_PORCELAIN_SIMILAR_H
#define CO_PORCELAIN_SIMILAR_H

#include "store/store.h"

#define SIMILAR_LEAST 40 /* per cent that are told of */

/* Opaque: the words of a store as it was when they were read. */
struct similar;

/* Read the memories, drafts and trash of S; yours, release with
 * similar_free().  What is broken is left out, and not reported: whoever shows
 * it does.  NULL with E filled: a folder cannot be read. */
struct similar *similar_new(struct store *s, struct err *e);
void similar_free(struct similar *sim);

struct similar_hit {
	const struct record *record; /* head; borrowed */
	enum area area;
	int percent;
};

/* The up to MAX most alike to the LEN bytes of P, what stands at PATH aside,
 * best first: how many HITS got. */
size_t similar_find(struct similar *sim, const char *p, size_t len,
		    const char *path, struct similar_hit *hits, size_t max);

/* What stood at PATH is in AREA now, and, unless R is NULL, R. */
void similar_move(struct similar *sim, const char *path, const struct record *r,
		  enum area area);

#endif
