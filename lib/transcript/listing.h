/* listing.h: list the conversations of a project, or of all projects. */
#ifndef CO_TRANSCRIPT_LISTING_H
#define CO_TRANSCRIPT_LISTING_H

#include "transcript/sessions.h"

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
