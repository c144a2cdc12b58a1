/* goose.h: read the sessions of Goose. */
#ifndef CO_READER_GOOSE_H
#define CO_READER_GOOSE_H

#include "turns/database.h"

/* See struct reader. */
int goose_read(struct reading *rd);
int goose_each(const char *path, stored_session_fn *fn, void *ctx,
	       struct err *e);

#endif
