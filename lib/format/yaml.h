/* yaml.h: read YAML, and write it as a person would.
 *
 * A document is read by the core schema of YAML 1.2 and must be a map or empty,
 * which is an empty map. Errors: nesting beyond a limit; keys that are not
 * scalars, contain a NUL or are duplicates; tags, directives, document markers;
 * aliases of anything but a scalar; more than 64 anchors; aliases that expand
 * to more than 64 KiB. Keys are strings as written.
 *
 * It is written with keys in order, lists of scalars in flow form, everything
 * else in blocks indented by two; strings quoted only where needed, on one line,
 * UTF-8 unescaped. Every reader of YAML 1.2 or 1.1 reads back the same data,
 * except timestamps, which are not quoted.
 */
#ifndef CO_FORMAT_YAML_H
#define CO_FORMAT_YAML_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "format/value.h"

/* Parse LEN bytes of P, valid UTF-8 without a NUL, nested at most DEPTH deep,
 * into *OUT, in A. Positions are offsets in P plus BASE. Returns 0, or -1 with
 * ERR_DATA: the message is a reason without a position, and *FAULT is the
 * offset of the error in P. */
int yaml_parse(const char *p, size_t len, uint32_t base, int depth,
	       struct arena *a, struct value *out, size_t *fault,
	       struct err *e);

/* Append V, a map that is not empty, with a newline after each line. */
void yaml_write_map(struct buf *out, const struct value *v);

#endif
