/* record-keys.h: the free keys in the frontmatter of a file, those that its schema does
 * not name: `expires`, `scope`, `trust`, and any that people write.
 *
 * They are stored as text, in a record and in the cache, so records can be hidden or
 * ranked by them without reading the file again.
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
#define MARK_OTHER_LANGUAGE 32u /* only from store_marks() */
#define MARK_REPLACED 64u

/* The allowed values of a key; and, after the semicolon, those that set its mark. */
enum record_key_type {
	RECORD_KEY_FLAG,    /* true or false; true */
	RECORD_KEY_CAREFUL, /* true or false; any except false */
	RECORD_KEY_UNTIL,   /* a date; one that has ended */
	RECORD_KEY_FROM,    /* a date; one that has begun */
	RECORD_KEY_ID,	    /* an id, or a list of ids; any */
	RECORD_KEY_TRUST, /* user, agent or external; any except the first two */
	RECORD_KEY_SCOPE, /* project, language or global; none */
	RECORD_KEY_TEXT,  /* a string; none */
	RECORD_KEY_TEXTS  /* a list of strings; none */
};

/* A key that decides to whom a memory is shown, and until when: see marks.h. The code
 * knows it only by its row. Such keys are stored before others. */
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
	const char *json; /* one object, in the order of the file unless it is
			   * CUT; NULL: there are none */
	bool cut; /* the file has more keys, which did not fit or cannot be
		   * written as JSON */
};

/* Return the keys of MAP, the frontmatter of a file of the schema S, allocated in
 * A. */
struct record_keys record_keys_of(const struct value *map, enum schema s,
				  struct arena *a);

/* Set *OUT to the value of KEY in K, allocated in A. Return 1; 0 if the file has no
 * such key; or -1 if only the file can tell. */
int record_keys_find(const struct record_keys *k, const char *key,
		     struct arena *a, struct value *out);

/* Return false if KEY, a plain word, is certainly not true in the file: a quick test
 * for callers with many records. If this returns true, read the file. */
bool record_keys_maybe(const struct record_keys *k, const char *key);

#endif
