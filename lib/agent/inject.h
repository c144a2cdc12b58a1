/* inject.h: the text that the suite adds to an agent's prompt by itself.
 *
 * It is between the marks of text/injected.h and sanitized (see
 * text/sanitize.h). With the marks it has at most INJECT_MAX bytes, which every
 * agent accepts whole.
 */
#ifndef CO_AGENT_INJECT_H
#define CO_AGENT_INJECT_H

#include "agent/agent.h"
#include "agent/context.h"
#include "shown/shown.h"

#define INJECT_MAX 9500 /* bytes */

/* The number of other projects that are searched for a prompt, those changed
 * last first. The user waits for it. */
#define INJECT_PROJECTS 50

/* The first words before the memories for a prompt. */
#define INJECT_RECALLED "Memories that may bear on this"

/* Append to TEXT the context for a session of AGENT, fitted (see budget.h),
 * with notes on what could not be loaded and on the number of drafts. These
 * notes also go to NOTICE, for the person. If there is nothing to say, nothing
 * is appended.
 *
 * WANT is 0; CONTEXT_DIGEST, for the digest of items as far as it fits; or
 * CONTEXT_FILES_ONLY. ITEMS, unless it is NULL, gets the entries for the
 * ledger, see shown_add(). Errors go to R.
 */
void inject_start(struct buf *text, struct buf *notice,
		  struct shown_items *items, const struct agent *agent,
		  unsigned want, const struct report *r);

/* A search for the memories that belong to a prompt. */
struct inject_ask {
	struct shown_session session;
	const char *prompt;
	bool everywhere; /* search INJECT_PROJECTS of the user's other projects,
			  * too, and name them */
	size_t max;	 /* memories */
	size_t most;	 /* in a store with more files, only read those that are
		      * found; the text then says that new edits may be
		      * missing */
	void (*opened)(void *ctx); /* as in struct recall_ask; or NULL */
	void *ctx;
	struct shown_items *items; /* gets the memories, see shown_add() */
	struct shown_words
		*words; /* gets the words of the prompt that matched */
	/* Gets what the session was given before, which does not come again. The
	 * caller releases it once it has noted the items. */
	struct shown_ids *shown;
	const struct report *report;
};

/* Append to TEXT the memories that match the prompt of ASK, and set *N to their
 * number. What others wrote does not come unasked: no external memory, and no section
 * of an article. Return 0 or -1. */
int inject_recall(struct buf *text, const struct inject_ask *ask, size_t *n,
		  struct err *e);

/* Append to TEXT what an agent that starts inside SESSION gets, unless it has it: the
 * context, fitted into BYTES (see budget.h). Return the number of its entries. ITEMS
 * gets them, see shown_add(). If SUBAGENT has a name, SHOWN gets what it was given
 * before; the caller releases SHOWN after it has recorded ITEMS. */
struct inject_subagent_ask {
	const struct agent *agent;
	const char *session, *subagent; /* SUBAGENT: NULL if it has no name */
	size_t bytes;
	struct shown_ids *shown;
	struct shown_items *items;
	const struct report *report;
};
size_t inject_subagent(struct buf *text, const struct inject_subagent_ask *ask);

/* Append to TEXT the request to propose memories, which a model gets once per
 * session, before it ends. */
void inject_request(struct buf *text);

#endif
