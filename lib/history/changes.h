/* changes.h: turn what each step did to files into changes of memories. */
#ifndef CO_HISTORY_CHANGES_H
#define CO_HISTORY_CHANGES_H

#include "history/file-changes.h"

/* Set the changes of each step of ALL, whose versions must be read. A memory that
 * disappeared in one file and appeared in another has moved.
 *
 * A file of the work tree may be unmodified though its bytes differ, because
 * .gitattributes makes git convert it: `ident`, `working-tree-encoding` or a filter.
 * Git computes the blob of such a file, except for files with a filter: no program
 * from the configuration of a repository is run. A file with a filter is unmodified if
 * git's index says so; otherwise it counts as modified. */
void changes_make(struct file_changes *all);

/* Order the changes of each step of H from new to old, and within one time, as
 * in a commit, from the highest id. */
void changes_order(struct history *h);

/* Change CHANGE_LEARNED to CHANGE_RESTORED where the memory existed in an older
 * step of H.  The newest step is first. */
void changes_mark_restored(struct history *h);

#endif
