/* value.h: the data that YAML frontmatter and JSON have in common.
 *
 * A tree of values in an arena, never freed singly, keys in the order of the
 * source.  A value from a file knows the bytes it stands on, so that a
 * complaint can name the place and an edit can change those bytes alone.
 */
#ifndef CO_FORMAT_VALUE_H
#define CO_FORMAT_VALUE_H

#include "base/base.h"

enum value_kind {
	VALUE_NULL,
	VALUE_BOOL,
	VALUE_INT,
	VALUE_BIGINT, /* beyond 64 bits; its text as written in u.s */
	VALUE_FLOAT,
	VALUE_STR,
	VALUE_LIST,
	VALUE_MAP
};

struct value_pair;

struct value {
	enum value_kind kind;
	uint32_t start; /* bytes [start, end) of the source text; */
	uint32_t end;	/* both 0 where it did not come from a file */
	union {
		bool b;
		int64_t i;
		double f;
		struct {
			const char *p; /* NUL-terminated; may hold NULs */
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

/* The value of KEY in MAP, NULL if MAP is NULL, no map or lacks it; borrowed
 * from MAP. */
const struct value *value_get(const struct value *map, const char *key);

/* Set KEY, borrowed, to V in MAP, whose pairs have room for one more. */
void value_put(struct value *map, const char *key, struct value v);

/* The text of KEY in MAP, NULL where that is no string or holds a NUL; borrowed
 * from MAP. */
const char *value_text(const struct value *map, const char *key);

/* True if V is a string (NULL is not) equal to S. */
bool value_is(const struct value *v, const char *s);

/* True if V is true (NULL is not). */
bool value_is_true(const struct value *v);

/* True if V is a list of strings. */
bool value_is_texts(const struct value *v);

/* True if V is a string (NULL is not) that is one of WORDS, which have a | between
 * them. */
bool value_is_word(const struct value *v, const char *words);

/* True if A and B are equal: kinds, order of keys and all; places aside. */
bool value_equal(const struct value *a, const struct value *b);

/* Write the finite F into OUT, the shortest way that reads back the same and
 * as a float everywhere: 1.0, 0.1, 1.0e+22.  Returns OUT. */
#define VALUE_FLOAT_TEXT 40
char *value_format_float(double f, char out[VALUE_FLOAT_TEXT]);

/* A new VALUE_STR of S, borrowed for as long as the value lives. */
struct value value_str(const char *s);
struct value value_int(int64_t i);

#endif
