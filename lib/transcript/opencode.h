/* opencode.h: read the sessions of opencode. */
#ifndef CO_TRANSCRIPT_OPENCODE_H
#define CO_TRANSCRIPT_OPENCODE_H

#include "transcript/reading.h"

#define OPENCODE_MAGIC "SQLite format 3" /* and a NUL */

/* Pass each turn of RD's session to its callback. Return 0, 1 if the callback
 * stopped it, or -1: ERR_USAGE if the record is a database and RD names no
 * session, ERR_NO if there is no such session, ERR_BUSY. */
int opencode_read(struct reading *rd);

/* Return true if FD is a database. */
bool opencode_is_database(int fd);

struct opencode_session {
	const char *id, *directory;
	int64_t created, updated; /* ms since 1970 */
	uint64_t bytes;		  /* of its parts */
};

/* Call FN for each session in the database at PATH that was not started by
 * another one. A result of FN other than 0 ends the walk and is returned, else
 * 0 or -1. */
typedef int opencode_fn(void *ctx, const struct opencode_session *s);
int opencode_each(const char *path, opencode_fn *fn, void *ctx, struct err *e);

#endif
