/* status.h: what `co status` shows: context, stores, settings, agents. */
#ifndef CO_OVERVIEW_STATUS_H
#define CO_OVERVIEW_STATUS_H

#include "agent/context.h"
#include "agent/setup.h"
#include "article/article.h"
#include "repo/settings.h"
#include "search/index.h"
#include "setup/setup-git.h"
#include "sys/execpath.h"

/* The model that the settings name. */
struct status_model {
	const char *provider;
	const char *name;    /* NULL: none is set */
	const char *trouble; /* NULL: it answers */
};

/* What came of the sessions that ended, where harvest.auto is on. */
struct status_harvest {
	bool on;
	struct instant when;
	char last[INSTANT_TEXT]; /* when one was harvested; "": none was */
	const char *trouble;	 /* of that one, or of the ledger; or NULL */
};

struct status_root {
	enum scope scope;
	const char *path;  /* NULL where the root cannot be told */
	const char *hides; /* the root above it that counts no more; or NULL */
	bool exists;
	bool team;   /* see repo/format-number.h */
	bool unread; /* a folder cannot be read: what follows is not known */
	size_t memories, drafts, trash;
	struct article_counts articles;
	size_t due; /* memories, for review */
	struct index_status index;
	int64_t *twice; /* ids that stand twice in memories, ascending */
	size_t ntwice;
	enum setup_git_state merge;
};

/* Zeroed, then filled by status_gather(); texts and arrays are the arena's. */
struct status {
	struct status_root roots[2]; /* project, global */
	size_t others, waiting; /* projects in which drafts wait; how many */
	struct context context;
	const struct settings *settings;
	struct status_model model;
	struct status_harvest harvest;
	char late
		[INSTANT_TEXT]; /* when a hook last ran out of time; "": never */
	size_t unsaved;		/* lines to remember that wait: see unsaved.h */
	const char *unsaved_why; /* of one of them */
	/* Filled by status_tools(): the programs of the suite (NULL: it was not
	 * called), and how far each agent is set up, for the user and for the
	 * project. */
	const struct execpath *suite;
	enum setup_state agents[AGENTS][2];
	bool failed; /* a root or a folder of one could not be read */
	struct arena arena;
};

/* Look at both roots, and see whether the model answers, if one is set; ARGV0 as
 * in sys/execpath.h.  What is wrong goes to R and never stops the look.  Release
 * with status_release(). */
void status_gather(struct status *s, const char *argv0, const struct report *r);
void status_release(struct status *s);

/* Look at what is offered, and to whom, as well. */
void status_tools(struct status *s, const char *argv0);

/* Append S for people, and as the one object of co-json(5). */
void status_text(struct buf *out, const struct status *s);
void status_json(struct buf *out, const struct status *s);

#endif
