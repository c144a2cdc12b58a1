/* harvest-scan.h: list the conversations, and decide what may be done with each.
 *
 * A folder in the first layout has conversations/, with one index or more, and
 * splits/, parts of files.  The first matching rule counts:
 *
 *	an index, or NAME.run                        live
 *	named in index-saved-conversations-*.json    user-kept
 *	of a file, by file-index-*.json              live; harvest if it is gone
 *	NAME-UUID, UUID-NAME                         harvest
 *	latest-NAME                                  live
 *	anything else                                keep
 *
 * A split whose file is gone or has changed is pruned.
 *
 * A file is gone only if the system reports it as absent: see file_is_gone().
 * If the file cannot be read, or no file is named, the conversation is kept.  A
 * relative path in an index is tried relative to the root's directory and to
 * the root.  It can only protect a conversation, never condemn it, because the
 * index may have been written elsewhere.  If an index cannot be read, all
 * conversations next to it are kept.
 */
#ifndef CO_HARVEST_HARVEST_SCAN_H
#define CO_HARVEST_HARVEST_SCAN_H

#include "base/arena.h"
#include "base/err.h"

enum scan_kind { SCAN_CONVERSATION, SCAN_INDEX, SCAN_SPLIT };

/* In alphabetical order. */
enum scan_class {
	SCAN_HARVEST,
	SCAN_KEEP,
	SCAN_LIVE,
	SCAN_PRUNE,
	SCAN_USER_KEPT
};
#define SCAN_CLASSES 5

const char *harvest_scan_kind_name(enum scan_kind k);
const char *harvest_scan_class_name(enum scan_class c);

/* A record of an agent that is younger may still be in use. */
#define SCAN_LIVE_SECONDS 600

struct artifact {
	const char *path; /* absolute; may end in #SESSION */
	enum scan_kind kind;
	enum scan_class class;
	const char *reason;
	uint64_t size;
	const char *root; /* first-layout folder, or NULL */
	bool named;	  /* the user named this file */
	bool unsure;	  /* kept because a file cannot be read */
	bool empty;	  /* a split without any file */
};

/* Zero it, then set the arena, which holds all strings. */
struct scan {
	struct artifact *items;
	size_t n, cap;
	struct arena *a;
};

/* Add the conversations in PATH, a folder in the first layout, or the single
 * record at PATH.  NAMED: the user named it.  ERR_SYSTEM; ERR_DATA if it is
 * neither. */
int harvest_scan_add(struct scan *s, const char *path, bool named,
		     struct err *e);

/* Add the record at PATH, found by listing.  It has SIZE bytes and its last
 * entry is from END, in seconds since 1970. */
void harvest_scan_add_listed(struct scan *s, const char *path, uint64_t size,
			     int64_t end);

void harvest_scan_release(struct scan *s);

#endif
