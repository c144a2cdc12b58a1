/* trash-folders.h: the directories of the trash, one per removal.
 *
 * Their names are "TIMESTAMP-N". N grows, and the highest is the newest, whatever the
 * clock says. A directory with another name counts as the oldest.
 *
 * A clone may bring removals of other people. A removal that was made here has a file
 * that git cannot bring: its time is long past, and git gives each file the time of the
 * checkout. A pull may also write into a directory that is ours, so a removal in which
 * git tracks a file does not count as ours.
 */
#ifndef CO_STORE_TRASH_FOLDERS_H
#define CO_STORE_TRASH_FOLDERS_H

#include "base/strings.h"
#include "store/handle.h"

/* Set *NAMES to those of all removals, the newest first, in A. The caller frees the
 * array, also after -1. Return 0 or -1. */
int trash_folders_list(struct store *s, struct arena *a, struct strings *names,
		       struct err *e);

/* Set *PATHS to the paths, below FOLDER of the trash, of the memories and articles in
 * it, in order, in A. The caller frees the array, also after -1. Return 0 or -1. */
int trash_folders_contents(struct store *s, const char *folder, struct arena *a,
			   struct strings *paths, struct err *e);

/* Call FN for each removal, the newest first, until it returns nonzero, which is
 * returned. FOLDER is "trash/NAME"; OURS is true if it was made here. The caller holds
 * the lock. Returns 0 at the end, or -1. */
typedef int trash_folders_fn(void *ctx, const char *folder, bool ours,
			     struct err *e);
int trash_folders_each(struct store *s, trash_folders_fn *fn, void *ctx,
		       struct err *e);

/* Make the directory of a new removal. *FOLDER, allocated in A, is its path below
 * knowledge/. The caller closes *FD. */
int trash_folders_new(struct store *s, struct arena *a, const char **folder,
		      int *fd, struct err *e);

/* Open FOLDER of the trash. If it is absent, create it as a removal made here. Return 0
 * or -1. */
int trash_folders_open(struct store *s, const char *folder, int *fd,
		       struct err *e);

/* Remove the directory of the removal that FOLDER ("trash/NAME", "trash/NAME/drafts"
 * and so on) belongs to, if it is empty. Errors are ignored: what stays is empty. */
void trash_folders_drop_empty(struct store *s, struct arena *a,
			      const char *folder);

#endif
