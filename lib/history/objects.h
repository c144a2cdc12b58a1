/* objects.h: what git's objects hold, handed over one by one by one process. */
#ifndef CO_HISTORY_OBJECTS_H
#define CO_HISTORY_OBJECTS_H

#include "base/buf.h"
#include "base/err.h"

/* A large one may come in pieces, each of which begins with the last bytes of the
 * one before: so many that a text of this length stands whole in one of them. */
#define OBJECTS_OVERLAP ((size_t)1024 * 1024)

struct object {
	const char *name; /* as git calls it */
	const char *type; /* "blob", "tree", "commit", "tag" or "missing" */
	const char *p;	  /* NULL: it is missing, or too large */
	size_t len;	  /* bytes of this piece */
};

/* Append the command with which a user fetches what a partial clone has not of the
 * knowledge in the store at ROOT. */
void objects_add_remedy(struct buf *out, const char *root);

/* Nonzero ends the walk and is returned. */
typedef int object_fn(void *ctx, const struct object *o, struct err *e);

/* Call FN for each object of the repository that DIR lies in whose name stands
 * on a line of NAMES, in that order.  What has more than MAX bytes is too
 * large.  In a partial clone, what would have to be fetched is missing. */
int objects_each(const char *dir, const struct buf *names, size_t max,
		 object_fn *fn, void *ctx, struct err *e);

/* The same for all there are, those too that nothing leads to; large ones come
 * in pieces. */
int objects_each_of_all(const char *dir, object_fn *fn, void *ctx,
			struct err *e);

#endif
