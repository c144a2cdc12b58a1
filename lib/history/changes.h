/* changes.h: turn what each step did to files into changes of memories. */
#ifndef CO_HISTORY_CHANGES_H
#define CO_HISTORY_CHANGES_H

#include "history/file-changes.h"

/* Set the changes of each step of ALL, whose versions must be read.  A memory
 * that disappeared in one file and appeared in another has moved. */
void changes_make(struct file_changes *all);

/* Order the changes of each step of H from new to old, and within one time, as
 * in a commit, from the highest id. */
void changes_order(struct history *h);

/* Change CHANGE_LEARNED to CHANGE_RESTORED where the memory existed in an older
 * step of H.  The newest step is first. */
void changes_mark_restored(struct history *h);

#endif
