/* crush.h: read the sessions of Crush. */
#ifndef CO_READER_CRUSH_H
#define CO_READER_CRUSH_H

#include "turns/database.h"

/* See struct reader. The directory of a session is not known: the database is in
 * the project. */
int crush_read(struct reading *rd);
int crush_each(const char *path, stored_session_fn *fn, void *ctx,
	       struct err *e);

#endif
