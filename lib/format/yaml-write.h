/* yaml-write.h: write YAML as a person would.
 *
 * Keys in order, lists of scalars in flow form, everything else in blocks
 * indented by two; strings quoted only where needed, on one line, UTF-8
 * unescaped. Every reader of YAML 1.2 or 1.1 reads back the same data, except
 * timestamps, which are not quoted.
 */
#ifndef CO_FORMAT_YAML_WRITE_H
#define CO_FORMAT_YAML_WRITE_H

#include "base/buf.h"
#include "format/value.h"

/* Append V, a map that is not empty, with a newline after each line. */
void yaml_write_map(struct buf *out, const struct value *v);

/* Append V on one line, for the position after a key: a scalar, or a list or
 * map in flow form. FLOW: the position is inside brackets. */
void yaml_write_inline(struct buf *out, const struct value *v, bool flow);

#endif
