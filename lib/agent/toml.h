/* toml.h: find, add and remove one table of a TOML file without changing other
 * bytes.
 *
 * The table is [FAMILY.NAME]. The whole file is scanned, including strings and
 * brackets, so that a string that looks like a table is not taken for one.
 * Values are not interpreted. If the table or its family is written in a form
 * to which a table cannot be added (inline, or by dotted keys), that is an
 * error.
 */
#ifndef CO_AGENT_TOML_H
#define CO_AGENT_TOML_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

struct toml_span {
	size_t start, end;
};

struct toml_entry {
	const char *key;       /* such as "command", not dotted */
	struct toml_span span; /* its value */
	const char *string;    /* NULL: not a simple string */
};

struct toml_table {
	struct toml_span *spans; /* lines of the table and its subtables */
	size_t nspans;
	struct toml_entry *entries; /* of the table itself */
	size_t n;
};

/* Find the table [FAMILY.NAME] in TEXT. T is in A. Returns 1, 0 if there is
 * none, or -1 with ERR_DATA, "LINE:COL: ...": TEXT is malformed, or the table
 * has another form. */
int toml_find(struct toml_table *t, const struct buf *text, const char *family,
	      const char *name, struct arena *a, struct err *e);

/* Return the entry KEY of T, or NULL. */
const struct toml_entry *toml_entry(const struct toml_table *t,
				    const char *key);

/* Append the table [FAMILY.NAME] with the lines BODY at the end of TEXT. */
void toml_add(struct buf *text, const char *family, const char *name,
	      const char *body);

/* Remove the table T, found by toml_find() in this TEXT, with its subtables and
 * the blank line before each. */
void toml_drop(struct buf *text, const struct toml_table *t);

/* Append S as a TOML string, with quotes. */
void toml_string(struct buf *out, const char *s);

#endif
