/* trash-folders.h: the folders of the trash, one a removal.
 *
 * "TIMESTAMP-N": N grows, and the highest is the newest, whatever the clock
 * says.  A folder of another name counts as the oldest.
 *
 * A clone may bring folders that others removed things to.  What was removed here
 * is told by a file in its folder that git cannot bring: its time is long past,
 * and git gives each file the time of the checkout.  A pull may also write into a
 * folder that is ours, so none counts as ours in which git tracks a file.
 */
#ifndef CO_STORE_TRASH_FOLDERS_H
#define CO_STORE_TRASH_FOLDERS_H

#include "store/handle.h"

struct trash_folders {
	struct arena *a;
	const char **names; /* in A, the array itself is to be freed */
	size_t n, cap;
};

/* The names of all, newest first; release names with free(), also when this
 * fails. */
int trash_folders_list(struct store *s, struct arena *a,
		       struct trash_folders *list, struct err *e);

/* The memories and articles in FOLDER of the trash, by their paths below it, in
 * order; release as trash_folders_list(). */
int trash_folders_contents(struct store *s, const char *folder, struct arena *a,
			   struct trash_folders *list, struct err *e);

/* Call FN for each removal, the newest first, until it returns something, which
 * is returned: FOLDER is "trash/NAME", OURS tells whether it was made here.  The
 * lock is held.  0 where there is none; -1. */
typedef int trash_folders_fn(void *ctx, const char *folder, bool ours,
			     struct err *e);
int trash_folders_each(struct store *s, trash_folders_fn *fn, void *ctx,
		       struct err *e);

/* Make the folder of a new one: *FOLDER, in A, is its path below knowledge/,
 * *FD is yours. */
int trash_folders_new(struct store *s, struct arena *a, const char **folder,
		      int *fd, struct err *e);

/* Open FOLDER of the trash, and make it as ours where it is absent. */
int trash_folders_open(struct store *s, const char *folder, int *fd,
		       struct err *e);

/* Remove the one that FOLDER ("trash/NAME", or "trash/NAME/drafts" and
 * so on) is of, if it is empty.  Cannot fail: what stays is empty. */
void trash_folders_drop_empty(struct store *s, struct arena *a,
			      const char *folder);

#endif
