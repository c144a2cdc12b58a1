/* execpath.h: find the programs of the suite and their descriptions.
 *
 * The suite's directory is the real directory of the running program, links
 * resolved. A command is searched there, then in PATH. Relative entries of PATH
 * are skipped, so that a repository cannot supply commands. Only programs in
 * the suite's directory are run to describe themselves; another `co-thing` in
 * PATH is listed but not run.
 *
 * ARGV0 is argv[0] of the running program. It is used only if the system does
 * not tell the path of the program.
 */
#ifndef CO_SYS_EXECPATH_H
#define CO_SYS_EXECPATH_H

#include "base/arena.h"
#include "base/buf.h"

struct execpath_program {
	const char *name;    /* "co-memory-save" */
	const char *path;    /* absolute */
	bool ours;	     /* in the suite's directory */
	const char *kind;    /* "plumbing", "porcelain" or "other" */
	const char *summary; /* one line, or "" if unknown */
};

struct execpath {
	struct execpath_program *items; /* sorted by name; in the arena */
	size_t n;
};

/* Append the suite's directory, with a final slash. Returns false and appends
 * nothing if it is unknown. */
bool execpath_folder(struct buf *out, const char *argv0);

/* Append the path of the program NAME. Returns false and appends nothing if
 * there is none, if NAME has a slash, or if it is the multi-call executable. */
bool execpath_find(struct buf *out, const char *name, const char *argv0);

/* Return true if PATH has the program NAME. */
bool execpath_in_path(const char *name);

/* Append the path of the manual PAGE ("co-learn.1") of the build or
 * installation. Returns false and appends nothing if there is none. */
bool execpath_page(struct buf *out, const char *page, const char *argv0);

/* Append the path of NAME in the directory for shared files (prompts, hooks) of
 * the build or installation, whether or not it exists. Returns false and
 * appends nothing if the suite's directory is unknown. */
bool execpath_shared(struct buf *out, const char *name, const char *argv0);

/* List the programs co-* in A, without the multi-call executable and with kind
 * "other" and no summary. An unreadable directory counts as empty. */
void execpath_list(struct execpath *s, const char *argv0, struct arena *a);

/* Run each program in the suite's directory that has no summary yet, to read its kind
 * and its summary. One that does not answer within a second keeps "other" and "". */
void execpath_describe(struct execpath *s, struct arena *a);

#endif
