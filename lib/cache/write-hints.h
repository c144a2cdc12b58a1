/* write-hints.h: answers for writers from the catalog, without a look at each file.
 *
 * A save must not get slower as a store grows. If no directory changed since
 * the catalog was written, nobody has added, removed or renamed a file, and the
 * catalog's ids and hashes are taken as true. The directories of removals in
 * the trash are not checked: their files came from directories that are.
 *
 * The caller holds the lock of the store. C may be NULL: then nothing is known.
 * Every question may be answered "not known"; the caller must then read the
 * files.
 *
 * Known limits. A save does not see an id that a person has raised in place, in
 * a file that kept its name; nor a file that a person put into an old removal,
 * or into a directory in the milliseconds in which a save or a removal changes
 * that directory. Such an id may be given twice, which every reader reports.
 * The next reader lists the directory, so no file stays unseen.
 */
#ifndef CO_CACHE_WRITE_HINTS_H
#define CO_CACHE_WRITE_HINTS_H

#include "repo/layout.h"
#include "repo/record.h"

#include <sys/stat.h>

struct cache;

/* Set *MAX to the highest id of the store. Return 1, or 0 if it is not
 * known. */
int write_hints_max(struct cache *c, int64_t *max);

/* Set TAKEN[i] for each of the N IDS that a file has or recently had, and
 * *MEMORIES to about the number of memories. Return false if that is not known.
 * A damaged entry may hide its id, so use this for random ids only. */
bool write_hints_ids(struct cache *c, const int64_t *ids, bool *taken, size_t n,
		     size_t *memories);

/* List in OUT, allocated in A, all files whose text may have the unicode_fold_hash()
 * KEY. Return false if they are not known. On true, the next
 * write_hints_max() or write_hints_ids() reuses the check of the directories. */
struct write_hints_paths {
	struct write_hints_path {
		enum area area;
		const char *path;
	} * items;
	size_t n;
};
bool write_hints_equal(struct cache *c, uint64_t key, struct arena *a,
		       struct write_hints_paths *out);

/* Invalidate the directory check of write_hints_equal(). Call it when the lock is
 * released. */
void write_hints_forget(struct cache *c);

/* List in OUT, allocated in A, all memories that may have ID; some of them may
 * be gone. Return false if they are not known. A damaged entry may hide its
 * id. */
bool write_hints_with_id(struct cache *c, int64_t id, struct arena *a,
			 struct write_hints_paths *out);

/* List in OUT, allocated in A, all memories that may say that KEY is true (see
 * record_keys_maybe()). A path may be listed twice; a file may be gone or
 * changed. A change in place is missed until a reader has looked at the files.
 * Return false if they are not known. */
bool write_hints_with_key(struct cache *c, const char *key, struct arena *a,
			  struct write_hints_paths *out);

/* Return true if the catalog on disk is that of the memories now, as far as their
 * directories tell: nobody has added, removed or renamed a file. Set *ST to the stat
 * of the catalog, whose inode and size identify its state. A change in place is missed
 * until a reader has looked at the files. */
bool write_hints_are_current(struct cache *c, struct stat *st);

/* Report a new file to the catalog.
 *
 * write_hints_before() records the stat of DIR (-1: it does not exist) in SLIP
 * before the file is made. write_hints_after() then adds the file NAME of the
 * directory FOLDER, a path for layout_open(): the memory R, LEN bytes of TEXT.
 * If the catalog is locked, the next reader finds the file itself. */
struct write_hints_slip {
	struct stat folder;
	bool known, absent;
};
void write_hints_before(struct write_hints_slip *slip, int dir);
void write_hints_after(struct cache *c, const struct write_hints_slip *slip,
		       const char *folder, int dir, const char *name,
		       const struct record *r, const char *text, size_t len);

/* Report that files were removed from DIR, after write_hints_before(): the entries
 * of the other files stay valid. */
void write_hints_gone(struct cache *c, const struct write_hints_slip *slip,
		      const char *folder, int dir);

/* Report a removal. SLIP is the stat of the directory TRASH before DIR, called
 * FOLDER, was made in it. DIR and its parts hold the files that write_hints_gone()
 * reported. */
void write_hints_removed(struct cache *c, const struct write_hints_slip *slip,
			 int trash, const char *folder, int dir);

#endif
