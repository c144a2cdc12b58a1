/* cursor.h: read the sessions of Cursor's editor. */
#ifndef CO_READER_CURSOR_H
#define CO_READER_CURSOR_H

#include "turns/database.h"

/* See struct reader. The size of a session is not known: a database may have
 * gigabytes. In one of a release before 3, neither is its directory. */
int cursor_read(struct reading *rd);
int cursor_each(const char *path, stored_session_fn *fn, void *ctx,
		struct err *e);

#endif
