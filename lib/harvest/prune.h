/* prune.h: remove data of a first-layout folder whose source is gone. */
#ifndef CO_HARVEST_PRUNE_H
#define CO_HARVEST_PRUNE_H

#include "harvest/ledger.h"

/* Return the ledger key of the split at PATH, allocated in A. */
const char *prune_key(const char *path, struct arena *a);

/* Delete the directory of the split at PATH, and record that in L.  Links in it
 * are not followed. */
int prune_split(struct ledger *l, const char *path, struct err *e);

/* Remove from each file-index-*.json of ROOT/conversations the entries whose
 * file and conversation are both gone.  Adds their number to *N. */
int prune_index(const char *root, size_t *n, struct err *e);

#endif
