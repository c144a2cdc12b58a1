/* postgres.h: a connection to PostgreSQL. Only the files postgres*.c use libpq.
 *
 * Every wait ends at the deadline of the connection. Statements are sent in a pipeline:
 * postgres_send() any number, and then postgres_result() for each, in order, is one
 * round trip. Values are always parameters, never part of a statement.
 *
 * A failure sets the kind of the connection's error besides E. The kinds are the closed
 * list of co-remote-postgres(1).
 */
#ifndef CO_REMOTE_POSTGRES_H
#define CO_REMOTE_POSTGRES_H

#include "base/buf.h"
#include "base/err.h"

enum postgres_kind {
	POSTGRES_INTERNAL,
	POSTGRES_UNREACHABLE,
	POSTGRES_REFUSED,
	POSTGRES_SCHEMA,
	POSTGRES_TIMEOUT,
	POSTGRES_LIMIT,
	POSTGRES_INVALID,
	POSTGRES_CONFLICT
};

extern const char *const postgres_kind_names[];

struct postgres {
	struct pg_conn *conn; /* libpq's */
	int64_t until;	      /* the deadline, see instant_monotonic_ms() */
	size_t sent;	      /* statements without a result yet */
	bool synced;
	enum postgres_kind kind; /* of the last failure */
};

/* Set the kind of PG's failure and E. Returns -1. */
int postgres_fail(struct postgres *pg, enum postgres_kind kind, struct err *e,
		  const char *fmt, ...) PRINTF(4, 5);

/* Connect PG to URL, a URL or words of libpq, within MS milliseconds. A URL with a
 * password is refused. A server that is not on this machine must prove who it is, by
 * TLS, and its name must be in its certificate. Return 0 or -1. Close it with
 * postgres_close() in any case. */
int postgres_open(struct postgres *pg, const char *url, int64_t ms,
		  struct err *e);
void postgres_close(struct postgres *pg);

/* Return the version of the server, and the role of the connection. Borrowed. */
const char *postgres_version(const struct postgres *pg);
const char *postgres_role(const struct postgres *pg);

#endif
