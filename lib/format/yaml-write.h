/* yaml-write.h: writing YAML as people would.
 *
 * Keys in order, lists of scalars in flow form, everything else in blocks
 * indented by two; strings quoted only where they need it, on one line, UTF-8
 * unescaped.  Any reader of YAML 1.2 or 1.1 reads back what was meant,
 * timestamps aside, which stay bare.
 */
#ifndef CO_FORMAT_YAML_WRITE_H
#define CO_FORMAT_YAML_WRITE_H

#include "base/buf.h"
#include "format/value.h"

/* Append V, a map that is not empty, each line ended. */
void yaml_write_map(struct buf *out, const struct value *v);

/* Append V on one line as it may stand behind a key, itself between brackets
 * with FLOW: a scalar, or a list or map in flow form. */
void yaml_write_inline(struct buf *out, const struct value *v, bool flow);

#endif
