/* browse-file.h: the file of the page of browse.h, and the program that shows
 * it.
 *
 * A page holds the memories of the project and the user, so only the user may
 * read it: mode 0600, in $XDG_CACHE_HOME/co-cli/browse/ with mode 0700. There
 * is one file per project, rewritten each time. A purge removes all of them.
 */
#ifndef CO_OVERVIEW_BROWSE_FILE_H
#define CO_OVERVIEW_BROWSE_FILE_H

#include "store/store.h"

/* Append the path of the page of S. Return 0, or -1 if the cache directory is
 * unknown. */
int browse_file_path(struct buf *path, const struct store *s, struct err *e);

/* Write the LEN bytes of PAGE to PATH; the directory is created if
 * necessary. */
int browse_file_keep(const char *path, const char *page, size_t len,
		     struct err *e);

/* Write PAGE to the file NAME, which the user chose. An existing file keeps its
 * mode. Set *PATH to its absolute path, allocated in A. */
int browse_file_write(const char *name, const char *page, size_t len,
		      struct arena *a, const char **path, struct err *e);

/* Remove all pages that browse_file_keep() wrote. Return 0, or -1 if some may
 * remain. */
int browse_file_forget(struct err *e);

/* Append the path of the program that opens files for the user. Return false if
 * nothing can be shown: standard output is not a terminal, there is no display,
 * or the program is not installed. */
bool browse_file_viewer(struct buf *program, const char *argv0);

#endif
