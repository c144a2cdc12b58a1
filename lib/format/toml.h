/* toml.h: one table of a TOML file, found, added and taken away without touching
 * any other byte.
 *
 * The table is [FAMILY.NAME].  The whole file is read, strings and brackets
 * taken apart, so that what only looks like a table in a text is none; values
 * are not understood.  Where the table, or its family, is written in a way that
 * a table cannot be added to (inline, by dotted keys), that is refused.
 */
#ifndef CO_FORMAT_TOML_H
#define CO_FORMAT_TOML_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

struct toml_span {
	size_t start, end;
};

struct toml_entry {
	const char *key;       /* as "command"; dotted keys as written */
	struct toml_span span; /* of its value */
	const char *string;    /* NULL where the value is no plain string */
};

struct toml_table {
	struct toml_span *spans; /* its lines, and those of its subtables */
	size_t nspans;
	struct toml_entry *entries; /* of the table itself */
	size_t n;
};

/* Find the table [FAMILY.NAME] in TEXT: 1, 0 where there is none, -1: ERR_DATA,
 * "LINE:COL: ...", malformed, or written in another way.  T lives in A. */
int toml_find(struct toml_table *t, const struct buf *text, const char *family,
	      const char *name, struct arena *a, struct err *e);

/* The entry KEY of T, NULL where there is none. */
const struct toml_entry *toml_entry(const struct toml_table *t,
				    const char *key);

/* Append the lines of BODY as a table behind all that TEXT has. */
void toml_add(struct buf *text, const char *family, const char *name,
	      const char *body);

/* Take the table T of TEXT, as toml_find() has it, away, with its subtables and
 * the blank line before each. */
void toml_drop(struct buf *text, const struct toml_table *t);

/* Append S as a string, quotes included. */
void toml_string(struct buf *out, const char *s);

#endif
