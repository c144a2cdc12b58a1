/* check.h: every fault of a store, with its place and its remedy.
 *
 * Reading commands skip what is broken and go on; this module reads all of it
 * and says what is wrong: frontmatter, double ids, files that do not belong,
 * links, encodings, hidden characters, unresolved merges, budgets, settings.
 * Faults of the kinds "double-id", "plain", "folder", "replaced" and CHAINS_LOST
 * have one right repair, which repair.h makes.  What a killed save leaves behind is no fault: the next
 * save removes it.
 */
#ifndef CO_REPAIR_CHECK_H
#define CO_REPAIR_CHECK_H

#include "agent/context.h"
#include "base/spool.h"
#include "store/store.h"

struct fault {
	const char *kind;   /* one word, for scripts: "double-id" */
	const char *path;   /* absolute */
	const char *other;  /* "double-id": the one that stays; else NULL */
	const char *text;   /* a sentence that begins with the place */
	const char *remedy; /* what to do about it */
	bool refused;	    /* the system keeps the file from us */
};

struct faults {
	struct fault *items; /* memories first, then the rest, by file name;
	                      * doubles in the order in which they move */
	size_t n, cap;
	struct spool texts;

	/* The memories, by paths below knowledge/, each ended by NUL, that keep an id which
	 * stands twice, whatever is older; borrowed, NULL for none. */
	const struct buf *kept;
};

/* Append all faults of S to OUT, which is zeroed or was filled before.  -1:
 * ERR_SYSTEM, a folder cannot be read. */
int check_store(struct store *s, struct faults *out, struct err *e);

/* Append one of KIND, a word, of the file at PATH; REMEDY is not copied. */
void check_add(struct faults *f, const char *kind, const char *path,
	       const char *text, const char *remedy);

void check_release(struct faults *f);

#endif
