/* prune.h: removing what a first-layout folder keeps of things that are gone. */
#ifndef CO_HARVEST_PRUNE_H
#define CO_HARVEST_PRUNE_H

#include "harvest/ledger.h"

/* The key of the split at PATH in the ledger, in A. */
const char *prune_key(const char *path, struct arena *a);

/* Delete the split at PATH, a folder, whose entry in L has that key.  No link in
 * it is followed. */
int prune_split(struct ledger *l, const char *path, struct err *e);

/* Drop from each file-index-*.json of ROOT/conversations the entries whose file
 * is gone, and their conversation as well; *N grows by how many they are. */
int prune_index(const char *root, size_t *n, struct err *e);

#endif
