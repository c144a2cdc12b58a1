/* stats.h: count memories, tags, sources and months of a store. */
#ifndef CO_OVERVIEW_STATS_H
#define CO_OVERVIEW_STATS_H

#include "article/article.h"
#include "text/color.h"

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

/* A tag of several stores, and how many memories have it. Tags that differ only in case
 * are one tag, in its most frequent spelling. */
struct stats_tag {
	const char *name;
	const char *folded;
	size_t n;
};

/* The caller zeroes it. After stats_tags_sort(), the most frequent tag is
 * first; ties are sorted by name. */
struct stats_tags {
	struct stats_tag *items;
	size_t n, cap;
	size_t kept_back; /* tags that only sensitive memories have */
};

/* Add the tags of S; those that only sensitive memories have are left out
 * unless SENSITIVE. Names are allocated in A. */
int stats_tags_add(struct stats_tags *t, struct store *s, bool sensitive,
		   struct arena *a, struct err *e);

/* Append a line for T, as a JSON object if JSON, else with its number WIDTH columns
 * wide, coloured by C (NULL: no colours). */
void stats_tags_line(struct buf *out, const struct stats_tag *t, int width,
		     bool json, const struct coloring *c);

void stats_tags_sort(struct stats_tags *t);
void stats_tags_release(struct stats_tags *t);

#endif
