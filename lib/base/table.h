/* table.h: a hash table.
 *
 * It says where in an array the items of a key stand.  It holds indexes alone;
 * the array, with the keys in it, is the caller's.  A key is bytes and a number,
 * either of which may be nothing.  What is found only has the hash of the key:
 * the caller compares.
 *
 * It is hashed under a random key of the table's own, so that nobody can choose
 * keys that meet, and it grows by doubling: each step costs the same, however
 * many there are, but for items that are put under one and the same key.
 */
#ifndef CO_BASE_TABLE_H
#define CO_BASE_TABLE_H

#include "base/base.h"

/* A zeroed one is valid and empty. */
struct table {
	struct table_slot *slots;
	size_t size, n;
	uint64_t seed[2];
};

/* Items that may have the key.  Use:
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

/* Look for the LEN bytes of KEY and MORE.  Cannot fail. */
struct table_look table_look(const struct table *t, const void *key, size_t len,
			     uint64_t more);

/* True with the next item in *I; they come in no order, and the table must not
 * be changed between. */
bool table_next(struct table_look *k, size_t *i);

/* Put item I < UINT32_MAX - 1, which is not there yet.  Cannot fail. */
void table_put(struct table *t, const void *key, size_t len, uint64_t more,
	       size_t i);

/* Look for a key, as table_look(), to put item I under it where it is not found,
 * before anything else is put.  Cannot fail. */
struct table_look table_look_to_put(struct table *t, const void *key,
				    size_t len, uint64_t more);
void table_put_looked(struct table *t, const struct table_look *k, size_t i);

/* Drop item I, if it is there under this key.  Cannot fail. */
void table_drop(struct table *t, const void *key, size_t len, uint64_t more,
		size_t i);

/* Release what T owns: it is valid and empty again. */
void table_release(struct table *t);

#endif
