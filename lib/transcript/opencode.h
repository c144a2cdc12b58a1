/* opencode.h: the sessions of opencode. */
#ifndef CO_TRANSCRIPT_OPENCODE_H
#define CO_TRANSCRIPT_OPENCODE_H

#include "transcript/reading.h"

#define OPENCODE_MAGIC "SQLite format 3" /* and a NUL */

/* Give each turn of the session of RD; as turn_fn.  ERR_USAGE: none is named, of
 * a database; ERR_NO: there is no such one; ERR_BUSY. */
int opencode_read(struct reading *rd);

/* True if FD is a database. */
bool opencode_is_database(int fd);

struct opencode_session {
	const char *id, *directory;
	int64_t created, updated; /* milliseconds since 1970 */
	uint64_t bytes;		  /* of its parts */
};

/* Call FN with each session of the database at PATH that no other one began;
 * nonzero from FN ends the walk and is returned, else 0 or -1. */
typedef int opencode_fn(void *ctx, const struct opencode_session *s);
int opencode_each(const char *path, opencode_fn *fn, void *ctx, struct err *e);

#endif
