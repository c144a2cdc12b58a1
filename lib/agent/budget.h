/* budget.h: cut the context to the size that an agent accepts.
 *
 * Agents cut a context that is too long in the middle of a word, without a
 * sign. Here it is made to fit to the byte, with its wrapper and marks (see
 * text/injected.h). If not all of it fits, some entries (see text/markdown.h)
 * are left out, and a line gives their number.
 *
 * Entries of the project's context are kept first, then the user's. In each
 * file, earlier entries are kept first; below `# Learned`, which grows at its
 * end, the newest ones. If an entry does not fit, smaller ones after it may. A
 * heading is kept as long as an entry below it is. The same files give the same
 * bytes.
 */
#ifndef CO_AGENT_BUDGET_H
#define CO_AGENT_BUDGET_H

#include "agent/context.h"
#include "agent/context.h"
#include "shown/shown.h"
#include "text/markdown.h"

struct budget {
	const char *name;   /* as given: "claude", "9500" */
	size_t bytes;	    /* at most */
	bool project_first; /* put the project's context before the user's, for
			     * a reader that may cut off the end */
};

/* Set B to the budget TEXT: the name of an agent, "mcp", or a number of bytes.
 * TEXT is borrowed. Return 0, or -1: ERR_USAGE. */
int budget_parse(struct budget *b, const char *text, struct err *e);

/* The context of one scope, split into entries. */
struct budget_part {
	const struct context_part *from;
	const char *p; /* its body */
	struct buf body;
	struct markdown_entries entries;
	bool *kept; /* for each entry. A heading that is false because all
		     * entries below it are is not counted as left out */
};

/* Return the number of drafts in the stores that C was loaded from. Errors go
 * to R. */
size_t budget_drafts(const struct context *c, const struct report *r);

struct fitted {
	struct buf knowledge;	     /* the part of the digests that is kept */
	struct buf text;	     /* the result; empty if nothing fits */
	struct budget_part parts[2]; /* in the order of the text */
	size_t entries, left;	     /* numbers of entries: all, and left out */
};

/* Fit C, from context_load_whole(), into B; with WRAP, between
 * <system-reminder> lines. One line says what could not be loaded, and unless
 * DRAFTS is 0, another one that so many drafts wait. Release F with
 * budget_release(). */
void budget_fit(struct fitted *f, const struct context *c,
		const struct budget *b, bool wrap, size_t drafts);
void budget_release(struct fitted *f);

/* Append to ITEMS, for shown_note(), the parts of C that F includes: context
 * files, memories that are always loaded, and the digest. */
void budget_add_shown(struct shown_items *items, const struct context *c,
		      const struct fitted *f);

/* Append a line for each entry that was left out. Its fields are separated by
 * tabs: "left", the scope, the line in the file (0: it is a memory), its bytes,
 * and its beginning. */
void budget_explain(struct buf *out, const struct fitted *f);

#endif
