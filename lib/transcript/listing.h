/* listing.h: the conversations of a project, or of all. */
#ifndef CO_TRANSCRIPT_LISTING_H
#define CO_TRANSCRIPT_LISTING_H

#include "transcript/sessions.h"

struct listing {
	const char *project; /* a folder; NULL: the project that we are in */
	bool all;	     /* of other projects as well, behind */
	const char *agent;   /* of this one alone; or NULL */
	const struct instant *since; /* that went on then or later; or NULL */
};

/* Find those, but not the requests of the suite's own, this project's first, then what went on last; they live in the
 * arena of S.  What cannot be read is reported, and the rest is there.  -1: the
 * project cannot be found. */
int listing_find(struct sessions *s, const struct listing *l,
		 const struct report *r, struct err *e);

#endif
