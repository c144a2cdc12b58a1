/* tracked.h: read the files of a work tree that git tracks.
 *
 * Only regular files of at most TRACKED_FILE bytes are read, never through a link.
 */
#ifndef CO_MINING_TRACKED_H
#define CO_MINING_TRACKED_H

#include "base/buf.h"
#include "base/err.h"

#define TRACKED_FILE ((size_t)1024 * 1024)
#define TRACKED_FILES ((size_t)100000)		  /* read at most */
#define TRACKED_BYTES ((size_t)512 * 1024 * 1024) /* of all files, likewise */

/* A file that can be read. */
struct tracked_file {
	const char *path; /* relative to the directory */
	const struct buf *text;
	bool unmerged; /* it has a conflict of a merge, with more than one version */
};

/* Called with each file. Returns false to stop. */
typedef bool tracked_fn(void *ctx, const struct tracked_file *f);

/* Call FN for the tracked files below DIR, an absolute path, that match PATHS, git's
 * pathspecs, which NULL ends. A file that the system does not let be read is reported
 * to R. Returns 0; 1, there are files that were not read: such a file, or a limit was
 * reached; or -1, ERR_HELPER or ERR_SYSTEM. */
int tracked_each(const char *dir, const char *const *paths,
		 const struct report *r, tracked_fn *fn, void *ctx,
		 struct err *e);

#endif
