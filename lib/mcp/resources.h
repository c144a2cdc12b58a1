/* resources.h: what co mcp has to read: resources, prompts, completion. */
#ifndef CO_MCPDOC_H
#define CO_MCPDOC_H

#include "mcp/mcp.h"

/* Serve the method for C: answers at once where the call is wrong or needs no
 * program, else queues it. */
void mcpdoc_list(struct mcp *m, struct mcpcall *c);	/* resources/list */
void mcpdoc_read(struct mcp *m, struct mcpcall *c);	/* resources/read */
void mcpdoc_prompt(struct mcp *m, struct mcpcall *c);	/* prompts/get */
void mcpdoc_complete(struct mcp *m, struct mcpcall *c); /* completion/... */

#endif
