/* context-json-read.h: read the files of an older co, see context-json.h.
 *
 * All files are read before the first memory is sent, because a text may be in
 * several of them.
 */
#ifndef CO_EXCHANGE_CONTEXT_JSON_READ_H
#define CO_EXCHANGE_CONTEXT_JSON_READ_H

#include "base/table.h"
#include "exchange/note.h"

/* Zero it before use. */
struct context_read {
	struct arena arena;
	struct context_fact *facts;
	size_t n, cap;
	struct context_place **places;
	size_t nplaces, places_cap, order;
	struct table by_text, by_key;
};

/* Return true if V is context.json, or context.json with the files of memories
 * in "memories", as co-export prints it. */
bool context_read_is(const struct value *v);

/* Add the contents of V, for which context_read_is() is true.  Returns 0, or
 * -1, ERR_DATA, if its version is unknown.  Other faults are reported to S. */
int context_read_add(struct context_read *c, const struct note_sink *s,
		     const struct value *v, struct err *e);

/* Return the section whose file of memories is named NAME, or
 * CONTEXT_SECTIONS. */
unsigned context_read_section(const char *name);

/* Add the contents of V, the file of memories of SECTION. */
void context_read_add_memories(struct context_read *c,
			       const struct note_sink *s, unsigned section,
			       const struct value *v);

/* Send all memories to S in the order of precedence.  Returns 0, or the nonzero
 * result of its function. */
int context_read_send(struct context_read *c, const struct note_sink *s,
		      struct err *e);

void context_read_release(struct context_read *c);

#endif
