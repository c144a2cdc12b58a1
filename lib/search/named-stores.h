/* named-stores.h: the stores that a project names in its settings, to be read.
 *
 * A named store is in a directory of the work tree, mostly a submodule or a vendored
 * copy, that has a `.co-cli`. Its ids are NAME:7. Nothing writes to it here, and its
 * texts are external unless the user's setting safe.stores lists its directory.
 */
#ifndef CO_SEARCH_NAMED_STORES_H
#define CO_SEARCH_NAMED_STORES_H

#include "repo/settings.h"
#include "search/projects.h"

/* Open the store WHICH of OWN's project as S. Its strings are in A. Return 1; 0 if its
 * directory has no store; -1 with ERR_SYSTEM if that is a symbolic link, outside of the
 * work tree, another user's, or cannot be read. */
int named_store_open(struct store *s, const struct settings_store *which,
		     const struct store *own, struct arena *a, struct err *e);

/* Open the store NAME of OWN's project in the same way. ERR_USAGE: the project names no
 * such store. ERR_NO: there is none in its directory. Return 0 or -1. */
int named_store_find(struct store *s, const char *name, const struct store *own,
		     struct arena *a, struct err *e);

/* Add all of OWN's project to P, which closes them. Those without a store are left
 * out. Others that cannot be opened, or are more than the system can open at once, are
 * reported to OWN's report. */
void named_stores_open(struct projects *p, const struct store *own);

#endif
