/* save.h: the tools that save: an agent proposes, its user decides.
 *
 * A proposal is first saved as a draft, so nothing is lost whatever happens next.
 * Then the user is asked through the client, if the client can ask. A yes makes the
 * draft a memory, a no moves it to the trash, and without an answer it waits for
 * `co review`. If the user's settings say that the client asks by itself
 * (save.approval), and it is known to ask a person, the memory is saved at once.
 *
 * Only the user decides: a no that comes sooner than a person can read does not
 * count, and the user is asked about nothing that their client does not show.
 */
#ifndef CO_MCP_SAVE_H
#define CO_MCP_SAVE_H

#include "mcp/mcp.h"

/* Serve the checked call C of a tool that proposes a memory, or an article. */
void mcp_save_memory(struct mcp *m, struct mcp_call *c);
void mcp_save_article(struct mcp *m, struct mcp_call *c);

/* Append "outputSchema" of both tools. */
void mcp_save_schema(struct buf *out);

/* Return true if the user's settings leave the question to the client, and the
 * client of ERA is known to ask a person. The tool then says that it wants that. */
bool mcp_save_approving(struct mcp *m, const struct mcp_era *era);

#endif
