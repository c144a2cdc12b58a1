/* spool.h: allocations that move to a temporary file when they are many.
 *
 * The first SPOOL_MEMORY bytes are in memory. More are mapped from an unlinked
 * file in $TMPDIR or /tmp, which disappears with the process. If that file
 * cannot be made or the disk is full, memory is used. An allocation never
 * moves.
 *
 * A zeroed struct spool is valid and empty.
 */
#ifndef CO_BASE_SPOOL_H
#define CO_BASE_SPOOL_H

#include "base/arena.h"

#define SPOOL_MEMORY ((size_t)4 * 1024 * 1024)

struct spool_piece;
struct spool {
	struct arena arena;	    /* allocations in memory */
	size_t held;		    /* their size */
	struct spool_piece *pieces; /* in the file, newest first */
	size_t used;		    /* bytes of the newest piece */
	size_t size;		    /* bytes of the file */
	int fd;			    /* descriptor + 1; 0: not open */
	bool failed;		    /* the file cannot be used */
};

/* Return SIZE bytes, not zeroed, aligned for any type, owned by S. Does not
 * fail: without memory the process ends. */
void *spool_alloc(struct spool *s, size_t size);

/* Free all memory of S and close its file. S is valid and empty afterwards. */
void spool_release(struct spool *s);

#endif
