/* known.h: which candidates a store has already. */
#ifndef CO_PAST_KNOWN_H
#define CO_PAST_KNOWN_H

#include "past/candidates.h"
#include "store/store.h"

/* Remove from C what S has as a memory, a draft, or in the archive or the trash: a text
 * that is nearly equal, or one that cites the commit.  A commit with several trailers
 * is known only by their texts.  Returns 0, or -1 if S cannot be read. */
int known_drop(struct candidates *c, struct store *s, struct err *e);

#endif
