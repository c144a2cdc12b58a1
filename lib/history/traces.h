/* traces.h: find remaining copies of a text that must not exist any more.
 *
 * The search is for lines of the text, if they have TRACES_LEAST bytes or more
 * without surrounding blanks: as they are, in JSON form, and as the file name
 * of a memory. Names can be added. A file or object that contains one of
 * these, or has it in its name, is a trace.
 */
#ifndef CO_HISTORY_TRACES_H
#define CO_HISTORY_TRACES_H

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "base/strings.h"
#include "base/table.h"

#define TRACES_LEAST 12

/* All patterns, found by their first bytes, so that one pass over a text
 * searches for all. */
struct traces_wanted {
	struct traces_text {
		const char *p;
		size_t len;
		/* 1 + index of the next pattern in this slot; 0: none. */
		uint32_t next;
	} * items;
	size_t n, cap;
	uint32_t *first; /* the slots: 1 + index of their first pattern */
	size_t begins;	 /* number of first bytes compared */
	struct table by; /* patterns by their text */
};

/* Zero it, then set the callbacks, which may be NULL: then the traces are only
 * counted. Release with traces_release(). */
struct traces {
	struct arena arena;
	struct traces_wanted wanted;

	/* Called with each trace. WHERE names it for people. TYPE is NULL for
	 * a file with the path WHERE, else the type of a git object, as
	 * "commit" or "tag". */
	void (*found)(void *ctx, const char *where, const char *type);
	/* Called with a message about each thing that could not be searched. */
	void (*missed)(void *ctx, const char *what);
	void *ctx;
	size_t n, nmissed; /* number of calls of FOUND and MISSED */
	const struct progress *progress; /* may be NULL */
	size_t files, objects;		 /* number searched */
};

/* Add the lines of the LEN bytes of TEXT as patterns. WHOLE: also add lines
 * that are shorter than TRACES_LEAST. */
void traces_add_text(struct traces *t, const char *text, size_t len,
		     bool whole);

/* Add the first bytes of P, a binary file of LEN bytes, as a pattern. Ignored
 * if LEN is less than TRACES_LEAST. */
void traces_add_bytes(struct traces *t, const char *p, size_t len);

/* Add NAME as a pattern. */
void traces_add_name(struct traces *t, const char *name);

/* Report a place that cannot be searched: count it, and pass the message WHAT on. */
void traces_miss(struct traces *t, const char *what);

/* Return true if the LEN bytes of P contain a pattern. */
bool traces_match(const struct traces *t, const char *p, size_t len);

/* Search the file PATH, or all files below it (it may be absent), and their names.
 * Directories named EXCEPT are skipped; it may be NULL. */
void traces_look_below(struct traces *t, const char *path, const char *except);

/* Search all objects of the repository that contains DIR, including unreachable
 * ones. Adds to PATHS, allocated in A, the paths in commits that have a
 * matching object or name, relative to the top directory. If no object
 * matches, each such path is a trace by itself. Returns 0 or -1,
 * ERR_HELPER. */
int traces_look_in_git(struct traces *t, const char *dir, struct strings *paths,
		       struct arena *a, struct err *e);

void traces_release(struct traces *t);

#endif
