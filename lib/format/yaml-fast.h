/* yaml-fast.h: a fast parser for simple frontmatter.
 *
 *	id: 1                       # a comment
 *	title: "quoted, no escapes"
 *	tags: [a, 'b c', "d"]
 *	more:
 *	  - one
 *	  - two
 *
 * It accepts keys of letters, digits, `_`, `-` and `.` at the start of a line,
 * scalars on one line, and lists of scalars. Anything else, including errors,
 * is rejected and left to yaml-read.c. An accepted text gives exactly the
 * result of yaml-read.c, including positions; a test compares both on many
 * inputs.
 */
#ifndef CO_FORMAT_YAML_FAST_H
#define CO_FORMAT_YAML_FAST_H

#include "base/arena.h"
#include "format/value.h"

/* Parse LEN bytes of P, valid UTF-8. Returns true and sets *OUT to a map in A,
 * with positions as offsets in P plus BASE; or returns false if P is not
 * simple. */
bool yaml_fast_parse(const char *p, size_t len, uint32_t base, struct arena *a,
		     struct value *out);

#endif
