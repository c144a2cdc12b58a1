/* arena.h: memory that is released at once.
 *
 * An arena owns everything allocated from it and releases it at once.  Parsed
 * things (frontmatter, records, JSON) live in one and are never freed singly.
 * A zeroed struct arena is valid and empty.
 */
#ifndef CO_BASE_ARENA_H
#define CO_BASE_ARENA_H

#include "base/mem.h"

struct arena_block;
struct arena {
	struct arena_block *blocks; /* newest first */
};

/* SIZE bytes, zeroed, aligned for any type; owned by A.  Cannot fail. */
void *arena_alloc(struct arena *a, size_t size);

/* Copies owned by A: LEN bytes of P with a NUL behind; a string; a printed
 * string.  Cannot fail. */
char *arena_copy(struct arena *a, const char *p, size_t len);
char *arena_strdup(struct arena *a, const char *s);
char *arena_printf(struct arena *a, const char *fmt, ...) PRINTF(2, 3);

/* Forget everything in A but keep its newest block for what comes next, so
 * that a loop over many files allocates once. */
void arena_reset(struct arena *a);

/* Release all that A owns; A is valid and empty again. */
void arena_release(struct arena *a);

#endif
