/* learned.h: the `# Learned` section of context.md; of a team, a memory that is
 * always loaded, see rules.h.
 *
 * What stands there is known to every session, so it is kept within the
 * budget of its file: what does not fit is refused, never cut.
 */
#ifndef CO_AGENT_LEARNED_H
#define CO_AGENT_LEARNED_H

#include "agent/context.h"
#include "store/store.h"

/* Add TEXT, one fact, as a bullet at the end of the section, which is made
 * where it is absent, as is the file; set `updated`; change no other byte.  Of
 * a team's store it is a memory, and context.md stays as it is.  WHERE gets the
 * path of the file.  Returns 1, 0 where that very bullet stands there already,
 * or -1: ERR_DATA (empty text, malformed file), ERR_SYSTEM (over the file's
 * budget), ERR_BUSY.
 */
int learned_add(struct store *s, const char *text, size_t len,
		struct buf *where, struct err *e);

/* Refuse the LEN bytes of P as one more rule of S, a memory, where the context would
 * exceed its budget: 0, -1 with ERR_SYSTEM. */
int learned_has_room(struct store *s, const char *p, size_t len, struct err *e);

#endif
