/* context-stamp.h: by what a server sees that the context has changed.
 *
 * The context of a store is its context.md, and the rules, which are memories
 * (see agent/rules.h).  These are read again where a folder of memories or the
 * file of one of them is another than at the last look: a memory that is made a
 * rule in place, its folder being as it was, is seen with the next change.
 */
#ifndef CO_MCP_CONTEXT_STAMP_H
#define CO_MCP_CONTEXT_STAMP_H

#include "base/buf.h"

/* Bring STAMP, empty or from an earlier look, up to what is there now: true if
 * the context is another.  Reads files. */
bool context_stamp_look(struct buf *stamp);

#endif
