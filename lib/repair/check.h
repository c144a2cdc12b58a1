/* check.h: list every fault of a store, with its file and its remedy.
 *
 * Reading commands skip broken files; this module reads everything and lists
 * the faults: frontmatter, duplicate ids, stray files, links, encodings, hidden
 * characters, unresolved merges, budgets, settings. repair.h repairs the kinds
 * "double-id", "plain", "folder", "replaced" and HISTORY_LOST. Files left by a
 * killed save are not faults: the next save removes them.
 */
#ifndef CO_REPAIR_CHECK_H
#define CO_REPAIR_CHECK_H

#include "agent/context.h"
#include "base/spool.h"
#include "store/store.h"

struct check_fault {
	const char *kind;   /* a word for scripts: "double-id" */
	const char *path;   /* absolute */
	const char *other;  /* "double-id": the file that keeps the id; else
			     * NULL */
	const char *text;   /* a sentence that begins with the path */
	const char *remedy; /* what to do about it */
	bool refused;	    /* the system denied access to the file */
};

struct check_faults {
	struct check_fault *items; /* memories first, then others, by file name;
			      * duplicate ids in the order of repair */
	size_t n, cap;
	struct spool texts;

	/* Memories that keep a duplicate id even if others are older: paths
	 * relative to knowledge/, each followed by NUL. Borrowed; may be
	 * NULL. */
	const struct buf *kept;
};

/* Append all faults of S to OUT, which is zeroed or was filled before. Return
 * 0, or -1 with ERR_SYSTEM if a directory cannot be read. */
int check_store(struct store *s, struct check_faults *out, struct err *e);

/* Append a fault of the file PATH. KIND, PATH and TEXT: see struct check_fault. KIND
 * is borrowed; the others are copied. In REMEDY, PATH at the end of a quoted command
 * becomes the path. */
void check_add(struct check_faults *f, const char *kind, const char *path,
	       const char *text, const char *remedy);

void check_release(struct check_faults *f);

/* Remove from FAULTS, the faults of the project's store S, those that the commit REV
 * has, too. Two faults are equal if their kind, file and text are equal; line numbers
 * and sizes are ignored. This is for the review of a change, which is not responsible
 * for earlier faults. Append a fault of the kind "moved" for each id that meant
 * another memory in REV. Changes the working directory temporarily. Return 0, or -1:
 * ERR_USAGE, no such commit; ERR_SYSTEM; ERR_HELPER. */
int check_since(struct check_faults *faults, struct store *s, const char *rev,
		struct err *e);

/* Append to FAULTS each citation in S whose place has changed or is gone. */
int check_citations(struct check_faults *faults, struct store *s,
		    struct err *e);

#endif
