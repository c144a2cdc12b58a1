/* names.h: the names that were found in folders, to be looked up.
 */
#ifndef CO_CACHE_NAMES_H
#define CO_CACHE_NAMES_H

#include "base/arena.h"
#include "base/table.h"
#include "sys/file.h"

struct names_entry {
	const char *name;
	uint32_t folder; /* whatever number the caller gave it */
	uint32_t group;	 /* the same: of folders whose names are in one order */
	bool seen;	 /* the caller's */
};

/* A zeroed one is valid and empty. */
struct names {
	struct names_entry *names;
	size_t n, cap;
	struct table table; /* of names; made when it is first asked */
	struct arena arena;
};

/* The name has LEN bytes. */
void names_add(struct names *l, uint32_t folder, uint32_t group,
	       const char *name, size_t len);

/* The NAME in FOLDER, NULL if it is not there; nothing is added from then
 * on. */
struct names_entry *names_find(struct names *l, uint32_t folder,
			       const char *name);

/* Forget the names in FOLDER.  Nothing was looked up yet. */
void names_forget(struct names *l, uint32_t folder);

/* Leave those alone that were not seen, in order: by group, by the number that
 * a name begins with, by name, by folder.  Nothing is looked up from then on. */
void names_sort_unseen(struct names *l);

void names_release(struct names *l);

#endif
