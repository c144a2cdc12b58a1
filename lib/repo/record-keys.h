/* record-keys.h: what the frontmatter of a file says beside the fields that its
 * schema names: `expires`, `scope`, `trust`, whatever people write.
 *
 * These are kept as text, in a record and in what is known of a file that is
 * not read again, so that records can be hidden or ranked by any of them.
 */
#ifndef CO_REPO_RECORD_KEYS_H
#define CO_REPO_RECORD_KEYS_H

#include "repo/schema.h"

#define RECORD_KEYS_MAX 1024 /* bytes */

/* Those that are kept before others, since they say who is shown a memory, and how
 * long: see marks.h. */
#define RECORD_KEYS_FIRST 11
extern const char *const record_keys_first[RECORD_KEYS_FIRST];

struct record_keys {
	const char *json; /* one object, in the order of the file, unless it is
			   * CUT; NULL: there is none */
	bool cut; /* the file has more: what did not fit, or is nothing that
		   * JSON can hold */
};

/* Those of MAP, the frontmatter of a file of the schema S; they live in A. */
struct record_keys record_keys_of(const struct value *map, enum schema s,
				  struct arena *a);

/* The value of KEY: 1 and *OUT, in A; 0: the file has none; -1: only the file
 * can tell. */
int record_keys_find(const struct record_keys *k, const char *key,
		     struct arena *a, struct value *out);

/* False if the file surely does not say KEY, a plain word, is true; for who asks
 * many.  The file tells. */
bool record_keys_maybe(const struct record_keys *k, const char *key);

#endif
