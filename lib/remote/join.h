/* join.h: the name that a project of the user has on a server.
 *
 * It is in the user's setting remote.projects, by the id of the project. A clone brings an
 * id, and so can be taken for a project that has it, but it never brings a name.
 */
#ifndef CO_REMOTE_JOIN_H
#define CO_REMOTE_JOIN_H

#include "remote/remote.h"
#include "repo/project-id.h"
#include "store/store.h"

/* Set *PROJECT to that of the store S. Return 0, or -1 with ERR_NO if it has no id. */
int join_project(struct project *project, const struct store *s, struct err *e);

/* Return the name on the server of the project of S, which R has; NULL if it has none. */
const char *join_name(const struct remote *r, const struct store *s);

#endif
