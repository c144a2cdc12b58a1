/* assume.h: what a writer takes from the cache without looking at files.
 *
 * A save must not get slower as a store grows, so it cannot look at every
 * file.  While the folders are as they were when the catalog was last written,
 * nobody has added, removed or renamed a file, and what the catalog says of
 * ids and contents is believed.  The store's lock is held by the caller
 * throughout.
 *
 * What stands in the folder of a removal came there from a folder that is
 * looked at, so that no removal is, however many there are.
 *
 * Known limits: an id that a person has raised in place, in a file whose name
 * stayed, is seen by the next reader but not by a save before it; neither is a
 * file that a person puts into an old removal, nor a file that a person puts
 * there in the milliseconds in which a save writes its own, or a removal takes
 * one away, since the folder has changed anyway.  If such a file has the very
 * next id, or the one that comes back, that id may be given once more, which
 * every reader tells; and the next reader lists the folder, so that no file
 * stays unseen.
 */
#ifndef CO_CACHE_ASSUME_H
#define CO_CACHE_ASSUME_H

#include "repo/layout.h"
#include "repo/record.h"

#include <sys/stat.h>

struct cache;

/* The highest id of the store: 1, or 0 where that is not known. */
int assume_max(struct cache *c, int64_t *max);

/* The files that may hold what hashes to KEY (see text/fold.h), and nobody else
 * does: false where that is not known.  They live in A. */
struct assume_paths {
	struct assume_path {
		enum area area;
		const char *path;
	} * items;
	size_t n;
};
bool assume_equal(struct cache *c, uint64_t key, struct arena *a,
		  struct assume_paths *out);

/* The folder DIR (-1: it is not there), FOLDER as layout_open() has it, before a
 * file is made in it, and what was made: the memory ID, of LEN bytes of TEXT,
 * under NAME.  The catalog is told, if nobody is in the way; else the next who
 * looks will see. */
struct assume_slip {
	struct stat folder;
	bool known, absent;
};
void assume_before(struct assume_slip *slip, int dir);
void assume_after(struct cache *c, const struct assume_slip *slip,
		  const char *folder, int dir, const char *name,
		  const struct record *r, const char *text, size_t len);

#endif
