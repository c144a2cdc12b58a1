/* postgres-query.h: the verb that asks a question. */
#ifndef CO_REMOTE_POSTGRES_QUERY_H
#define CO_REMOTE_POSTGRES_QUERY_H

#include "remote/postgres-request.h"

/* Append the hits of the question of R, on its connection, which is open, and the members
 * of the last line to LAST. Return 0 or -1. */
int postgres_query(struct postgres_request *r, struct buf *last, struct err *e);

#endif
