/* mem.h: memory allocation that does not fail.
 *
 * When memory runs out, the process prints an error and exits with status 4.
 * The store is safe against a crash at any point, so exiting is safe. Callers
 * need no error branch.
 */
#ifndef CO_BASE_MEM_H
#define CO_BASE_MEM_H

#include "base/base.h"

/* Report that memory ran out and end the process. Call it when a foreign
 * library could not allocate. */
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

/* Return freed memory to the system, if possible. Call it after work that is
 * not repeated. */
void mem_trim(void);

#endif
