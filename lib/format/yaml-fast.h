/* yaml-fast.h: the plain forms of frontmatter, read fast.
 *
 *	id: 1                       # a comment
 *	title: "quoted, no escapes"
 *	tags: [a, 'b c', "d"]
 *	more:
 *	  - one
 *	  - two
 *
 * Keys of letters, digits, `_`, `-` and `.` at the start of a line; scalars on
 * one line; lists of scalars.  Whatever else a file holds, errors included, is
 * not plain and is left to yaml-read.h.  What is plain is read exactly as
 * there, places included: a test compares the two on a great many inputs.
 */
#ifndef CO_FORMAT_YAML_FAST_H
#define CO_FORMAT_YAML_FAST_H

#include "base/arena.h"
#include "format/value.h"

/* Read the LEN bytes of P, valid UTF-8.  True: *OUT is the map, lives in A, and
 * its places are offsets in P plus BASE.  False: not plain. */
bool yaml_fast_parse(const char *p, size_t len, uint32_t base, struct arena *a,
		     struct value *out);

#endif
