/* database.h: read a SQLite database of another program.
 *
 * The program may be writing the database. So it is opened read-only, its locks
 * are respected, and no file is created, changed or removed next to it. A link
 * is refused, as is anything but a regular file. The database may be hostile:
 * views cannot be read, and rows and work have limits.
 *
 * This is the only user of SQLite for databases that are not ours.
 */
#ifndef CO_TURNS_DATABASE_H
#define CO_TURNS_DATABASE_H

#include "turns/reading.h"

#define DATABASE_ROW_MAX ((size_t)64 * 1024 * 1024) /* bytes of a value */

struct database;
struct rows;

/* Return true if the contents of FD are a database. */
bool database_is(int fd);

/* Return true if the database at PATH has the tables and columns of the query
 * SQL. */
bool database_answers(const char *path, const char *sql);

/* Prepare the query SQL, which has at most the parameter ?1. The caller closes
 * *ROWS, which is NULL after an error. Return 0 or -1: ERR_DATA if DB lacks a
 * table or column, as a database of an unknown version does. */
int database_ask(struct database *db, const char *sql, struct rows **rows,
		 struct err *e);

/* Go before the first row for the parameter ARG, which is borrowed until the
 * next call or database_end(). */
void database_start(struct rows *r, const char *arg);

/* Go to the next row. Return 1, 0 if there is none, or -1: ERR_DATA, ERR_BUSY if
 * the database's program is in the middle of a write, ERR_SYSTEM. */
int database_next(struct rows *r, struct err *e);

/* Return the text or bytes in the column COL of the current row, borrowed until
 * the next one, and set *LEN unless it is NULL. Return NULL for a null. The
 * text ends with a NUL and may contain others. */
const char *database_text(struct rows *r, int col, size_t *len);

int64_t database_number(struct rows *r, int col);

/* Parse the column COL, of at most MAX bytes, as JSON into V, which is valid
 * until RD parses again. Return false if it is none, which RD counts. */
bool database_parse(struct rows *r, struct reading *rd, int col, size_t max,
		    struct value *v);

/* Release R, which may be NULL. */
void database_end(struct rows *r);

/* Call READ with RD's database. Return its result, or -1: ERR_USAGE if RD names
 * no session, else as database_next(). */
int database_read(struct reading *rd,
		  int (*read)(struct reading *rd, struct database *db));

/* Call FN with each row of the query SQL, whose parameter is RD's session. A
 * result of FN other than 0 ends the walk and is returned, else 0, or -1:
 * ERR_NO if there is no row. */
int database_each_row(struct reading *rd, struct database *db, const char *sql,
		      int (*fn)(struct reading *rd, struct rows *row));

/* A session in a database. */
struct stored_session {
	const char *id;
	const char *directory;	  /* NULL: unknown */
	int64_t created, updated; /* ms since 1970 */
	uint64_t bytes;		  /* of its contents */
};

typedef int stored_session_fn(void *ctx, const struct stored_session *s);

/* Call FN for each row of the query SQL of the database at PATH. Its columns are
 * the members of a stored_session, in their order; rows without an id are
 * ignored. A result of FN other than 0 ends the walk and is returned, else 0 or
 * -1. */
int database_each_session(const char *path, const char *sql,
			  stored_session_fn *fn, void *ctx, struct err *e);

#endif
