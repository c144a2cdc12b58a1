/* strings.h: a growing list of borrowed strings. */
#ifndef CO_BASE_STRINGS_H
#define CO_BASE_STRINGS_H

#include "base/base.h"

/* A zeroed list is valid and empty. Free ITEMS with free(); the list does not
 * own the strings. */
struct strings {
	const char **items;
	size_t n, cap;
};

/* Return true if A and B are equal, or both NULL. */
bool strings_equal(const char *a, const char *b);

/* Append ITEM, which must live as long as the list. */
void strings_add(struct strings *list, const char *item);

/* Return true if LIST has an item equal to S. */
bool strings_has(const struct strings *list, const char *s);

/* Return true if the LEN bytes of WORD are one of WORDS, which have single blanks
 * between them. */
bool strings_word_is_in(const char *words, const char *word, size_t len);

/* Compare two strings for qsort() of an array of pointers to strings. */
int strings_compare(const void *a, const void *b);

#define STRINGS_NEAR_MOST \
	3 /* largest number of changes between two near names */

/* Return how many letters must be inserted, deleted, replaced or swapped with their
 * neighbour to make NAME of KNOWN: 0 to STRINGS_NEAR_MOST, and 0 where KNOWN begins
 * with NAME; SIZE_MAX if they are not near. The shorter NAME, the fewer changes
 * count. */
size_t strings_near(const char *known, const char *name);

#endif
