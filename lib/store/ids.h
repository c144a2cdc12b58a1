/* ids.h: find the files that have an id, and choose the id of a new memory.
 *
 * The id of a file is the `id` in its frontmatter. If the frontmatter is unreadable or
 * has no such key, the id is guessed: it is the number that the file name begins with.
 * An `id` above SCHEMA_ID_MAX is invalid, and the file then has none. Only regular
 * files have ids.
 */
#ifndef CO_STORE_IDS_H
#define CO_STORE_IDS_H

#include "store/handle.h"

struct id_entry {
	int64_t id;
	const char *path;
	bool guessed;  /* from the name */
	uint32_t next; /* see ids.c */
};

struct ids {
	struct id_entry *items; /* without files that have no id; PATH is
				 * NULL after ids_take() */
	size_t n, cap;
	struct ids_table *table; /* see ids.c */
	struct arena arena;	 /* holds the paths */
};

/* Return the ids of AREA, which is not AREA_ANY. They are read once and cached in S.
 * The result is borrowed until ids_drop() or the next ids_add() or ids_take().
 * Return NULL with E filled if a directory cannot be read, or a file for another
 * reason than missing permission; a file without permission has the id of its name. */
const struct ids *ids_load(struct store *s, enum area area, struct err *e);

/* Add the file PATH with ID to the cached ids of AREA, or remove it from them. Do
 * nothing if they are not cached. ids_add() ignores the ID 0. */
void ids_add(struct store *s, enum area area, int64_t id, const char *path);
void ids_take(struct store *s, enum area area, int64_t id, const char *path);

/* Discard the cached ids of all areas, as when other processes may change the files. */
void ids_drop(struct store *s);

/* Set *ID to one more than the highest id of the whole store, the purged included. If
 * that is SCHEMA_ID_MAX, which one file of a clone can have, set it to one more than
 * the highest id that has a free one after it. All ids from *ID to before *END are
 * free. Return 0 or -1. */
int ids_next(struct store *s, int64_t *id, int64_t *end, struct err *e);

/* Set *ID to an unused id of six digits, or of nine if S has IDS_NINE_FROM memories
 * or more. Purged ids count as used. The id is random if OF is NULL; else it is
 * derived from the text OF, so that other machines get the same id for OF if it is
 * unused there. The id is not reserved. Return 0 or -1. */
#define IDS_NINE_FROM 1000
int ids_draw(struct store *s, const char *of, int64_t *id, struct err *e);

/* Return the next entry with ID after AFTER, or the first one if AFTER is NULL. Return
 * NULL if there are no more. The order is unspecified. The first few calls search all
 * entries; later ones take constant time. */
const struct id_entry *ids_find(const struct ids *ids, int64_t id,
				const struct id_entry *after);

/* Return 1 if a file of AREA has ID, 0 if none has, or -1. If the caller holds the lock
 * and the cache can answer for memories/, only the files that it names are read (see
 * cache/write-hints.h); after some calls, the ids are loaded. */
int ids_is_taken(struct store *s, enum area area, int64_t id, struct err *e);

/* Return the id that the file name NAME begins with, or 0 if it begins with none. */
int64_t ids_of_name(const char *name);

/* Return NAME with its leading number replaced by ID, allocated in A. Return NAME
 * itself if ids_of_name() finds no number. */
const char *ids_renumbered(struct arena *a, const char *name, int64_t id);

/* Set *ID to the id of the file NAME in the directory DIR; to 0 if it has none or is
 * gone. PATH is for messages. Return 0 or -1, as ids_load() fails. */
int ids_of_file(int dir, const char *name, const char *path, int64_t *id,
		struct err *e);

/* Set *ID as ids_of_file() does, for the file at PATH of S. Return 1, 0 if there is no
 * such file, or -1. */
int ids_at(struct store *s, const char *path, int64_t *id, struct err *e);

#endif
