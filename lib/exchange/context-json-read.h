/* context-json-read.h: read the files of an older co, see context-json.h.
 *
 * All files are read before the first memory is sent, because a text may be in
 * several of them.
 */
#ifndef CO_EXCHANGE_CONTEXT_JSON_READ_H
#define CO_EXCHANGE_CONTEXT_JSON_READ_H

#include "base/table.h"
#include "exchange/note.h"

/* Return true if V is context.json, or context.json with the files of memories
 * in "memories", as co-export prints it. */
bool context_read_is(const struct value *v);

/* Return the section whose file of memories is named NAME, or
 * CONTEXT_SECTIONS. */
unsigned context_read_section(const char *name);

#endif
