/* traces.h: where a text that must be nowhere still stands.
 *
 * Looked for are lines: of a text each that has TRACES_LEAST bytes or more
 * without blanks around, as it stands and as JSON has it, the name that a
 * memory of it gets, and names.  Any file or object that holds one of them, or
 * is called so, is a trace.
 */
#ifndef CO_HISTORY_TRACES_H
#define CO_HISTORY_TRACES_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/progress.h"
#include "base/strings.h"
#include "base/table.h"

#define TRACES_LEAST 12

/* What is looked for, found at each place by how it begins: all of it is looked
 * for in one pass. */
struct traces_wanted {
	struct traces_text {
		const char *p;
		size_t len;
		uint32_t
			next; /* 1 + that of the next which begins so, 0: none */
	} * items;
	size_t n, cap;
	uint32_t *first; /* the same, by what they begin with */
	size_t begins;	 /* bytes that a beginning has */
	struct table by; /* their texts */
};

/* A zeroed one is valid; release with traces_release(). */
struct traces {
	struct arena arena;
	struct traces_wanted wanted;

	/* Gets each trace: WHERE is the path of a file, or "git: " and what it
	 * is. */
	void (*found)(void *ctx, const char *where);
	/* Gets what could not be looked at, a sentence. */
	void (*missed)(void *ctx, const char *what);
	void *ctx;
	size_t n, nmissed;		 /* how often they were called */
	const struct progress *progress; /* gets how far it is; may be NULL */
	size_t files, objects;		 /* that were looked at */
};

/* Look for the lines of the LEN bytes of TEXT too; with WHOLE, for a text of one
 * line, however short. */
void traces_add_text(struct traces *t, const char *text, size_t len,
		     bool whole);

/* Look for the LEN bytes of P too, of a file that is no text: for how it begins,
 * and for nothing where it has less than TRACES_LEAST. */
void traces_add_bytes(struct traces *t, const char *p, size_t len);

/* Look for NAME too. */
void traces_add_name(struct traces *t, const char *name);

/* True if one of them stands in the LEN bytes of P. */
bool traces_match(const struct traces *t, const char *p, size_t len);

/* Look at all files at and below PATH, which may be absent, and at their names;
 * nothing below a folder called EXCEPT, unless that is NULL. */
void traces_look_below(struct traces *t, const char *path, const char *except);

/* Look at all objects of the repository that DIR lies in, those too that nothing
 * leads to.  What of them is a file that commits have is in PATHS, in A, too: its
 * paths from the top; so is what commits have at a path that is looked for, which
 * is a trace by itself where no object is one.  -1: ERR_HELPER. */
int traces_look_in_git(struct traces *t, const char *dir, struct strings *paths,
		       struct arena *a, struct err *e);

void traces_release(struct traces *t);

#endif
