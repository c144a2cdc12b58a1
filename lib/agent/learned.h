/* learned.h: the `# Learned` section of context.md; in a team's store, a memory
 * that is always loaded, see rules.h.
 *
 * Every session loads that section, so it must stay within the budget of its file:
 * a fact that does not fit is refused, never cut.
 */
#ifndef CO_AGENT_LEARNED_H
#define CO_AGENT_LEARNED_H

#include "agent/context.h"
#include "store/store.h"

/* Add TEXT, one fact, as a bullet at the end of the section, and set `updated`;
 * change no other byte. The section and the file are made if they are absent. In a
 * team's store it becomes a memory, and context.md is not changed. WHERE gets the
 * path of the file. Return 1; 0 if that very bullet is there; or -1: ERR_DATA
 * (empty text, malformed file), ERR_SYSTEM (over the file's budget), ERR_BUSY. */
int learned_add(struct store *s, const char *text, size_t len,
		struct buf *where, struct err *e);

#endif
