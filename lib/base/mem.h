/* mem.h: memory allocation that does not fail.
 *
 * When memory runs out, the process prints an error and exits with status 4.
 * The store is safe against a crash at any point, so exiting is safe. Callers
 * need no error branch.
 */
#ifndef CO_BASE_MEM_H
#define CO_BASE_MEM_H

#include "base/base.h"

/* Report that memory ran out and end the process. Call it where a size overflows,
 * or a foreign library could not allocate. */
void mem_none(void) NORETURN;

/* Return SIZE zeroed bytes. The caller frees. */
void *mem_alloc(size_t size);

/* Resize P to N items of SIZE bytes, as realloc(); an overflow of N * SIZE ends
 * the process. The new part is not zeroed. The caller frees. */
void *mem_resize(void *p, size_t n, size_t size);

/* Return a copy of the string S. The caller frees. */
char *mem_strdup(const char *s);

/* Return the array ITEMS of N items, reallocated to a doubled *CAP if it is
 * full, so that one more item of SIZE bytes fits. Use: items = mem_grow(items,
 * n, &cap, sizeof(*items)); */
void *mem_grow(void *items, size_t n, size_t *cap, size_t size);

/* Append an item to the array ITEMS of N items, and yield a pointer to it; it is not
 * zeroed. CAP is as for mem_grow(). Use: *MEM_ADD(items, n, cap) = item; where `item`
 * does not mention `n`. */
#define MEM_ADD(items, n, cap)                                   \
	((items) = mem_grow(items, n, &(cap), sizeof(*(items))), \
	 &(items)[(n)++])

/* Sort the N items of the array ITEMS, which may be NULL if there are none. */
#define MEM_SORT(items, n, compare) \
	((n) ? qsort(items, n, sizeof(*(items)), compare) : (void)0)

#endif
