/* stamp.h: detect whether a file that we wrote has changed since.
 *
 * A stamp has the file's stat, and a total of its contents. After a crash of
 * the system, a file that was not synced may have the right stat and wrong
 * bytes, so a stamp also has the boot time.
 */
#ifndef CO_CACHE_STAMP_H
#define CO_CACHE_STAMP_H

#include "cache/filestat.h"

struct stamp {
	struct filestat st; /* zeros: no stamp */
	int64_t boot;	    /* boot time of the system, in s */
	uint64_t total;	    /* of the contents, counted by the owner */
};

enum stamp_verdict {
	STAMP_SAME,
	STAMP_CHANGED, /* written since */
	STAMP_BEFORE,  /* the system was restarted since */
	STAMP_NONE,    /* S has no stamp */
	STAMP_ABSENT   /* there is no such file */
};

/* Set S to the stamp of the file NAME in the directory DIR, whose total is
 * TOTAL. Return 0, or -1 with errno set. */
int stamp_take(struct stamp *s, int dir, const char *name, uint64_t total);

/* Compare the file NAME in the directory DIR with S. */
enum stamp_verdict stamp_test(const struct stamp *s, int dir, const char *name);

#endif
