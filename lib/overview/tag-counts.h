/* tag-counts.h: the tags of several stores, and how many memories have each.
 *
 * Tags that differ only in case are one tag, in its most frequent spelling.
 */
#ifndef CO_OVERVIEW_TAG_COUNTS_H
#define CO_OVERVIEW_TAG_COUNTS_H

#include "store/store.h"
#include "text/color.h"

struct tag_count {
	const char *name;
	const char *folded;
	size_t n;
};

/* The caller zeroes it. After tag_counts_sort(), the most frequent tag is
 * first; ties are sorted by name. */
struct tag_counts {
	struct tag_count *items;
	size_t n, cap;
	size_t kept_back; /* tags that only sensitive memories have */
};

/* Add the tags of S; those that only sensitive memories have are left out
 * unless SENSITIVE. Names are allocated in A. */
int tag_counts_add(struct tag_counts *t, struct store *s, bool sensitive,
		   struct arena *a, struct err *e);

/* Append a line for T, as a JSON object if JSON, else with its number WIDTH columns
 * wide, coloured by C (NULL: no colours). */
void tag_counts_line(struct buf *out, const struct tag_count *t, int width,
		     bool json, const struct coloring *c);

void tag_counts_sort(struct tag_counts *t);
void tag_counts_release(struct tag_counts *t);

#endif
