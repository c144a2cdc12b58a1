/* postgres-answer.h: answer a request to a remote index in PostgreSQL.
 *
 * The answer is lines of JSON. The last one says whether all went well, and if not, the
 * kind of the error. The answer is in memory until it is complete.
 */
#ifndef CO_REMOTE_POSTGRES_ANSWER_H
#define CO_REMOTE_POSTGRES_ANSWER_H

#include "remote/postgres-request.h"

/* Append the answer to the request in R->in to R->out. Return 0 if all went well, or
 * -1. Release R with postgres_request_release() in any case. */
int postgres_answer(struct postgres_request *r);

#endif
