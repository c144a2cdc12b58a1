/* changes.h: what each step did to memories, made of what it did to files. */
#ifndef CO_HISTORY_CHANGES_H
#define CO_HISTORY_CHANGES_H

#include "history/touches.h"

/* Give each step of the history of ALL, whose texts are there, its changes: what
 * went in one file and came in another is one memory that moved. */
void changes_make(struct touches *all);

/* Order the changes of each step of H from the newest: by when they were, and where that
 * is the same, as within a commit, from the highest id. */
void changes_order(struct history *h);

/* In H, the newest step first, what came back was there before. */
void changes_mark_restored(struct history *h);

#endif
