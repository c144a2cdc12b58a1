/* jsonc.h: JSON with comments, as people and editors write settings: read with
 * its places, and changed without touching any other byte.
 *
 * Comments (//, and C's), a comma behind the last member, and a BOM are
 * accepted; a key given twice is not, as nobody could tell which one counts.
 * Nesting is limited to JSONC_DEPTH.
 *
 * An edit writes in the style of the file: its newlines, its indentation, on
 * one line what stands on one.  It is read back, and refused where anything but
 * what was asked for would have changed.
 */
#ifndef CO_FORMAT_JSONC_H
#define CO_FORMAT_JSONC_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "format/value.h"

#define JSONC_DEPTH 64

/* True if the LEN bytes of P are blanks, or none; *BOM are those of a BOM before
 * them. */
bool jsonc_is_blank(const char *p, size_t len, size_t *bom);

/* Read the one value in the LEN bytes of P; *OUT, with the bytes that each value
 * stands on, lives in A.  ERR_DATA: "LINE:COL: ...". */
int jsonc_parse(const char *p, size_t len, struct arena *a, struct value *out,
		struct err *e);

/* A way to a value: keys of objects and items of lists; JSONC_END ends it. */
struct jsonc_step {
	const char *key; /* NULL for an item */
	size_t item;
};
#define JSONC_KEY(k) ((struct jsonc_step){(k), 0})
#define JSONC_ITEM(i) ((struct jsonc_step){NULL, (i)})
#define JSONC_END ((struct jsonc_step){NULL, SIZE_MAX})
typedef const struct jsonc_step jsonc_path[];

/* The value at PATH in ROOT, NULL where there is none. */
const struct value *jsonc_at(const struct value *root, jsonc_path path);

/* The same of KEY, "a.b", which may be one key or one in an object. */
const struct value *jsonc_dotted(const struct value *root, const char *key);

/* Set what stands at PATH in TEXT (blank: an empty object) to V, making the
 * objects on the way.  Nothing is changed where it is equal already.  ERR_DATA:
 * TEXT is malformed, what stands on the way is of another kind, or it cannot be
 * done safely. */
int jsonc_put(struct buf *text, jsonc_path path, const struct value *v,
	      struct err *e);

/* Add V at the end of the list at PATH, which is made where it is absent. */
int jsonc_append(struct buf *text, jsonc_path path, const struct value *v,
		 struct err *e);

/* Take away what stands at PATH, and what is empty on the way then, comments
 * counting as contents.  Nothing is changed where it is absent. */
int jsonc_drop(struct buf *text, jsonc_path path, struct err *e);

/* Append V as the programs of people do: two blanks a level, a newline behind. */
void jsonc_print(struct buf *out, const struct value *v);

#endif
