/* resolve.h: settling what git could not merge of a store.
 *
 * git's index has up to three versions of a file that is not merged: what both
 * sides came from, ours and theirs.  Each such file below the root is settled by
 * what it is about, and what is settled is added to the index:
 *
 *	both changed it		as co-memory-merge does
 *	one forgot it, the
 *	other changed it	the change stays
 *	one replaced it, the
 *	other changed it	the change goes to the archive as well
 *	two memories in one	each has a file of its own
 *	one renumbered		one, with the new id
 *	the same added twice	one, with the tags of both
 *
 * What a file has that neither side, git nor we wrote is a person's work, and stays:
 * what is still marked in it is settled, and where that cannot be told it is left.
 * All that is written is one operation, which `co undo` takes back; git's index is
 * not part of it.
 *
 * Versions are taken from the commits that are merged, where these have the file:
 * where two replaced one memory, git puts the same mixture into both.
 */
#ifndef CO_REPAIR_RESOLVE_H
#define CO_REPAIR_RESOLVE_H

#include "store/store.h"

enum resolve_side { RESOLVE_MERGE, RESOLVE_OURS, RESOLVE_THEIRS };

struct resolve {
	struct store *store;
	bool dry;		/* change nothing */
	enum resolve_side side; /* that is taken where both changed something */
	/* Is the file, by its path from the root, to be settled?  NULL: all. */
	bool (*wanted)(void *ctx, const char *path);
	/* Gets what was done, or would be; LEFT: it is for a person. */
	void (*say)(void *ctx, const char *path, bool left, const char *what);
	void *ctx;
	const struct report *report; /* of what both sides changed */
};

/* Settle what can be, under the store's lock unless R is dry.  Returns how many are
 * left, or -1: ERR_SYSTEM, no merge is in progress; ERR_HELPER, git failed; ERR_BUSY. */
int resolve_merge(struct resolve *r, struct err *e);

#endif
