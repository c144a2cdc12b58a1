/* sparse-checkout.h: what a sparse checkout leaves out of a work tree. */
#ifndef CO_REPO_SPARSE_CHECKOUT_H
#define CO_REPO_SPARSE_CHECKOUT_H

#include "repo/gitdir.h"

/* True if git's index says that what stands below FOLDER ("sub/name"), a path
 * from the top of the work tree of G, is tracked and left out: 1, 0, or -1:
 * there is an index that cannot be read. */
int sparse_leaves_out(const struct gitdir *g, const char *folder,
		      struct err *e);

#endif
