/* stats.h: what a store holds, counted. */
#ifndef CO_PORCELAIN_STATS_H
#define CO_PORCELAIN_STATS_H

#include "store/store.h"

struct tally {
	const char *name;
	size_t n;
};

struct tallies {
	struct tally *items; /* most first, then by name */
	size_t n, cap;
};

struct stats {
	size_t memories, drafts, trash;
	size_t bytes; /* of the memories' contents */
	struct tallies tags, sources, months;
};

/* Count S.  Names live in A; release with stats_release(). */
int stats_count(struct store *s, struct arena *a, struct stats *out,
		struct err *e);
void stats_release(struct stats *s);

#endif
