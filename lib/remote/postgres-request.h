/* postgres-request.h: read a request to a remote index in PostgreSQL, and write the
 * answer. Both are lines of JSON; the first line of a request has the verb. See
 * co-remote-postgres(1).
 *
 * The last line of an answer says whether all went well, and if not, the kind of the
 * error. The answer is in memory until it is complete.
 */
#ifndef CO_REMOTE_POSTGRES_REQUEST_H
#define CO_REMOTE_POSTGRES_REQUEST_H

#include "base/arena.h"
#include "format/value.h"
#include "remote/postgres.h"
#include "remote/remote.h"
#include "sys/io.h"

/* The number in the name of the schema, which lib/remote/postgres-schema.sql makes. */
#define POSTGRES_SCHEMA_VERSION 1

#define POSTGRES_REQUEST_MAX ((size_t)8 << 20) /* bytes of a line */
/* Bytes of an answer; the best that are not larger together are given. */
#define POSTGRES_ANSWER_MAX (((size_t)4 << 20) - 4096)

/* Bytes of the columns of all projects of a question, or of one that is pushed: more than
 * a million documents. */
#define POSTGRES_COLUMNS_MAX ((size_t)16 << 20)

struct postgres_request {
	/* Of remote_answer_postgres(). */
	const char *url;   /* of the server; NULL: none is set */
	const char *argv0; /* of the program */
	int64_t ms;	   /* for all of it; 0: what the verb usually takes */
	struct lines in;
	struct buf out; /* the answer */

	/* Set by postgres_request_read(), and by postgres_open(). */
	struct arena arena;
	struct value v; /* the first line */
	struct postgres pg;
};

/* Read the first line of R->in into R->v. Return 0 or -1. */
int postgres_request_read(struct postgres_request *r, struct err *e);

/* Set *NAME to the project in MAP. Return 0, or -1 if it cannot be a name. */
int postgres_request_project(struct postgres_request *r,
			     const struct value *map, const char **name,
			     struct err *e);

/* Replace the answer by the line of an error, E. */
void postgres_request_fail(struct postgres_request *r, const struct err *e);

void postgres_request_release(struct postgres_request *r);

/* The verbs, on the connection of R, which is open. Each returns 0 or -1.
 *
 * postgres_query() appends the hits of the question of R, and the members of the last
 * line to LAST. postgres_push() and postgres_push_purge() change the documents of a
 * project, in one transaction under a lock of the project. Both read, change and write
 * the columns and the postings of all terms that they touch, so a question sees the
 * project as it was before or after, never between. The documents of a push are the next
 * lines of R->in. */
int postgres_query(struct postgres_request *r, struct buf *last, struct err *e);
int postgres_push(struct postgres_request *r, const char *project,
		  struct err *e);
int postgres_push_purge(struct postgres_request *r, const char *project,
			struct err *e);

/* A question about more documents is answered by words. The function vectors() of the
 * schema has the same limit. */
#define POSTGRES_VECTORS_MAX 40000

/* The vectors of a project's documents are made by the encoder of sentences. A vector
 * depends only on the text and the encoder, so all who have one encoder share them. If
 * the user's settings name another encoder, none are made or compared.
 *
 * Return the name of ENCODER on the server, in A. */
struct embed;
const char *postgres_vectors_name(const struct embed *encoder, struct arena *a);

/* Return how many of DOCUMENTS lack a vector, if N have one by the encoder NAME. */
int64_t postgres_vectors_lacking(struct postgres_request *r, int64_t documents,
				 const char *name, int64_t n);

/* Make the vectors that PROJECT lacks, as long as there is time, and append to the answer
 * how many. Return 0 or -1. */
int postgres_vectors_make(struct postgres_request *r, const char *project,
			  struct err *e);

#endif
