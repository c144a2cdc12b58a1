/* spool.h: bytes that are put aside until they are needed again.
 *
 * The first SPOOL_MEMORY stay in memory.  What is more goes to a file without a
 * name in $TMPDIR, or /tmp, which nobody else sees and which ends with the
 * process; where there is none, or no room, memory has to do.  What was put
 * aside stays where it is.  A zeroed struct spool is valid and empty.
 */
#ifndef CO_BASE_SPOOL_H
#define CO_BASE_SPOOL_H

#include "base/arena.h"

#define SPOOL_MEMORY ((size_t)4 * 1024 * 1024)

struct spool_piece;
struct spool {
	struct arena arena;	    /* what is in memory */
	size_t held;		    /* bytes of it */
	struct spool_piece *pieces; /* of the file, newest first */
	size_t used;		    /* of the newest */
	size_t size;		    /* of the file */
	int fd;			    /* and 1 */
	bool failed;		    /* there can be none */
};

/* SIZE bytes, not zeroed, aligned for any type; owned by S.  Cannot fail. */
void *spool_alloc(struct spool *s, size_t size);

/* Release all that S owns; S is valid and empty again. */
void spool_release(struct spool *s);

#endif
