/* scan.h: which conversations there are, and what may become of each.
 *
 * A folder in the first layout has conversations/, with an index or several,
 * and splits/ of files.  The first rule that fits counts:
 *
 *	the index itself, and NAME.run               live
 *	named in index-saved-conversations-*.json    user-kept
 *	of a file, by file-index-*.json              live, harvest if it is gone
 *	NAME-UUID, UUID-NAME                         harvest
 *	latest-NAME                                  live
 *	anything else                                keep
 *
 * A split of a file that is gone, or has another content, is pruned.
 *
 * Only a file that the system calls absent is gone: see file_is_gone().  What
 * depends on a file that cannot be read, or on none, is kept.  A relative path
 * in an index is tried below the directory that holds the root, and below the
 * root.  It can protect what depends on it, and never condemn it: it may have
 * been written somewhere else.  An index that cannot be read keeps all that is
 * beside it.
 */
#ifndef CO_HARVEST_SCAN_H
#define CO_HARVEST_SCAN_H

#include "base/arena.h"
#include "base/err.h"

enum scan_kind { SCAN_CONVERSATION, SCAN_INDEX, SCAN_SPLIT };

/* By name. */
enum scan_class {
	SCAN_HARVEST,
	SCAN_KEEP,
	SCAN_LIVE,
	SCAN_PRUNE,
	SCAN_USER_KEPT
};
#define SCAN_CLASSES 5

const char *scan_kind_name(enum scan_kind k);
const char *scan_class_name(enum scan_class c);

/* Younger, a record of an agent's may go on. */
#define SCAN_LIVE_SECONDS 600

struct artifact {
	const char *path; /* absolute; opencode's with #SESSION behind */
	enum scan_kind kind;
	enum scan_class class;
	const char *reason;
	uint64_t size;
	const char *root; /* of the first layout, or NULL */
	bool named;	  /* by the user, as a file */
	bool unsure;	  /* kept because something cannot be read */
	bool empty;	  /* a split with nothing in it */
};

/* Begins as zeros; all lives in the arena. */
struct scan {
	struct artifact *items;
	size_t n, cap;
	struct arena *a;
};

/* Add what lies in PATH, a folder in the first layout, or the record of a
 * conversation, which is NAMED by a person or was listed.  ERR_SYSTEM, ERR_DATA:
 * there is none, or it is neither. */
int scan_add(struct scan *s, const char *path, bool named, struct err *e);

/* Add the record at PATH, as listed, of SIZE bytes, that went on at END. */
void scan_add_listed(struct scan *s, const char *path, uint64_t size,
		     int64_t end);

void scan_release(struct scan *s);

#endif
