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

/* Note in TAKEN which of the N IDS are taken, of what stands or stood a while ago,
 * and in *MEMORIES about how many memories there are; false where that is not
 * known.  An entry that is damaged may hide its id: what is asked are random
 * ones. */
bool assume_ids(struct cache *c, const int64_t *ids, bool *taken, size_t n,
		size_t *memories);

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

/* The lock is given back: what assume_equal() saw of the folders, which holds for
 * one assume_max() or assume_ids() behind it, holds no more. */
void assume_nothing(struct cache *c);

/* The memories that may bear ID, and nobody else in memories/ does, some of which
 * may be gone: false where that is not known.  An entry that is damaged may hide
 * its id. */
bool assume_bearers(struct cache *c, int64_t id, struct arena *a,
		    struct assume_paths *out);

/* The memories that may say that KEY is true (see record_keys_maybe()), some
 * perhaps twice, and which may be gone or changed since: false where that is not
 * known.  One that was changed in place, its folder being as it was, is seen once
 * somebody has looked at the files. */
bool assume_keyed(struct cache *c, const char *key, struct arena *a,
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

/* The same of DIR, from which files are gone since: what the catalog has of the
 * others stays true, and is told so. */
void assume_gone(struct cache *c, const struct assume_slip *slip,
		 const char *folder, int dir);

/* The same of TRASH, the trash, since when FOLDER was made in it, which is DIR and
 * has, itself or in its parts, the files that assume_gone() told of; elsewhere
 * than in it nothing is. */
void assume_removed(struct cache *c, const struct assume_slip *slip, int trash,
		    const char *folder, int dir);

/* The same of DIR, to which the file NAME came back, which bears ID: where it is
 * known, what C was asked stays true for who asks it next, until it looks at
 * files.  Nobody else is told. */
void assume_back(struct cache *c, const struct assume_slip *slip,
		 const char *folder, int dir, const char *name, int64_t id);

#endif
