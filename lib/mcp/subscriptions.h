/* subscriptions.h: telling a client that the always-loaded context has changed.
 *
 * The lists that co mcp offers never change, and a memory is read when it is
 * needed; so the one thing worth a word is co://context.  Its files are looked
 * at once a second while somebody wants to know.
 */
#ifndef CO_MCP_SUBSCRIPTIONS_H
#define CO_MCP_SUBSCRIPTIONS_H

#include "mcp/mcp.h"

/* Serve the method for C. */
void mcp_subscriptions_subscribe(struct mcp *m, struct mcp_call *c);
void mcp_subscriptions_unsubscribe(struct mcp *m, struct mcp_call *c);
void mcp_subscriptions_listen(struct mcp *m, struct mcp_call *c);

/* How long to wait at most before the next look, in ms; -1: nobody watches. */
int mcp_subscriptions_patience(const struct mcp *m);

/* Look, if it is time, and tell whom it concerns. */
void mcp_subscriptions_look(struct mcp *m);

#endif
