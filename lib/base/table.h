/* table.h: a hash table from a key to indexes of an array.
 *
 * The caller owns the array and the keys in it; the table holds only hashes and
 * indexes. A key has bytes, which may be empty, and a number, which may be
 * 0. A lookup returns items with an equal hash: the caller compares the
 * keys.
 *
 * Each table hashes with a random seed, so nobody can choose keys that collide.
 * It grows by doubling; each operation takes constant time on average, unless
 * many items have the same key.
 */
#ifndef CO_BASE_TABLE_H
#define CO_BASE_TABLE_H

#include "base/base.h"

/* A zeroed table is valid and empty. */
struct table {
	struct table_slot *slots;
	size_t size, n;
	uint64_t seed[2];
};

/* An iterator over items that may have the key. Use:
 *
 *	struct table_look k = table_look(&t, name, strlen(name), folder);
 *	size_t i;
 *	while (table_next(&k, &i)) {
 *		if (items[i].folder == folder && !strcmp(items[i].name, name))
 *			return &items[i];
 *	}
 */
struct table_look {
	const struct table *t;
	uint32_t hash;
	size_t slot;
};

/* Start a lookup of the key of LEN bytes KEY and the number MORE. */
struct table_look table_look(const struct table *t, const void *key, size_t len,
			     uint64_t more);

/* Write the next candidate to *I, in no defined order. Returns false at the
 * end. The table must not change between table_look() and the last call. */
bool table_next(struct table_look *k, size_t *i);

/* Insert item I < UINT32_MAX - 1 under the key. It must not be in the table. */
void table_put(struct table *t, const void *key, size_t len, uint64_t more,
	       size_t i);

/* Look up a key and insert it if it is absent, hashing it only once.
 * table_look_to_put() starts the lookup as table_look() does; if the caller
 * finds no match, table_put_looked() inserts item I with the returned K, before
 * any other change of the table. */
struct table_look table_look_to_put(struct table *t, const void *key,
				    size_t len, uint64_t more);
void table_put_looked(struct table *t, const struct table_look *k, size_t i);

/* Remove item I of this key, if it is in the table. */
void table_drop(struct table *t, const void *key, size_t len, uint64_t more,
		size_t i);

/* Free the memory of T. T is valid and empty afterwards. */
void table_release(struct table *t);

#endif
