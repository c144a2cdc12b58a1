/* status.h: gather and print the state of the context, stores, settings and
 * agents, for `co status`.
 */
#ifndef CO_OVERVIEW_STATUS_H
#define CO_OVERVIEW_STATUS_H

#include "agent/context.h"
#include "agent/setup.h"
#include "article/article.h"
#include "repo/settings.h"
#include "search/index.h"
#include "setup/setup-git.h"
#include "shown/shown.h"
#include "sys/execpath.h"
#include "transcript/unsaved.h"

/* Each pair of so many memories is compared, the newest ones: all of most stores. More
 * would take longer than everything else here. */
#define STATUS_COMPARED 300

/* The model that the settings name. */
struct status_model {
	const char *provider;
	const char *name;    /* NULL: none is configured */
	const char *trouble; /* NULL: it answers */
};

/* The automatic harvest of sessions, if harvest.auto is on. */
struct status_harvest {
	bool on;
	struct instant when;
	char last[INSTANT_TEXT]; /* time of the last harvest; "": never */
	const char *trouble;	 /* the error of that harvest or of the ledger,
				  * or NULL */
};

struct status_root {
	enum scope scope;
	const char *path;  /* NULL if it is unknown */
	const char *hides; /* a root above that this one hides, or NULL */
	bool exists;
	bool team;   /* see repo/format-number.h */
	bool unread; /* a directory cannot be read: the rest is unset */
	size_t memories, drafts, trash;
	struct article_counts articles;
	size_t due; /* memories due for review */
	/* Memories with a cited source that has changed or is gone, and those of
	 * which not all sources were checked: they are too many, or unreadable. */
	size_t stale, unchecked;
	size_t contradicted; /* memories that `co list --contradicted` lists, of
			      * the newest STATUS_COMPARED */
	size_t conflicted;   /* memories with conflict markers of git */
	struct index_status index;
	size_t vectors_missing; /* documents without a vector, if there is an
				 * index and an encoder in this process */
	int64_t *twice;		/* ids that several memories have, ascending */
	size_t ntwice;
	enum setup_git_state merge;
	/* Of the user's store, if its git repository has a remote: the files that
	 * are not committed, without sensitive ones; the commits that no branch of
	 * the remote had when it was last asked; and those that were fetched and
	 * not merged. */
	bool has_remote;
	size_t uncommitted, unsent, unmerged;
};

/* A store that the project names. */
struct status_store {
	const char *name, *path;
	int exists; /* -1: it is refused or cannot be read */
	bool external;
	size_t memories;
};

/* The caller zeroes it and calls status_gather(). Texts and arrays are
 * allocated in `arena`. */
struct status {
	struct status_root roots[2]; /* project, global */
	size_t others, waiting; /* other projects with drafts; the number of
				 * these drafts */
	struct status_store *stores; /* those that the project names */
	size_t nstores;
	struct context context;
	const struct settings *settings;
	struct status_model model;
	struct status_harvest harvest;
	char late[INSTANT_TEXT];      /* time when a hook last exceeded its time
				  * limit; "": never */
	struct unsaved_found unsaved; /* lines to remember that wait */
	struct setup_agent *agents;   /* all of the table */
	struct shown_last *last; /* the last session here of each of them */
	size_t nagents;
	/* The programs of the suite; NULL before status_tools(). */
	const struct execpath *suite;
	bool failed; /* a store, or the configuration of an agent, cannot be
		      * read */
	struct arena arena;
};

/* Gather the state of both stores, and check the model if one is configured.
 * ARGV0: see sys/execpath.h. Errors are reported to R and do not stop the work.
 * Release with status_release(). */
void status_gather(struct status *s, const char *argv0, const struct report *r);
void status_release(struct status *s);

/* Also gather the programs. */
void status_tools(struct status *s, const char *argv0);

/* Append S as text for people.
 *
 * status_json() appends it as the JSON object described in co-json(5).
 */
void status_text(struct buf *out, const struct status *s);
void status_json(struct buf *out, const struct status *s);

#endif
