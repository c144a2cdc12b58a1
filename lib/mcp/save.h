/* save.h: the tools that save: an agent proposes, its user decides.
 *
 * What comes in is first a draft, so that nothing is lost whatever happens
 * next.  The user is then asked through the client, where it can ask; a yes
 * makes the draft a memory, a no moves it to the trash, and no answer leaves
 * it for `co review`.  Where the user's settings say that the client asks by
 * itself (save.approval), and it is known to ask a person, the memory is saved
 * at once.
 *
 * The user's word is theirs alone: a no that comes sooner than a person can
 * read is none, and nobody is asked about more than their client shows.
 */
#ifndef CO_MCP_SAVE_H
#define CO_MCP_SAVE_H

#include "mcp/mcp.h"

/* Serve the checked call C of a tool that proposes a memory, or an article. */
void mcp_save_memory(struct mcp *m, struct mcp_call *c);
void mcp_save_article(struct mcp *m, struct mcp_call *c);

/* Append "outputSchema" of both. */
void mcp_save_schema(struct buf *out);

/* True if the user's settings leave the question to the client, and that of ERA
 * is known to ask a person: the tool is to say that it wants it to. */
bool mcp_save_approving(struct mcp *m, const struct mcp_era *era);

#endif
