/* mining.h: drafts from a git repository: co harvest --from=git.
 *
 * A draft is external text until a person accepts it, since the authors of the
 * repository wrote it. It cites its commit, or the lines of its file.
 */
#ifndef CO_MINING_MINING_H
#define CO_MINING_MINING_H

#include "harvest/harvest.h"
#include "mining/candidates.h"
#include "store/store.h"

#define MINING_MAX 30 /* drafts, unless the caller wants another number */

struct mining {
	/* Set before the run: */
	struct store *store;
	struct store *user;    /* texts that it has are dropped too; or NULL */
	struct harvest *model; /* asks the model of its `llm`; if that is NULL,
				* the texts are taken as they are */
	const char *range;     /* see candidates.h */
	size_t max;	       /* drafts */
	bool apply;	       /* save them */

	/* Results: */
	struct candidates found; /* the first N become drafts */
	size_t n;
	size_t known;	/* texts that were left out since a store has them */
	size_t over;	/* texts that were left out by MAX */
	size_t refused; /* that could not be saved, and were reported */
	struct arena arena;
	struct mining_draft {
		int64_t id;	  /* 0: not saved */
		const char *path; /* NULL: not saved */
	} * drafts;		  /* for each of the N, in ARENA */
};

/* Find the drafts, and with APPLY save them. Release P with mining_release(), also
 * on failure. Returns 0 or -1, as mining_read(), save_memory() and, with a model,
 * harvest_run(). */
int mining_run(struct mining *p, struct err *e);
void mining_release(struct mining *p);

/* Append what was found and done as text, or as one JSON object. PROVIDER is that of
 * the model, "none" if no model is set. */
void mining_text(struct buf *out, const struct mining *p, const char *provider);
void mining_json(struct buf *out, const struct mining *p, const char *provider);

/* Find the candidates in a repository: fill the results of C. Release them with
 * candidates_release(), also on failure. Return 0 or -1: ERR_SYSTEM, DIR is in no git
 * work tree; ERR_USAGE, the range names no commits; ERR_HELPER. */
int mining_read(struct candidates *c, struct err *e);

#endif
