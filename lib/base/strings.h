/* strings.h: a growing list of strings, which stay the caller's. */
#ifndef CO_BASE_STRINGS_H
#define CO_BASE_STRINGS_H

#include "base/base.h"

/* A zeroed one is valid; release items with free(). */
struct strings {
	const char **items;
	size_t n, cap;
};

/* Append ITEM, which stays the caller's. */
void strings_add(struct strings *list, const char *item);

#endif
