/* past-drafts.h: drafts from the past of a repository: co harvest --from=git.
 *
 * A draft is external text until a person accepts it: whoever wrote the repository
 * wrote it.  It cites its commit, or the lines of its file.
 */
#ifndef CO_PAST_PAST_DRAFTS_H
#define CO_PAST_PAST_DRAFTS_H

#include "harvest/harvest.h"
#include "past/candidates.h"
#include "store/store.h"

#define PAST_DRAFTS_MAX 30 /* drafts, unless the caller wants another number */

struct past_drafts {
	/* Set before the run: */
	struct store *store;
	struct store *user;    /* its memories are known, too; NULL: none */
	struct harvest *model; /* asks the model of its `llm`; if that is NULL,
				* the texts are taken as they are */
	const char *range;     /* see candidates.h */
	size_t max;	       /* drafts */
	bool apply;	       /* save them */

	/* Results: */
	struct candidates found; /* the first N become drafts */
	size_t n;
	size_t known;	/* texts that were left out as known */
	size_t over;	/* texts that were left out by MAX */
	size_t refused; /* that could not be saved, and were reported */
	struct arena arena;
	struct past_draft {
		int64_t id;	  /* 0: not saved */
		const char *path; /* NULL: not saved */
	} * drafts;		  /* for each of the N, in ARENA */
};

/* Find the drafts, and with APPLY save them.  Release P with past_drafts_release(), also
 * on failure.  Returns 0 or -1, as past_read(), save_memory() and, with a model,
 * harvest_run(). */
int past_drafts_run(struct past_drafts *p, struct err *e);
void past_drafts_release(struct past_drafts *p);

/* Append what was found and done as text, or as one JSON object.  PROVIDER is that of
 * the model, "none" if no model is set. */
void past_drafts_text(struct buf *out, const struct past_drafts *p,
		      const char *provider);
void past_drafts_json(struct buf *out, const struct past_drafts *p,
		      const char *provider);

#endif
