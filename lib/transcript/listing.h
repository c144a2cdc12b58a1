/* listing.h: list the conversations of a project, or of all projects. */
#ifndef CO_TRANSCRIPT_LISTING_H
#define CO_TRANSCRIPT_LISTING_H

#include "transcript/sessions.h"

/* The directories whose conversations belong to a project: its own and the
 * current one. */
struct listing_dirs {
	const char *path[2];
};

/* Set D to those of the directory PROJECT; NULL: of the current project. Strings
 * are in A. Return 0, or -1 if it cannot be found. */
int listing_dirs(struct listing_dirs *d, const char *project, struct arena *a,
		 struct err *e);

/* Return true if S, whose project is set, belongs to D. */
bool listing_is_ours(const struct session *s, const struct listing_dirs *d);

/* Return true if S is the record of a request that the suite itself made. A
 * record that cannot be read is none; its reader reports it. */
bool listing_is_request(const struct session *s);

struct listing {
	const char *project; /* a directory; NULL: the current project */
	bool all;	     /* also those of other projects, last */
	const char *agent;   /* only of this agent; or NULL */
	const struct instant *since; /* only those that ended then or later; or
				      * NULL */
};

/* Fill S, in its arena, with the sessions that L wants, except requests of the
 * suite itself: this project's first, then by end, newest first. Agents whose
 * sessions cannot be read are reported to R. Return 0, or -1 if the project
 * cannot be found. */
int listing_find(struct sessions *s, const struct listing *l,
		 const struct report *r, struct err *e);

#endif
