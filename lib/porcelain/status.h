/* status.h: what `co status` shows: context, stores, settings, agents. */
#ifndef CO_PORCELAIN_STATUS_H
#define CO_PORCELAIN_STATUS_H

#include "agent/context.h"
#include "agent/setup.h"
#include "repo/settings.h"
#include "search/index.h"
#include "sys/execpath.h"

struct status_root {
	enum scope scope;
	const char *path; /* NULL where the root cannot be told */
	bool exists;
	bool unread; /* a folder cannot be read: what follows is not known */
	size_t memories, drafts, trash;
	struct index_status index;
	int64_t *twice; /* ids that stand twice in memories, ascending */
	size_t ntwice;
};

/* Zeroed, then filled by status_gather(); texts and arrays are the arena's. */
struct status {
	struct status_root roots[2]; /* project, global */
	struct context context;
	const struct settings *settings;
	/* Filled by status_tools(): the programs of the suite (NULL: it was not
	 * called), and how far each agent is set up, for the user and for the
	 * project. */
	const struct execpath *suite;
	enum setup_state agents[AGENTS][2];
	bool failed; /* a root or a folder of one could not be read */
	struct arena arena;
};

/* Look at both roots.  What is wrong goes to R and never stops the look.
 * Release with status_release(). */
void status_gather(struct status *s, const struct report *r);
void status_release(struct status *s);

/* Look at what is offered, and to whom, as well; ARGV0 as in sys/execpath.h. */
void status_tools(struct status *s, const char *argv0);

/* Append S for people, and as the one object of co-json(5). */
void status_text(struct buf *out, const struct status *s);
void status_json(struct buf *out, const struct status *s);

#endif
