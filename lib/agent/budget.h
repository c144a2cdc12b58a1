/* budget.h: cut the context to the size that an agent accepts.
 *
 * Agents cut a context that is too long in the middle of a word, without a sign.
 * Here it is made to fit, to the byte, with its wrapper and marks (see
 * text/injected.h). If the whole does not fit, some of its entries (see
 * text/markdown.h) are left out, and a line tells how many.
 *
 * The project's context is kept before the user's. In a file, the first entries are
 * kept before the last, but under `# Learned`, which grows at its end, the newest.
 * An entry that does not fit leaves its room to the next. A heading stays as long
 * as an entry below it does. The same files give the same bytes.
 */
#ifndef CO_AGENT_BUDGET_H
#define CO_AGENT_BUDGET_H

#include "agent/context.h"
#include "shown/shown.h"
#include "text/markdown.h"

struct budget {
	const char *name;   /* as given: "claude", "9500" */
	size_t bytes;	    /* at most */
	bool project_first; /* the project's context comes before the user's,
			     * for a reader that may cut off the end */
};

/* Set B to the budget that TEXT, an agent's name or a number of bytes, means. TEXT
 * is borrowed. Return 0, or -1: ERR_USAGE. */
int budget_parse(struct budget *b, const char *text, struct err *e);

/* The context of one scope, split into entries. */
struct budget_part {
	const struct context_part *from;
	const char *p; /* its body */
	struct buf body;
	struct markdown_entries entries;
	bool *kept; /* of each entry; a heading that is left out only because all
		     * below it is does not count */
};

/* Return how many drafts wait in the stores that C was loaded from. Errors go to R.
 */
size_t budget_drafts(const struct context *c, const struct report *r);

struct fitted {
	struct buf knowledge;	     /* the part of the digests that is kept */
	struct buf text;	     /* the result; empty if nothing fits */
	struct budget_part parts[2]; /* in the order of the text */
	size_t entries, left;	     /* of them: all, and left out */
};

/* Fit C, which is whole, into B; with WRAP, in <system-reminder> lines. One line
 * says what could not be loaded, and unless DRAFTS is 0 another one that so many
 * drafts wait. Release F with budget_release(). */
void budget_fit(struct fitted *f, const struct context *c,
		const struct budget *b, bool wrap, size_t drafts);
void budget_release(struct fitted *f);

/* Append to ITEMS, for shown_note(), the parts of C that F includes: context files,
 * rules and digest. */
void budget_add_shown(struct shown_items *items, const struct context *c,
		      const struct fitted *f);

/* Append a line for each entry that was left out, with fields separated by tabs:
 * "left", the scope, the line of the file (0: of a rule), its bytes, and its
 * beginning. */
void budget_explain(struct buf *out, const struct fitted *f);

#endif
