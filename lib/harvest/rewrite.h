/* rewrite.h: change an item file that people may edit at the same time.
 *
 * Editors take no lock. So a file is replaced only if it still has the text
 * that the change was computed from; otherwise the change is computed again.
 */
#ifndef CO_HARVEST_REWRITE_H
#define CO_HARVEST_REWRITE_H

#include "store/store.h"

/* Compose TEXT, which is empty, from WAS, the current text. Returns 1, 0 if
 * nothing changes, or -1. It is called again if the file changes meanwhile. */
typedef int rewrite_fn(void *ctx, const struct buf *was, struct buf *text,
		       struct err *e);

struct rewrite {
	struct store *store; /* the caller holds its lock */
	const char *folder;  /* below knowledge/; "" for knowledge/ itself */
	const char *name;
	rewrite_fn *fn;
	void *ctx;
	size_t max; /* largest result in bytes; 0: ITEM_FILE_GROWN */
};

/* Call FN without writing. Returns as rewrite_file(). */
int rewrite_check(const struct rewrite *rw, struct err *e);

/* Replace or create the file durably. Returns 1, 0 if nothing changes, or -1:
 * ERR_DATA if it is not a regular file or has an unresolved merge; ERR_SYSTEM
 * if it would grow too large; ERR_BUSY if it keeps changing. */
int rewrite_file(const struct rewrite *rw, struct err *e);

#endif
