/* version.h: one version of a text that is merged. */
#ifndef CO_MERGE_VERSION_H
#define CO_MERGE_VERSION_H

#include "base/base.h"

/* Borrowed. */
struct merge_text {
	const char *p;
	size_t len;
};

static inline bool version_same(struct merge_text a, struct merge_text b)
{
	return a.len == b.len && (!a.len || !memcmp(a.p, b.p, a.len));
}

#endif
