/* handle.h: an open store. */
#ifndef CO_STORE_HANDLE_H
#define CO_STORE_HANDLE_H

#include "base/progress.h"
#include "repo/layout.h"

struct cache;
struct change;
struct ids;
struct languages;

struct store {
	struct repo repo;
	struct cache *cache;	     /* see cache/cache.h; NULL if REPO is
				      * not open */
	const struct report *report; /* gets warnings, as about broken files;
				      * may be NULL */
	const struct progress *progress; /* of long work; may be NULL */
	enum { TEAM_UNKNOWN, TEAM_NO, TEAM_YES } team; /* see store_is_team() */
	bool worth_caching;	     /* many files were read without a cache */
	struct ids *ids[AREA_ANY];   /* by area, see store/ids.h; or NULL */
	struct change *change;	     /* of a writer; else NULL */
	struct languages *languages; /* of the current project, in the user's
				      * store, see store_marks(); else NULL */
	const char *command;	     /* for the log; may be NULL */
	const char *project;   /* the project's id, if a command reads several
			      * stores; else NULL */
	const char *elsewhere; /* the project's directory, if it is not the
				* current one; else NULL */
	const char *prefix; /* of ids, "NAME:" for a named store; else NULL */
	bool external;	    /* its texts are marked as external */
};

#endif
