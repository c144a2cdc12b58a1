/* merge-version.h: a version of a text to merge. */
#ifndef CO_MERGE_MERGE_VERSION_H
#define CO_MERGE_MERGE_VERSION_H

#include "base/base.h"

/* The bytes are borrowed. */
struct merge_text {
	const char *p;
	size_t len;
};

static inline bool merge_version_same(struct merge_text a, struct merge_text b)
{
	return a.len == b.len && (!a.len || !memcmp(a.p, b.p, a.len));
}

#endif
