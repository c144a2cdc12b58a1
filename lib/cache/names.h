/* names.h: file names found in directories.
 *
 * Use it in this order: names_add() and names_forget(), then names_find(), then
 * names_sort_unseen().
 */
#ifndef CO_CACHE_NAMES_H
#define CO_CACHE_NAMES_H

#include "base/arena.h"
#include "base/table.h"
#include "sys/file.h"

struct names_entry {
	const char *name;
	uint32_t folder; /* any number of the caller's */
	uint32_t group;	 /* directories of one group are sorted together */
	bool seen;	 /* set by the caller */
};

/* A zeroed one is valid and empty. */
struct names {
	struct names_entry *names;
	size_t n, cap;
	struct table table; /* index of names; made by names_find() */
	struct arena arena;
};

/* Add NAME of LEN bytes; it is copied. */
void names_add(struct names *l, uint32_t folder, uint32_t group,
	       const char *name, size_t len);

/* Return NAME in FOLDER, or NULL. The first call ends the adding. */
struct names_entry *names_find(struct names *l, uint32_t folder,
			       const char *name);

/* Remove all names of FOLDER. Only before the first names_find(). */
void names_forget(struct names *l, uint32_t folder);

/* Remove the names that were seen, and sort `names` by group, leading number,
 * name, folder. This ends the lookups. */
void names_sort_unseen(struct names *l);

void names_release(struct names *l);

#endif
