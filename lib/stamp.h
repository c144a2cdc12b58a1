/* stamp.h: by which a file that we wrote is known again.
 *
 * Its stat, and the checksum of its bytes.  Where the stat is what it was, the
 * file is believed at a glance; where it is not, or cannot be sure (a change
 * within one tick of the clock, a crash of the system since), its bytes are
 * summed up.
 */
#ifndef CO_STAMP_H
#define CO_STAMP_H

#include "filestat.h"

struct stamp {
	struct filestat st;
	int64_t sure; /* see filestat_sure(), when the stamp was taken */
	int64_t boot; /* when the system was started, in s */
	uint64_t sum; /* of the bytes, under a seed of the caller's */
};

enum stamp_verdict {
	STAMP_SAME,    /* at a glance */
	STAMP_RENEWED, /* the bytes are the same: the stamp was renewed */
	STAMP_OTHER,   /* not what was stamped, or unreadable */
	STAMP_ABSENT   /* there is no such file */
};

/* Stamp the file NAME in the folder DIR: 0, -1 with errno set. */
int stamp_take(struct stamp *s, int dir, const char *name, uint64_t seed);

/* Compare the file NAME in DIR with S, a zeroed one being of no file.
 * *SIZE gets its size. */
enum stamp_verdict stamp_test(struct stamp *s, int dir, const char *name,
			      uint64_t seed, uint64_t *size);

#endif
