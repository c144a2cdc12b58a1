/* removals.h: the folders of the trash, one a removal.
 *
 * "TIMESTAMP-N": N grows, and the highest is the newest, whatever the clock
 * says.  A folder of another name counts as the oldest.
 */
#ifndef CO_REMOVALS_H
#define CO_REMOVALS_H

#include "shelf.h"

struct removals {
	struct arena *a;
	const char **names; /* in A, the array itself is to be freed */
	size_t n, cap;
};

/* The names of all, newest first; release names with free(), also when this
 * fails. */
int removals_list(struct store *s, struct arena *a, struct removals *list,
		  struct err *e);

/* True if FOLDER is "trash/NAME", of a removal. */
bool removals_is_folder(const char *folder);

/* Make the folder of a new one: *FOLDER, in A, is its path below knowledge/,
 * *FD is yours. */
int removals_new(struct store *s, struct arena *a, const char **folder, int *fd,
		 struct err *e);

/* Remove the one that FOLDER ("trash/NAME", or "trash/NAME/drafts") is of, if
 * it is empty.  Cannot fail: what stays is empty. */
void removals_drop_empty(struct store *s, struct arena *a, const char *folder);

#endif
