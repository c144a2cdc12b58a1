/* postgres-push.h: the verbs that change the documents of a project.
 *
 * A change is one transaction under a lock of the project. It reads, changes and writes
 * the columns and the postings of all terms that it touches, so that a question sees
 * the project before it, or after it.
 */
#ifndef CO_REMOTE_POSTGRES_PUSH_H
#define CO_REMOTE_POSTGRES_PUSH_H

#include "remote/postgres-request.h"

/* Answer the verb push, or purge, on the connection of R, which is open. The documents
 * of a push are the next lines of R->in. Return 0 or -1. */
int postgres_push(struct postgres_request *r, const char *project,
		  struct err *e);
int postgres_push_purge(struct postgres_request *r, const char *project,
			struct err *e);

#endif
