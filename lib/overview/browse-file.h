/* browse-file.h: where the page of browse.h goes, and who shows it.
 *
 * A page has what its stores have, the user's too, so it is for the user alone:
 * 0600, in $XDG_CACHE_HOME/co-cli/browse/, 0700, one for each project, made anew
 * each time.  Pages are derived: who purges a memory forgets them all.
 */
#ifndef CO_OVERVIEW_BROWSE_FILE_H
#define CO_OVERVIEW_BROWSE_FILE_H

#include "store/store.h"

/* Append the path of the page of S.  -1: nothing says where the cache is. */
int browse_file_path(struct buf *path, const struct store *s, struct err *e);

/* Put the LEN bytes of PAGE there, the folder made where it is absent. */
int browse_file_keep(const char *path, const char *page, size_t len,
		     struct err *e);

/* Put them into the file that a person named; one that is there keeps its mode.
 * *PATH, in A, is its absolute path. */
int browse_file_write(const char *name, const char *page, size_t len,
		      struct arena *a, const char **path, struct err *e);

/* Remove all pages that browse_file_keep() made.  0, or -1: one may be left. */
int browse_file_forget(struct err *e);

/* Append the path of the program that shows files to a person; false where
 * nothing could be shown to them here: standard output is no terminal, there is
 * no display, or no such program. */
bool browse_file_viewer(struct buf *program, const char *argv0);

#endif
