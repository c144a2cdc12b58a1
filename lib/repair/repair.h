/* repair.h: repairing the faults of a store that have one right repair.
 *
 * - An id that stands twice, as after a merge: the later `created` moves, ties
 *   by file name, to ids above all in memories/ alone, so that two people who
 *   repair the same merge agree.  The file keeps its name and all its other
 *   bytes.  Of a drawn id, with the same `created`, it is one memory: the one
 *   that stays says what both do, and the other goes, unless they say different
 *   things.
 * - A Markdown file without frontmatter: it gets the id that its name begins
 *   with, where that is free, else the next one, `created` from its mtime and
 *   `source: file`; its text is untouched.
 * - A memory in another folder by number than that of its id moves to that.
 * - What stands in the archive and was never replaced moves back.
 *
 * What is archived keeps its id: a memory that has the same moves.
 */
#ifndef CO_REPAIR_REPAIR_H
#define CO_REPAIR_REPAIR_H

#include "repair/check.h"

/* Called with a sentence for each repair made. */
typedef void repair_fn(void *ctx, const char *what);

/* Repair S under its lock, or, if DRY, say what would be; what cannot be
 * repaired goes to its report.  With KEEP, a commit, what stands in that keeps
 * its id, whatever is older, and what moves notes its former one, `formerly`: so
 * nothing that is published is called anew.  -1: ERR_BUSY, ERR_SYSTEM; ERR_USAGE,
 * there is no commit KEEP; ERR_HELPER; what was repaired before stays repaired. */
int repair_store(struct store *s, const char *keep, bool dry, repair_fn *fn,
		 void *ctx, struct err *e);

#endif
