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

#include "evidence/cites.h"
#include "oplog/oplog.h"
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

/* repair_citations() updates the citations of a memory to the current text. Lines that
 * moved are found by their hash (evidence/evidence.h). Lines that changed are followed:
 * git has the version of the file that was cited, and its differences from the current
 * one tell where the lines are now. Without that version nobody knows, and only a
 * person can accept the same line numbers. A file that is gone is followed to the one
 * that git renamed it to (repair/renamed.h). */

/* Cited lines whose text changed, or a place whose file was renamed. */
struct repair_change {
	struct citation was, now;
	bool followed;	 /* else `now` has the line numbers of `was` */
	struct buf diff; /* from the cited lines to the new ones, as by
			  * diff_lines(); without the cited ones if git does not
			  * have them */
};

struct repair_cites {
	struct store *store;
	struct evidence *evidence;
	struct arena *arena; /* for the new citations */
	/* Return 0 if C may be cited, or -1 with E. */
	int (*accept)(const struct repair_change *c, struct err *e);
	void (*say)(
		const struct citation *c); /* called for each new citation */
	const struct report *report;	   /* receives malformed citations */
};

/* Append the lines of C for a person. */
void repair_show_change(struct buf *out, const struct repair_change *c);

/* Replace the citations in LIST, the value of `cites` of the memory at PATH, by
 * current ones. Return 0; or -1, and the caller discards LIST: ERR_NO, it is
 * empty; ERR_DATA, one is malformed; or as accept() and evidence_cite(). */
int repair_citations(const struct repair_cites *r, struct value *list,
		     const char *path, struct err *e);

/* Merge conflicts in a store.
 *
 * For a file that is not merged, git's index has up to three versions: base,
 * ours and theirs. Each such file below the root is resolved by its meaning and
 * then added to the index:
 *
 *   both changed it         merged as by co-memory-merge
 *   one deleted it, the
 *   other changed it        the change is kept
 *   one replaced it, the
 *   other changed it        the change is applied in the archive
 *   two different memories  each gets a file of its own
 *   one renumbered it       one memory, with the new id
 *   both added it           one memory, with the tags of both
 *
 * Text in the file that is from neither side, git nor co was written by a
 * person and is kept. Conflict markers left in such a file are resolved if
 * possible; otherwise the file is left to the person. All writes are one
 * operation, which `co undo` reverses; repair_reopen_merge() does that for git's index.
 *
 * Versions are read from the merged commits if these have the file: if both
 * sides replaced one memory, git's index has the same mixture for both.
 */
enum resolve_side { RESOLVE_MERGE, RESOLVE_OURS, RESOLVE_THEIRS };

struct resolve {
	struct store *store;
	bool dry;		/* change nothing */
	enum resolve_side side; /* the version to use if both sides changed
				 * something */
	/* Return whether the file PATH, relative to the root, is to be
	 * resolved. NULL: all. */
	bool (*wanted)(void *ctx, const char *path);
	/* Called with what was or would be done. LEFT: a person must resolve
	 * it. */
	void (*say)(void *ctx, const char *path, bool left, const char *what);
	void *ctx;
	const struct report *report; /* receives conflicts between the sides */
	bool choice; /* set: `side` resolves a file that was left to a person */
};

/* Resolve the conflicts, under the store's lock unless R is dry. Return the
 * number of files left to a person, or -1: ERR_NO, no merge is in progress;
 * ERR_HELPER, git failed; ERR_BUSY. */
int repair_merge(struct resolve *r, struct err *e);

/* Restore git's conflicts in the files of OP, an operation of repair_merge()
 * that was undone. Return the number of files that are in conflict, 0 if the merge
 * is already committed or git no longer has the versions, or -1: ERR_HELPER. */
int repair_reopen_merge(struct store *s, const struct oplog_op *op,
			struct err *e);

#endif
