/* inject.h: what the suite puts into an agent's prompt by itself.
 *
 * It stands between the marks of text/injected.h, is clean (see
 * text/sanitize.h), and together with them never longer than INJECT_MAX, which
 * every agent takes whole.
 */
#ifndef CO_AGENT_INJECT_H
#define CO_AGENT_INJECT_H

#include "agent/agent.h"
#include "agent/context.h"
#include "shown/shown-list.h"
#include "shown/shown.h"

#define INJECT_MAX 9500 /* bytes */

/* Other projects that a prompt asks, those written to last: somebody waits. */
#define INJECT_PROJECTS 50

/* What the memories for a prompt begin with. */
#define INJECT_RECALLED "Memories that may bear on this"

/* Append to TEXT what a session of AGENT begins with: the context, fitted (see
 * budget.h), what of it could not be loaded, and how many drafts wait; both go
 * to NOTICE too, for the person.
 * WANT is 0, or CONTEXT_DIGEST, for the digest of items as far as there is room, or
 * CONTEXT_FILES_ONLY.
 * Nothing is appended where there is nothing to say.  ITEMS, unless NULL, gets what
 * the ledger notes of it, see shown_add().  Complaints go to R. */
void inject_start(struct buf *text, struct buf *notice,
		  struct shown_items *items, const struct agent *agent,
		  unsigned want, const struct report *r);

/* What a prompt gets. */
struct inject_ask {
	const char *prompt;
	bool everywhere; /* INJECT_PROJECTS of the user's other projects are asked,
			  * too, and named */
	size_t max;	 /* memories and sections of articles */
	size_t most; /* of a store of more files those alone are looked at that
			  * are found, and the text says what may be missing */
	void (*opened)(void *ctx); /* as in struct recall_ask; or NULL */
	void *ctx;
	struct shown_items
		*items; /* receives what was found, see shown_add() */
	struct shown_words *words; /* receives the query words that matched */
	const struct report *report;
};

/* Append to TEXT the memories and sections of articles, these marked as external,
 * that bear on the prompt of ASK; *N says how many. */
int inject_recall(struct buf *text, const struct inject_ask *ask, size_t *n,
		  struct err *e);

/* Append to TEXT what an agent that starts inside SESSION gets: the memories that are
 * always loaded, in at most BYTES. ITEMS receives them, see shown_add(), and SHOWN what
 * it was given before: the caller releases that once it has noted ITEMS. Return how many
 * they are. */
struct inject_rules_ask {
	const struct agent *agent;
	const char *session, *subagent; /* SUBAGENT: NULL if it has no name */
	size_t bytes;
	struct shown_ids *shown;
	struct shown_items *items;
	const struct report *report;
};
size_t inject_rules(struct buf *text, const struct inject_rules_ask *ask);

/* Append to TEXT what a model is asked for, once, before it ends. */
void inject_request(struct buf *text);

#endif
