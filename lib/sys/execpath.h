/* execpath.h: finding the programs of the suite, and asking what they do.
 *
 * The suite's folder is the one that the running program really lies in, links
 * resolved.  A command is looked for there, then in PATH, whose relative
 * entries do not count: a repository must not bring commands of its own.  Only
 * programs of the folder are ever asked to describe themselves; a stranger's
 * `co-thing` elsewhere in PATH is named and not run.
 *
 * ARGV0 is what the running program was called as; it is needed only where
 * the system cannot tell the program's path.
 */
#ifndef CO_SYS_EXECPATH_H
#define CO_SYS_EXECPATH_H

#include "base/arena.h"
#include "base/buf.h"

struct execpath_program {
	const char *name;    /* "co-memory-save" */
	const char *path;    /* absolute */
	bool ours;	     /* lies in the suite's folder */
	const char *kind;    /* "plumbing", "porcelain" or "other" */
	const char *summary; /* one line, "" where it is not known */
};

struct execpath {
	struct execpath_program *items; /* by name; in the arena */
	size_t n;
};

/* Append the suite's folder, ending in a slash; false, and nothing appended,
 * where it cannot be told. */
bool execpath_folder(struct buf *out, const char *argv0);

/* Append the path of the program NAME; false, and nothing appended, where
 * there is none.  A NAME with a slash is none, nor is the executable that the
 * commands are links to. */
bool execpath_find(struct buf *out, const char *name, const char *argv0);

/* Append the path of the manual PAGE ("co-learn.1") that lies beside the
 * programs, built or installed; false, and nothing appended, where there is
 * none. */
bool execpath_page(struct buf *out, const char *page, const char *argv0);

/* Append the path of NAME in the folder of what is shared (prompts, hooks),
 * built or installed; false, and nothing appended, where the suite's folder
 * cannot be told.  Whether it is there was not looked at. */
bool execpath_shared(struct buf *out, const char *name, const char *argv0);

/* List the programs co-*, without the executable of all.  Kinds and summaries are not asked for yet.  What
 * cannot be read counts as empty.  The result lives in A. */
void execpath_list(struct execpath *s, const char *argv0, struct arena *a);

/* Ask each of our programs that has no summary yet for its kind and its summary.
 * One that does not answer within a second keeps "other" and "". */
void execpath_describe(struct execpath *s, struct arena *a);

#endif
