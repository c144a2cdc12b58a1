/* ids.h: which ids stand where.
 *
 * An id is what the frontmatter says; the number that the file's name begins
 * with counts only where the frontmatter is unreadable or has none.  What is
 * above SCHEMA_ID_MAX is no id, and what is no regular file has none.
 */
#ifndef CO_STORE_IDS_H
#define CO_STORE_IDS_H

#include "store/handle.h"

struct id_entry {
	int64_t id;
	const char *path;
	bool guessed;  /* by the name */
	uint32_t next; /* see ids.c */
};

struct ids {
	struct id_entry *items; /* files without an id are left out; one that
				 * was taken away has no path */
	size_t n, cap;
	struct ids_table *table; /* see ids.c */
	struct arena arena;	 /* holds the paths */
};

/* The ids of AREA (not AREA_ANY), read once and kept in S: borrowed until the
 * next change.  NULL with E filled: a folder, or a file whose name has no
 * number either, cannot be read. */
const struct ids *ids_load(struct store *s, enum area area, struct err *e);

/* Keep what was read true: ID, unless 0, stands at PATH in AREA now, or does so
 * no more. */
void ids_add(struct store *s, enum area area, int64_t id, const char *path);
void ids_take(struct store *s, enum area area, int64_t id, const char *path);

/* Forget what was read: others may change it, or much has changed. */
void ids_drop(struct store *s);

/* Set *ID to one more than the highest id of the whole store, the purged included. If
 * that is SCHEMA_ID_MAX, which one file of a clone can have, set it to one more than
 * the highest id that has a free one after it. All ids from *ID to before *END are
 * free. Return 0 or -1. */
int ids_next(struct store *s, int64_t *id, int64_t *end, struct err *e);

/* *ID is a random one that nothing of the store has, the purged included: of
 * six digits, or of nine where there are IDS_NINE_FROM memories or more.
 * Nothing of it is kept.  OF, unless it is NULL, is what the number is made of:
 * who draws for the same elsewhere gets the same, where that is free. */
#define IDS_NINE_FROM 1000
int ids_draw(struct store *s, const char *of, int64_t *id, struct err *e);

/* The entries that bear ID, one after the other: the first behind AFTER, or of
 * all for NULL; NULL when there is none left.  In no order; O(1) each, but for the
 * first few. */
const struct id_entry *ids_find(const struct ids *ids, int64_t id,
				const struct id_entry *after);

/* Does a file of AREA bear ID: 1, 0, -1.  In memories/ only those that may are
 * looked at, where the cache is believed (see cache/write-hints.h). */
int ids_is_taken(struct store *s, enum area area, int64_t id, struct err *e);

/* The id that the name NAME begins with, 0 for none. */
int64_t ids_of_name(const char *name);

/* NAME with the number that it begins with, if any, made ID; in A. */
const char *ids_renumbered(struct arena *a, const char *name, int64_t id);

/* The id of the file NAME in DIR, called PATH; 0 for none. */
int ids_of_file(int dir, const char *name, const char *path, int64_t *id,
		struct err *e);

/* Set *ID as ids_of_file() does, for the file at PATH of S. Return 1, 0 if there is no
 * such file, or -1. */
int ids_at(struct store *s, const char *path, int64_t *id, struct err *e);

#endif
