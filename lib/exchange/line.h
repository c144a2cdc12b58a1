/* line.h: what is handed on, of memories that were read and of those that are
 * exported. */
#ifndef CO_EXCHANGE_LINE_H
#define CO_EXCHANGE_LINE_H

#include "base/err.h"

#include <stddef.h>

/* Gets one memory as a JSON object, as store/import.h takes it, or as a record
 * with its frontmatter; -1 ends the walk. */
typedef int exchange_fn(void *ctx, const char *line, size_t len, struct err *e);

/* Gets a part of what is exported, and the name of the file that it is, where it
 * goes to files; -1 ends the walk. */
typedef int export_fn(void *ctx, const char *name, const char *p, size_t len,
		      struct err *e);

#endif
