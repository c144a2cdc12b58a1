/* record-keys.h: the keys in the frontmatter of a file besides those that its
 * schema names: `expires`, `scope`, `trust`, and whatever people write.
 *
 * They are kept as text, in a record and in the cache, so that records can be
 * hidden or ranked by them without reading the file again.
 */
#ifndef CO_REPO_RECORD_KEYS_H
#define CO_REPO_RECORD_KEYS_H

#include "repo/schema.h"

#define RECORD_KEYS_MAX 1024 /* bytes */

/* Marks with a meaning in code; the next key may take 128u. They are printed in the
 * order of the bits. */
#define MARK_EXPIRED 1u
#define MARK_ARCHIVED 2u
#define MARK_SENSITIVE 4u
#define MARK_EXTERNAL 8u
#define MARK_DUE 16u
#define MARK_OTHER_LANGUAGE 32u /* only where it is asked: see store_marks() */
#define MARK_REPLACED 64u

/* What a value of a key must be, and which values set the key's mark. */
enum record_key_type {
	RECORD_KEY_FLAG,    /* true or false; true */
	RECORD_KEY_CAREFUL, /* true or false; all but false */
	RECORD_KEY_UNTIL,   /* a date; from its end on */
	RECORD_KEY_FROM,    /* a date; from its begin on */
	RECORD_KEY_ID,	    /* an id, or a list of ids; any */
	RECORD_KEY_TRUST,   /* user, agent or external; all but the first two */
	RECORD_KEY_SCOPE,   /* project, language or global; none */
	RECORD_KEY_TEXT,    /* a string; none */
	RECORD_KEY_TEXTS    /* a list of strings; none */
};

/* A key that says who is shown a memory, and until when: see marks.h. Its row is
 * all that the code knows of it. Such keys are kept before others. */
struct record_key {
	const char *name;
	enum record_key_type type;
	unsigned mark;	   /* it may set this bit; 0: none */
	const char *label; /* of the mark in JSON; NULL: another key has it */
	const char *text;  /* ... for people */
	bool hides;	   /* a memory with the mark is shown on request only */
	bool past;	   /* ... by --expired */
};

extern const struct record_key record_keys_first[]; /* a NULL name ends them */

struct record_keys {
	const char *json; /* one object, in the order of the file, unless it is
			   * CUT; NULL: there is none */
	bool cut; /* the file has more: what did not fit, or is nothing that
		   * JSON can hold */
};

/* Return the keys of MAP, the frontmatter of a file of the schema S, allocated in
 * A. */
struct record_keys record_keys_of(const struct value *map, enum schema s,
				  struct arena *a);

/* Get the value of KEY. Return 1 with *OUT, in A; 0 if the file has none; or -1 if
 * only the file can tell. */
int record_keys_find(const struct record_keys *k, const char *key,
		     struct arena *a, struct value *out);

/* Return false if the file certainly does not say that KEY, a plain word, is true:
 * a quick test for callers with many records. If true, read the file. */
bool record_keys_maybe(const struct record_keys *k, const char *key);

#endif
