/* kiro.h: read the sessions of Kiro's command. */
#ifndef CO_READER_KIRO_H
#define CO_READER_KIRO_H

#include "turns/database.h"

/* See struct reader. */
int kiro_read(struct reading *rd);
int kiro_each(const char *path, stored_session_fn *fn, void *ctx,
	      struct err *e);

#endif
