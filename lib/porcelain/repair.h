/* repair.h: repairing the faults of a store that have one right repair.
 *
 * - An id that stands twice, as after a merge: the later `created` moves, ties
 *   by file name, to ids above all in memories/ alone, so that two people who
 *   repair the same merge agree.  The file keeps its name and all its other
 *   bytes.
 * - A Markdown file without frontmatter: it gets the id that its name begins
 *   with, where that is free, else the next one, `created` from its mtime and
 *   `source: file`; its text is untouched.
 */
#ifndef CO_PORCELAIN_REPAIR_H
#define CO_PORCELAIN_REPAIR_H

#include "porcelain/check.h"

/* Called with a sentence for each repair made. */
typedef void repair_fn(void *ctx, const char *what);

/* Repair S under its lock; what cannot be repaired goes to its report.  -1:
 * ERR_BUSY, ERR_SYSTEM; what was repaired before stays repaired. */
int repair_store(struct store *s, repair_fn *fn, void *ctx, struct err *e);

#endif
