/* repair.h: repair the faults of a store for which there is only one right
 * repair.
 *
 * - Duplicate ids, as after a merge: the memory with the later `created` gets a
 *   new id; ties are decided by file name. New ids are above all ids in
 *   memories/ and the archive. Two people who repair the same merge therefore
 *   agree. The file keeps its name and all other bytes. Two files with the same
 *   random id and the same `created` are one memory: they are merged into one
 *   file, unless they conflict.
 * - A Markdown file without frontmatter: it gets the id in its file name if
 *   that is free, else the next one, `created` from its mtime, and
 *   `source: file`. Its text is unchanged.
 * - A memory in the wrong numbered directory: it is moved to the one of its id.
 * - A memory in the archive that was never replaced: it is moved back.
 *
 * An archived memory keeps its id; a memory with the same id gets a new one.
 */
#ifndef CO_REPAIR_REPAIR_H
#define CO_REPAIR_REPAIR_H

#include "repair/check.h"

/* Called with a sentence for each repair. */
typedef void repair_fn(void *ctx, const char *what);

/* Repair S under its lock, or if DRY only call FN with what would be done.
 * Faults that cannot be repaired are reported to S's report. KEEP is a commit
 * or NULL: memories in that commit keep their ids, even if others are older,
 * and a memory that gets a new id lists its former one in `formerly`. So
 * published ids never change.
 *
 * Return 0, or -1: ERR_BUSY; ERR_SYSTEM; ERR_USAGE, there is no commit KEEP;
 * ERR_HELPER. Repairs made before an error remain.
 */
int repair_store(struct store *s, const char *keep, bool dry, repair_fn *fn,
		 void *ctx, struct err *e);

#endif
