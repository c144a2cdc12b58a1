/* mcpsave.h: the tool save_memory: an agent proposes, its user decides.
 *
 * What comes in is first a draft, so that nothing is lost whatever happens
 * next.  The user is then asked through the client, where it can ask; a yes
 * makes the draft a memory, a no moves it to the trash, and no answer leaves
 * it for `co review`.  Where the user's settings say that the client asks by
 * itself (save.approval), the memory is saved at once.
 */
#ifndef CO_MCPSAVE_H
#define CO_MCPSAVE_H

#include "mcp.h"

/* Serve the checked call C; a mcpcall_fn for the queue. */
void mcpsave_start(struct mcp *m, struct mcpcall *c);

/* True if the user's settings leave the question to the client. */
bool mcpsave_approving(struct mcp *m);

#endif
