/* budget.h: cutting the context down to the size that an agent accepts.
 *
 * Agents cut what they are given, in the middle of a word and without a sign.
 * Here it is made to fit, to the byte, the wrapper and the marks (see
 * text/injected.h) included: whole where it fits, else without some of its
 * entries (see text/markdown.h), and then a line tells how many are
 * left out.
 *
 * What is kept: the project's context before the user's; in a file, what stands
 * first before what stands last, but under `# Learned`, which grows at its end,
 * the newest.  An entry that does not fit leaves its room to the next.  Headings
 * stay as long as something under them does.  The same files give the same
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
	size_t bytes;	    /* that may go out */
	bool project_first; /* the project's context stands before the user's:
			     * for a reader who may cut the end off */
};

/* The budget that TEXT, an agent's name or a number of bytes, means; TEXT is
 * borrowed.  ERR_USAGE. */
int budget_parse(struct budget *b, const char *text, struct err *e);

/* The context of one scope, taken apart. */
struct budget_part {
	const struct context_part *from;
	const char *p; /* its body */
	struct buf body;
	struct markdown_entries entries;
	bool *kept; /* of each entry; a heading that is only left out with all
		     * that stands under it counts as none */
};

/* How many drafts wait in the stores that C was loaded from; complaints go to
 * R. */
size_t budget_drafts(const struct context *c, const struct report *r);

struct fitted {
	struct buf knowledge; /* what is kept of the digests */
	struct buf text;      /* what goes out; empty when nothing fits */
	struct budget_part parts[2]; /* in the order of the text */
	size_t entries, left;	     /* how many there are, and were left out */
};

/* Fit C, which is whole, into B, with WRAP in <system-reminder> lines.  What
 * could not be loaded as it stands is said in a line; where DRAFTS is not 0
 * another says that so many wait for a yes.  Release with
 * budget_release().  Cannot fail. */
void budget_fit(struct fitted *f, const struct context *c,
		const struct budget *b, bool wrap, size_t drafts);
void budget_release(struct fitted *f);

/* Append to ITEMS, for shown_note(), the parts of C that F includes: context files, rules and
 * digest. */
void budget_add_shown(struct shown_items *items, const struct context *c,
		      const struct fitted *f);

/* Append a line for each entry that was left out, fields between tabs: "left",
 * the scope, the line of the file (0: of a rule), its bytes, how it begins. */
void budget_explain(struct buf *out, const struct fitted *f);

#endif
