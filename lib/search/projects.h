/* projects.h: asking the user's other projects, too. */
#ifndef CO_SEARCH_PROJECTS_H
#define CO_SEARCH_PROJECTS_H

#include "search/grep.h"

/* Several stores, those of the others behind the first ones. */
struct projects {
	struct store **items;
	size_t n, cap;
	size_t own;  /* of them, that are not ours to close */
	size_t most; /* others that are asked, unless it is 0: see
		      * projects_open() */
	bool quiet; /* do not name folders that have the id of another project */
	const struct report *report;
	struct arena arena;
};

/* Add S, which is the caller's. */
void projects_add(struct projects *p, struct store *s);

/* Add the stores of all known projects that can be asked (see
 * repo/known-projects.h), each once, those written to last first, but for OWN's,
 * the project's, which gets its id.  What stands in the way of one goes to the
 * report of OWN, as no failure, and the others go on; so does a folder that
 * has the id of another project (see known-projects.h); of more than P's MOST, or
 * than the system lets be open at once, which is said, those written to last are
 * taken.  One that does not answer is left out (see reach.h). */
void projects_open(struct projects *p, struct store *own);

/* Call FN for OWN, and then for each of those, which is open only meanwhile. */
typedef void projects_fn(void *ctx, struct store *s);
void projects_each(struct store *own, projects_fn *fn, void *ctx);

/* Add the memories of AREA that Q wants to FOUND, or where that is NULL, how
 * many there are to *N.  -1: one of the caller's fails; others are left out. */
int projects_grep(const struct projects *p, enum area area,
		  const struct grep_query *q, struct results *found, size_t *n,
		  struct err *e);

/* Open them, and add to FOUND the memories of AREA that Q wants. */
void projects_collect(struct projects *p, struct store *own, enum area area,
		      const struct grep_query *q, struct results *found);

/* Close what was opened; OWN is as it was. */
void projects_close(struct projects *p);

#endif
