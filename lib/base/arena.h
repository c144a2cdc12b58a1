/* arena.h: allocations that are released together.
 *
 * An arena owns everything allocated from it, such as parsed data; its parts are
 * never freed one by one. A zeroed struct arena is valid and empty. No function
 * here fails: when memory runs out, the process ends (mem.h).
 */
#ifndef CO_BASE_ARENA_H
#define CO_BASE_ARENA_H

#include "base/mem.h"

struct arena_block;
struct arena {
	struct arena_block *blocks; /* newest first */
};

/* Return SIZE zeroed bytes, aligned for any type, owned by A. */
void *arena_alloc(struct arena *a, size_t size);

/* Return a NUL-terminated copy, owned by A: of LEN bytes at P, of the string S
 * (NULL if S is), or of formatted text. */
char *arena_copy(struct arena *a, const char *p, size_t len);
char *arena_strdup(struct arena *a, const char *s);
char *arena_printf(struct arena *a, const char *fmt, ...) PRINTF(2, 3);

/* Invalidate everything in A, but keep its newest block for reuse. A loop over
 * many files then allocates only once. */
void arena_reset(struct arena *a);

/* Free all memory of A. A is valid and empty afterwards. */
void arena_release(struct arena *a);

#endif
