/* stats.h: count memories, tags, sources and months of a store. */
#ifndef CO_OVERVIEW_STATS_H
#define CO_OVERVIEW_STATS_H

#include "article/article.h"

struct tally {
	const char *name;
	uint32_t len, n;
	uint64_t start; /* the first bytes of the name, for fast comparison */
};

struct tallies {
	struct tally *items; /* most frequent first, then by name */
	struct tally *room;  /* a second array of that size, for sorting */
	size_t n, cap;
};

struct stats {
	size_t memories, drafts, trash;
	size_t bytes; /* of the memories' contents */
	struct article_counts articles;
	struct tallies tags, sources, months;
	/* Tags and sources that were left out because only sensitive memories
	 * have them. */
	size_t tags_kept_back, sources_kept_back;
};

/* Count the current contents of S; the cache is held (see cache_hold()). Tags
 * and sources that only sensitive memories have are left out unless SENSITIVE.
 * Names are allocated in A. Call stats_release() after success. */
int stats_count(struct store *s, bool sensitive, struct arena *a,
		struct stats *out, struct err *e);
void stats_release(struct stats *s);

#endif
