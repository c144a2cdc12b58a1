/* handle.h: an open store, as all of its modules have it. */
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
	struct cache *cache;	     /* see cache/cache.h; NULL when REPO is
				      * not open */
	const struct report *report; /* gets what a scan skips; may be NULL */
	const struct progress *progress; /* gets how far it is; may be NULL */
	enum { TEAM_UNKNOWN, TEAM_NO, TEAM_YES } team; /* see store_is_team() */
	bool worth_caching;	     /* many files were read for want of it */
	struct ids *ids[AREA_ANY];   /* what was read last, see store/ids.h */
	struct change *change;	     /* of those who change it; else NULL */
	struct languages *languages; /* the user's: of the project that asks,
				      * see store_marks(); else NULL */
	const char *command;	     /* that the log names; may be NULL */
	const char *project; /* its id, where several are asked; else NULL */
	const char
		*elsewhere; /* its folder, where it is another's; else NULL */
	const char *prefix; /* of ids, "NAME:" for a named store; else NULL */
	bool external;	    /* its texts are marked as external */
};

#endif
