/* tag-counts.h: the tags of stores, and how many memories have each.
 *
 * Tags that differ in case alone are one, spelled as most are.
 */
#ifndef CO_OVERVIEW_TAG_COUNTS_H
#define CO_OVERVIEW_TAG_COUNTS_H

#include "store/store.h"

struct tag_count {
	const char *name;
	const char *folded;
	size_t n;
};

/* Zeroed; the most frequent first, then by name, after tag_counts_sort(). */
struct tag_counts {
	struct tag_count *items;
	size_t n, cap;
	size_t kept_back; /* that only sensitive memories have */
};

/* Add those of S, with what only SENSITIVE memories have, or without; names live
 * in A. */
int tag_counts_add(struct tag_counts *t, struct store *s, bool sensitive,
		   struct arena *a, struct err *e);
void tag_counts_sort(struct tag_counts *t);
void tag_counts_release(struct tag_counts *t);

#endif
