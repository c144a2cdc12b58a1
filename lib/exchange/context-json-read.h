/* context-json-read.h: reading what an older co kept, see context-json.h.
 *
 * All files are read before anything is handed on, since a text may stand in
 * several.
 */
#ifndef CO_EXCHANGE_CONTEXT_JSON_READ_H
#define CO_EXCHANGE_CONTEXT_JSON_READ_H

#include "base/table.h"
#include "exchange/note.h"

/* A zeroed one is valid. */
struct context_read {
	struct arena arena;
	struct context_fact *facts;
	size_t n, cap;
	struct context_place **places;
	size_t nplaces, places_cap, order;
	struct table by_text, by_key;
};

/* True if V is context.json, or that with the files of memories in its
 * "memories", as co-export writes it to standard output. */
bool context_read_is(const struct value *v);

/* Keep what V says, which is such; -1: ERR_DATA, of another version.  What else is
 * wrong goes to the report of S. */
int context_read_add(struct context_read *c, const struct note_sink *s,
		     const struct value *v, struct err *e);

/* The section whose file of memories is called NAME; CONTEXT_SECTIONS: none. */
unsigned context_read_section(const char *name);

/* Keep what V, such a file, says. */
void context_read_add_memories(struct context_read *c,
			       const struct note_sink *s, unsigned section,
			       const struct value *v);

/* Send what was kept, in the order of precedence. */
int context_read_send(struct context_read *c, const struct note_sink *s,
		      struct err *e);

void context_read_release(struct context_read *c);

#endif
