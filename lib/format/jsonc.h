/* jsonc.h: JSON with comments, as used in settings files: parse it with
 * positions, and edit it without changing other bytes.
 *
 * Comments (// and those of C), a comma after the last member, and a BOM are
 * accepted. A duplicate key is an error, as it is unclear which value is meant.
 * Nesting is limited to JSONC_DEPTH.
 *
 * An edit follows the style of the file: its newlines and indentation, and
 * whether a container is on one line. The result is parsed again; the edit
 * fails if anything else would change.
 */
#ifndef CO_FORMAT_JSONC_H
#define CO_FORMAT_JSONC_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "format/value.h"

#define JSONC_DEPTH 64

/* Return true if the LEN bytes at P are only blanks, or empty. *BOM is the
 * length of a BOM before them. */
bool jsonc_is_blank(const char *p, size_t len, size_t *bom);

/* Parse the one value in LEN bytes at P into *OUT, in A, with the position of
 * each value. Returns 0, or -1: ERR_DATA, "LINE:COL: ...". */
int jsonc_parse(const char *p, size_t len, struct arena *a, struct value *out,
		struct err *e);

/* A path to a value: keys of objects and indexes of lists, ended by
 * JSONC_END. */
struct jsonc_step {
	const char *key; /* NULL for an index */
	size_t item;
};
#define JSONC_KEY(k) ((struct jsonc_step){(k), 0})
#define JSONC_ITEM(i) ((struct jsonc_step){NULL, (i)})
#define JSONC_END ((struct jsonc_step){NULL, SIZE_MAX})
typedef const struct jsonc_step jsonc_path[];

/* Return the value at PATH in ROOT, or NULL. */
const struct value *jsonc_at(const struct value *root, jsonc_path path);

/* Return the value of KEY in ROOT, or NULL. If ROOT has no KEY "a.b", the key
 * "b" of the object "a" is used. */
const struct value *jsonc_dotted(const struct value *root, const char *key);

/* Set the value at PATH in TEXT to V, creating missing objects on the way. A
 * blank TEXT counts as an empty object. TEXT is unchanged if the value is
 * already equal. Returns 0, or -1 with ERR_DATA: TEXT is malformed, a value on
 * the way is not a container, or the edit is not safe. */
int jsonc_put(struct buf *text, jsonc_path path, const struct value *v,
	      struct err *e);

/* Append V to the list at PATH, creating it if it is absent. Returns as
 * jsonc_put(). */
int jsonc_append(struct buf *text, jsonc_path path, const struct value *v,
		 struct err *e);

/* Remove the value at PATH, and the containers on the way that become empty;
 * comments count as content. TEXT is unchanged if the value is absent. Returns
 * as jsonc_put(). */
int jsonc_drop(struct buf *text, jsonc_path path, struct err *e);

/* Append V, indented by two blanks a level, and a newline. */
void jsonc_print(struct buf *out, const struct value *v);

#endif
