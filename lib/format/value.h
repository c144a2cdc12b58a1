/* value.h: the tree of values that YAML, JSON and TOML have in common.
 *
 * Values are allocated in an arena and never freed one by one. Keys keep the
 * order of the source. A value from a file knows its position, so that a
 * message can name the place and an edit can change only those bytes.
 */
#ifndef CO_FORMAT_VALUE_H
#define CO_FORMAT_VALUE_H

#include "base/base.h"

enum value_kind {
	VALUE_NULL,
	VALUE_BOOL,
	VALUE_INT,
	VALUE_BIGINT, /* beyond 64 bits; u.s is its text */
	VALUE_FLOAT,
	VALUE_STR,
	VALUE_LIST,
	VALUE_MAP
};

struct value_pair;

struct value {
	enum value_kind kind;
	uint32_t start; /* bytes [start, end) in the source text; */
	uint32_t end;	/* both 0 if it is not from a file */
	union {
		bool b;
		int64_t i;
		double f;
		struct {
			const char *p; /* NUL-terminated; may contain NULs */
			size_t len;
		} s;
		struct {
			struct value *items;
			size_t n;
		} list;
		struct {
			struct value_pair *pairs;
			size_t n;
		} map;
	} u;
};

struct value_pair {
	struct value key; /* always VALUE_STR */
	struct value val;
};

/* Return the value of KEY in MAP, borrowed from MAP; NULL if MAP is NULL, not a
 * map or lacks the key. */
const struct value *value_get(const struct value *map, const char *key);

/* Return item I of LIST, borrowed from LIST; NULL if LIST is NULL, not a list or
 * has no such item. */
const struct value *value_item(const struct value *list, size_t i);

/* Return item I of V, a list or a single value that counts as a list of one. V may
 * be NULL. Returns NULL if there is no such item. */
const struct value *value_item_or_self(const struct value *v, size_t i);

/* Return true if an item of V, as value_item_or_self() returns it, is the integer I. */
bool value_has_int(const struct value *v, int64_t i);

/* Return the integer at KEY in MAP if it is above 0, else 0. MAP may be NULL. */
int64_t value_positive(const struct value *map, const char *key);

/* Set KEY, which is borrowed, to V in MAP. Its array must have room for one
 * more pair. */
void value_put(struct value *map, const char *key, struct value v);

/* Return the string at KEY in MAP, borrowed from MAP; NULL if there is none or
 * it contains a NUL. */
const char *value_text(const struct value *map, const char *key);

/* Return true if V is a string equal to S. V may be NULL. */
bool value_is(const struct value *v, const char *s);

/* Return true if V is the boolean true. V may be NULL. */
bool value_is_true(const struct value *v);

/* Return true if V is a list of strings. */
bool value_is_texts(const struct value *v);

/* Return true if V is a string equal to one of WORDS, which are separated by |.
 * V may be NULL. */
bool value_is_word(const struct value *v, const char *words);

/* Return true if A and B are equal in kind, content and order of keys.
 * Positions are ignored. */
bool value_equal(const struct value *a, const struct value *b);

/* Return true if LIST, which may be NULL, has an item equal to V. */
bool value_has_item(const struct value *list, const struct value *v);

/* Write the finite F to OUT in the shortest form that every reader reads back
 * as the same float: 1.0, 0.1, 1.0e+22. Returns OUT. */
#define VALUE_FLOAT_TEXT 40
char *value_format_float(double f, char out[VALUE_FLOAT_TEXT]);

/* Return the first key of MAP that occurs a second time, or NULL. The
 * `start` of each key must be set, as a parser does. */
const struct value *value_duplicate_key(const struct value *map);

/* Return a value. The string S is borrowed as long as the value lives. */
struct value value_str(const char *s);
struct value value_int(int64_t i);

#endif
