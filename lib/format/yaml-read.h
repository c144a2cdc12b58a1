/* yaml-read.h: reading YAML; the one owner of libyaml.
 *
 * One document, by the core schema of YAML 1.2, whose top is a map (or
 * nothing, which is an empty map).  Refused: nesting beyond a limit, keys that
 * are no scalars, hold a NUL or stand twice, tags, directives, document
 * markers, aliases of anything but a scalar, more than 64 anchors, and aliases
 * that together stand for more than 64 KiB.  Keys are strings as they are written.
 */
#ifndef CO_FORMAT_YAML_READ_H
#define CO_FORMAT_YAML_READ_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "format/value.h"

/* Read the LEN bytes of P, valid UTF-8 without a NUL, nested DEPTH deep at
 * most.  *OUT lives in A; its places are offsets in P plus BASE.  ERR_DATA:
 * the sentence is a reason without a place, and *FAULT the offset in P of what
 * is wrong. */
int yaml_parse(const char *p, size_t len, uint32_t base, int depth,
	       struct arena *a, struct value *out, size_t *fault,
	       struct err *e);

/* Append the name and version of the library behind this. */
void yaml_library(struct buf *out);

#endif
