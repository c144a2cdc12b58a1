/* handle.h: an open store, as all of its modules have it. */
#ifndef CO_STORE_HANDLE_H
#define CO_STORE_HANDLE_H

#include "repo/layout.h"

struct cache;
struct change;
struct ids;

struct store {
	struct repo repo;
	struct cache *cache;	     /* see cache/cache.h; NULL when REPO is
				      * not open */
	const struct report *report; /* gets what a sweep skips; may be NULL */
	bool worth_caching;	     /* many files were read for want of it */
	struct ids *ids[AREA_ANY];   /* what was read last, see store/ids.h */
	struct change *change;	     /* of those who change it; else NULL */
};

#endif
