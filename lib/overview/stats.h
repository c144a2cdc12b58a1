/* stats.h: what a store holds, counted. */
#ifndef CO_OVERVIEW_STATS_H
#define CO_OVERVIEW_STATS_H

#include "article/article.h"

struct tally {
	const char *name;
	uint32_t len, n;
	uint64_t start; /* the name's first bytes, to compare by */
};

struct tallies {
	struct tally *items; /* most first, then by name */
	struct tally *room;  /* as much, to sort them in */
	size_t n, cap;
};

struct stats {
	size_t memories, drafts, trash;
	size_t bytes; /* of the memories' contents */
	struct article_counts articles;
	struct tallies tags, sources, months;
	/* Of these, those that only sensitive memories have, and that are left
	 * out. */
	size_t tags_kept_back, sources_kept_back;
};

/* Count S, as it is now; see cache_hold(): with what only SENSITIVE memories have,
 * or without.  Names live in A; release with stats_release(). */
int stats_count(struct store *s, bool sensitive, struct arena *a,
		struct stats *out, struct err *e);
void stats_release(struct stats *s);

#endif
