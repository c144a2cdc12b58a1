/* target.h: the store that a memory is to go to, as a person names it. */
#ifndef CO_MOVE_TARGET_H
#define CO_MOVE_TARGET_H

#include "store/store.h"

/* Open the store NAME: "global", the folder of a project, or the id or the folder's
 * name of a known one (see repo/known-projects.h), which a word without a slash or
 * a dot in front is first.  ERR_USAGE: there is none, or two are called so. */
int target_open(struct store *s, const char *name, const struct report *r,
		struct arena *a, struct err *e);

#endif
