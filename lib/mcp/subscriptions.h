/* subscriptions.h: tell clients that the always-loaded context has changed.
 *
 * The lists that co mcp offers never change, and a memory is read when it is
 * needed. So co://context is the only resource to subscribe to. Its files are
 * looked at once a second while a client listens.
 */
#ifndef CO_MCP_SUBSCRIPTIONS_H
#define CO_MCP_SUBSCRIPTIONS_H

#include "mcp/mcp.h"

/* Serve the method for C. */
void mcp_subscriptions_subscribe(struct mcp *m, struct mcp_call *c);
void mcp_subscriptions_unsubscribe(struct mcp *m, struct mcp_call *c);
void mcp_subscriptions_listen(struct mcp *m, struct mcp_call *c);

/* Return how long to wait at most before the next look, in ms; -1 if no client
 * listens. */
int mcp_subscriptions_patience(const struct mcp *m);

/* Look if it is time, and tell the clients that listen. */
void mcp_subscriptions_look(struct mcp *m);

#endif
