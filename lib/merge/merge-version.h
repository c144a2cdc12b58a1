/* merge-version.h: a version of a text to merge, and which one settles a
 * conflict. */
#ifndef CO_MERGE_MERGE_VERSION_H
#define CO_MERGE_MERGE_VERSION_H

#include "base/base.h"

/* The bytes are borrowed. */
struct merge_text {
	const char *p;
	size_t len;
};

/* The side whose value is used in a conflict; MERGE_MARK: none, the conflict is
 * marked. */
enum merge_favour { MERGE_MARK, MERGE_OURS, MERGE_THEIRS };

static inline bool merge_version_same(struct merge_text a, struct merge_text b)
{
	return a.len == b.len && (!a.len || !memcmp(a.p, b.p, a.len));
}

/* Return the side that has all changes: the other side made none, or both are
 * equal. Returns NULL if both changed it. */
static inline const struct merge_text *
merge_version_whole(const struct merge_text *base,
		    const struct merge_text *ours,
		    const struct merge_text *theirs)
{
	if (merge_version_same(*ours, *theirs) ||
	    merge_version_same(*base, *theirs))
		return ours;
	return merge_version_same(*base, *ours) ? theirs : NULL;
}

#endif
