/* mem.h: memory.
 *
 * Allocation cannot fail as far as callers can see: when memory runs out the
 * process says so and ends with status 4.  The store is crash-safe, so ending
 * is safe, and nobody writes branches that never run.
 */
#ifndef CO_BASE_MEM_H
#define CO_BASE_MEM_H

#include "base/base.h"

/* Say that there is no memory left, and end the process: for what a foreign
 * library could not get. */
void mem_none(void) NORETURN;

/* SIZE bytes, zeroed; yours, release with free().  Cannot fail. */
void *mem_alloc(size_t size);

/* P resized to hold N items of SIZE bytes, as realloc(); the new part is not
 * zeroed; yours, release with free().  Cannot fail, overflow included. */
void *mem_resize(void *p, size_t n, size_t size);

/* A copy of the string S; yours, release with free().  Cannot fail. */
char *mem_strdup(const char *s);

/* Make room for one item more in the array *ITEMS of N items whose capacity
 * is *CAP, growing by doubling.  Cannot fail.
 * Use: items = mem_grow(items, n, &cap, sizeof(*items)); */
void *mem_grow(void *items, size_t n, size_t *cap, size_t size);

/* Give back to the system what was freed, as after work of a kind that does not
 * come again.  May do nothing. */
void mem_trim(void);

#endif
