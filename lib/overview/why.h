/* why.h: say what an agent was shown, and why: events of the ledger in words. */
#ifndef CO_OVERVIEW_WHY_H
#define CO_OVERVIEW_WHY_H

#include "base/buf.h"
#include "format/value.h"

/* Append the EVENT, of shown-list.h, as a line: the time, local as people say it if
 * CLOCK, else as in the ledger; the agent; what triggered it; and each memory with its
 * reason. With ID, as shown_list_id() writes it, only that memory is named. */
void why_line(struct buf *out, const struct value *event, const char *id,
	      bool clock);

/* Return true if EVENT shows the memory ID. */
bool why_has(const struct value *event, const char *id);

#endif
