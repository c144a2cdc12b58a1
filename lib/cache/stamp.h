/* stamp.h: by which a file that we wrote is known again.
 *
 * Its stat, and a total of what it holds.  What was written but not synced may
 * be lost when the system goes down, and leave a stat that is right beside
 * bytes that are not: so a stamp tells in which run of the system it was left.
 */
#ifndef CO_CACHE_STAMP_H
#define CO_CACHE_STAMP_H

#include "cache/filestat.h"

struct stamp {
	struct filestat st; /* zeros: nothing was left */
	int64_t boot;	    /* when the system was started, in s */
	uint64_t total;	    /* of the bytes, as its owner counts it */
};

enum stamp_verdict {
	STAMP_SAME,
	STAMP_CHANGED, /* it was written since */
	STAMP_BEFORE,  /* it was left before the system was started */
	STAMP_NONE,    /* nothing was left */
	STAMP_ABSENT   /* there is no such file */
};

/* Stamp the file NAME in the folder DIR, which holds TOTAL: 0, -1 with errno
 * set. */
int stamp_take(struct stamp *s, int dir, const char *name, uint64_t total);

/* Compare the file NAME in DIR with S. */
enum stamp_verdict stamp_test(const struct stamp *s, int dir, const char *name);

#endif
