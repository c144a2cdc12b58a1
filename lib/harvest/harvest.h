/* harvest.h: taking from conversations what they taught, one after the other.
 *
 * A failure keeps its conversation, is reported, noted in the ledger, and the
 * rest goes on.  What the ledger calls harvested is not asked for again.
 */
#ifndef CO_HARVEST_HARVEST_H
#define CO_HARVEST_HARVEST_H

#include "harvest/reply.h"
#include "harvest/request.h"
#include "harvest/scan.h"
#include "model/llm.h"
#include "store/store.h"

struct harvest {
	struct store *store;
	struct llm *llm;
	const struct request_prompts *prompts;
	const struct report *report;
	/* Gets why "PATH", which is named, is not deleted with RECLAIM. */
	void (*undeletable)(const char *path, const char *why);
	/* Gets what is done with "NAME (1/2)"; or NULL. */
	void (*progress)(const char *what, const char *label);
	bool unharvested; /* delete, and ask no model */
	bool reclaim;	  /* delete also the records of agents that are named */
	bool drafts;	  /* items wait for a person's yes */
	uint64_t max_bytes; /* of all conversations; 0: any */
	size_t max_calls;   /* of the model; 0: any */
	int64_t until;	    /* by instant_monotonic_ms(); 0: any */

	/* Begin as zeros. */
	size_t items[REPLY_KEYS];
	size_t failed, deferred, pruned_entries, calls;
	size_t requests;  /* of the suite's own to a model; not harvested */
	size_t undeleted; /* named, and not to be deleted by RECLAIM; reported */
	uint64_t reclaimed, used;
};

/* Harvest what S calls so, prune what it calls so.  -1, and nothing was done: the
 * ledger is damaged; or ERR_NO, a program that the suite started asks (see
 * sys/inside.h).  All else is reported. */
int harvest_run(struct harvest *h, const struct scan *s, struct err *e);

#endif
