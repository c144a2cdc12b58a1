/* objects.h: read git objects with one process, one object after another. */
#ifndef CO_HISTORY_OBJECTS_H
#define CO_HISTORY_OBJECTS_H

#include "base/buf.h"
#include "base/err.h"

/* A large object may come in pieces. Each piece begins with the last bytes of
 * the previous one, so that any text of this length is whole in one piece. */
#define OBJECTS_OVERLAP ((size_t)1024 * 1024)

struct object {
	const char *name; /* as printed by git */
	const char *type; /* "blob", "tree", "commit", "tag" or "missing" */
	const char *p;	  /* NULL: missing or too large */
	size_t len;	  /* of this piece */
};

/* Append a shell command that fetches the objects of the store at ROOT that a
 * partial clone lacks. */
void objects_add_remedy(struct buf *out, const char *root);

/* A nonzero result stops the iteration and is returned. */
typedef int object_fn(void *ctx, const struct object *o, struct err *e);

/* Call FN for each object named in NAMES (one per line), in that order, in the
 * repository that contains DIR. An object over LAYOUT_FILE_MAX bytes is passed
 * without content. In a partial clone, objects that would have to be fetched are
 * passed as missing. */
int objects_each(const char *dir, const struct buf *names, object_fn *fn,
		 void *ctx, struct err *e);

/* Call FN for all objects of the repository, including unreachable ones. Large
 * objects come in pieces. */
int objects_each_of_all(const char *dir, object_fn *fn, void *ctx,
			struct err *e);

#endif
