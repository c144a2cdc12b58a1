/* opencode.h: read the sessions of opencode. */
#ifndef CO_READER_OPENCODE_H
#define CO_READER_OPENCODE_H

#include "turns/database.h"

/* Pass each turn of RD's session to its callback. Return 0, 1 if the callback
 * stopped it, or -1: ERR_USAGE if the record is a database and RD names no
 * session, ERR_NO if there is no such session, ERR_BUSY. */
int opencode_read(struct reading *rd);

/* Call FN for each session in the database at PATH that was not started by
 * another one (see database_each_session()). */
int opencode_each(const char *path, stored_session_fn *fn, void *ctx,
		  struct err *e);

#endif
