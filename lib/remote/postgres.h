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

#include "base/arena.h"
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
	bool no_schema;		 /* it is that there is no schema of a name */
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

#define POSTGRES_ARGS_MAX 9

/* Parameters of a statement, borrowed until it is sent. A zeroed one is empty. */
struct postgres_args {
	int n;
	unsigned types[POSTGRES_ARGS_MAX];
	const char *values[POSTGRES_ARGS_MAX];
	int lengths[POSTGRES_ARGS_MAX], formats[POSTGRES_ARGS_MAX];
	char numbers[POSTGRES_ARGS_MAX][24];
};

/* Add a text (NULL: null), bytes, or a number. */
void postgres_arg_text(struct postgres_args *args, const char *text);
void postgres_arg_bytes(struct postgres_args *args, const void *p, size_t len);
void postgres_arg_number(struct postgres_args *args, int64_t n);

/* An array of bytes, texts or numbers as a parameter. A zeroed one is empty. */
enum postgres_type {
	POSTGRES_BYTES = 17,
	POSTGRES_TEXT = 25,
	POSTGRES_NUMBER = 23
};
struct postgres_array {
	struct buf bytes;
	size_t n;
};
void postgres_array_add(struct postgres_array *a, const void *p, size_t len);
void postgres_array_add_number(struct postgres_array *a, uint32_t n);
void postgres_array_clear(struct postgres_array *a);
void postgres_array_release(struct postgres_array *a);

/* Add A, whose items have TYPE. */
void postgres_arg_array(struct postgres_args *args, struct postgres_array *a,
			enum postgres_type type);

/* The rows of a statement. A zeroed one is empty. */
struct postgres_rows {
	struct pg_result *result; /* libpq's */
	size_t n;
};

/* Send a statement; ARGS may be NULL. Return 0 or -1. */
int postgres_send(struct postgres *pg, const char *sql,
		  const struct postgres_args *args, struct err *e);

/* Replace ROWS by the rows of the next statement that was sent. NULL: they are not
 * needed. Return 0 or -1. */
int postgres_result(struct postgres *pg, struct postgres_rows *rows,
		    struct err *e);

/* Send a statement and get its result. */
int postgres_run(struct postgres *pg, const char *sql,
		 const struct postgres_args *args, struct postgres_rows *rows,
		 struct err *e);

/* End the transaction, also if it only read: a pooler then keeps its connection to the
 * server. */
int postgres_commit(struct postgres *pg, struct err *e);

/* Run SQL, any number of statements without parameters. Return 0 or -1. */
int postgres_script(struct postgres *pg, const char *sql, struct err *e);

/* Return the bytes of a value, and set *LEN unless it is NULL; "" for a null. The type of
 * the column is bytea, text, or an integer of four bytes. Borrowed from ROWS. */
const char *postgres_bytes(const struct postgres_rows *rows, size_t row,
			   int column, size_t *len);
bool postgres_is_null(const struct postgres_rows *rows, size_t row, int column);
int64_t postgres_number(const struct postgres_rows *rows, size_t row,
			int column);
/* Return a time (timestamptz) in RFC 3339, to the second, in A; "" for a null. */
const char *postgres_time(const struct postgres_rows *rows, size_t row,
			  int column, struct arena *a);
bool postgres_flag(const struct postgres_rows *rows, size_t row, int column);
void postgres_rows_release(struct postgres_rows *rows);

#endif
