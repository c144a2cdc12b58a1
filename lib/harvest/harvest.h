/* harvest.h: extract items from conversations, one conversation after another.
 *
 * If a conversation fails, it is kept, reported and recorded in the ledger, and
 * the run continues.  A conversation that the ledger has as harvested is not
 * sent to the model again.
 */
#ifndef CO_HARVEST_HARVEST_H
#define CO_HARVEST_HARVEST_H

#include "harvest/reply.h"
#include "harvest/request.h"
#include "harvest/harvest-scan.h"
#include "model/llm.h"
#include "store/store.h"

struct harvest {
	struct store *store;
	struct llm *llm;
	const struct request_prompts *prompts;
	const struct report *report;
	/* Called with the reason why the named record at PATH is not deleted
	 * although RECLAIM is set. */
	void (*undeletable)(const char *path, const char *why);
	/* Called with each step and the label "NAME (1/2)"; may be NULL. */
	void (*progress)(const char *what, const char *label);
	bool unharvested;   /* delete without a model */
	bool reclaim;	    /* also delete records of agents that are named */
	bool drafts;	    /* save items as drafts, to be accepted */
	uint64_t max_bytes; /* of all conversations; 0: no limit */
	size_t max_calls;   /* of the model; 0: no limit */
	int64_t until;	    /* as instant_monotonic_ms(); 0: no limit */

	/* Results; zero them before the run. */
	size_t items[REPLY_KEYS];
	size_t failed, deferred, pruned_entries, calls;
	size_t requests;  /* requests of co to a model, not harvested */
	size_t undeleted; /* named, but RECLAIM cannot delete them; reported */
	uint64_t reclaimed, used;
};

/* Harvest the conversations that S classes as SCAN_HARVEST, and prune those of
 * class SCAN_PRUNE.  Returns 0, or -1 if nothing was done: the ledger is
 * damaged, or ERR_NO if co itself started this program (see sys/inside.h).  All
 * other errors are reported and counted. */
int harvest_run(struct harvest *h, const struct scan *s, struct err *e);

/* A text whose items a model is asked for. */
struct harvest_question {
	const char *name;  /* of the text, for the model */
	const char *label; /* for H->progress */
	const char *p;
	size_t len; /* at most CONVERSATION_PART; without secrets */
};

/* Ask the model of H for the items of Q, once more if the reply is not valid, within
 * the limits of H.  REPLY lives in A.  Returns 0 or -1: ERR_HELPER; ERR_SYSTEM, a limit
 * is reached. */
int harvest_ask(struct harvest *h, const struct harvest_question *q,
		struct arena *a, struct reply *reply, struct err *e);

/* Return 0, or -1 with ERR_NO in a program that co started: no model is asked there. */
int harvest_check_inside(struct err *e);

/* What co harvest says it would do, or did. */
struct harvest_report {
	const struct scan *scan;
	const struct harvest *done; /* NULL: it would */
	bool unharvested;
	const char *provider; /* of the model; "none" where none is set */
	double price;	 /* of a million tokens that are read; 0: not known */
	uint64_t tokens; /* that a model would read, about */
	const char *root, *ledger, *digest; /* paths; the last may be NULL */
};

/* Set the tokens of R: of an agent's record, what was said in it.  A candidate that
 * cannot be read is reported and counts whole.  Reads all candidates. */
void harvest_report_measure(struct harvest_report *r,
			    const struct report *report);

/* Append it as text, or as one JSON object. */
void harvest_report_text(struct buf *out, const struct harvest_report *r);
void harvest_report_json(struct buf *out, const struct harvest_report *r);

#endif
