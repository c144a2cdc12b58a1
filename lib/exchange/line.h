/* line.h: the callbacks that get the memories that were read or exported. */
#ifndef CO_EXCHANGE_LINE_H
#define CO_EXCHANGE_LINE_H

#include "base/err.h"

#include <stddef.h>

/* Called with one memory as a JSON object: as store/save.h accepts it, or as
 * a record with its frontmatter. -1 stops the iteration. */
typedef int exchange_fn(void *ctx, const char *line, size_t len, struct err *e);

/* Called with a piece of the export, and the name of its file if files are
 * written. -1 stops the export. */
typedef int export_fn(void *ctx, const char *name, const char *p, size_t len,
		      struct err *e);

#endif
