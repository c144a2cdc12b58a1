/* browse-file.h: where the page of browse.h goes, and who shows it.
 *
 * A page has what its stores have, the user's too, so it is for the user alone:
 * 0600, in $XDG_CACHE_HOME/co-cli/browse/, 0700, one for each project, made anew
 * each time.  Pages are derived: who purges a memory forgets them all.
 */
#ifndef CO_PORCELAIN_BROWSE_FILE_H
#define CO_PORCELAIN_BROWSE_FILE_H

#include "store/store.h"

/* Remove all pages that browse_file_keep() made.  0, or -1: one may be left. */
int browse_file_forget(struct err *e);

#endif
