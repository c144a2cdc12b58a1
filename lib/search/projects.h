/* projects.h: search the user's other projects, too. */
#ifndef CO_SEARCH_PROJECTS_H
#define CO_SEARCH_PROJECTS_H

#include "search/grep.h"

/* Several stores: the caller's own, then those of other projects. */
struct projects {
	struct store **items;
	size_t n, cap;
	size_t own;   /* how many of them the caller closes itself */
	size_t most;  /* at most so many others, unless 0 */
	bool indexed; /* the caller opens the index of each */
	bool quiet;   /* do not report directories with another project's id */
	const struct report *report;
	struct arena arena;
};

/* Add S, which the caller keeps. */
void projects_add(struct projects *p, struct store *s);

/* Add S, which is allocated and which projects_close() closes and frees. */
void projects_take(struct projects *p, struct store *s);

/* Return how many stores P may have open at once, besides the caller's own. Raises the
 * limit of open files to the maximum. */
size_t projects_most_open(const struct projects *p);

/* Add the stores of all known projects (see repo/known-projects.h), each once,
 * last written first, except the project of OWN; OWN gets its id.
 *
 * A project that cannot be opened, or whose directory has the id of another
 * project, is reported to OWN's report and skipped. So are those that do not
 * answer (see sys/reach.h). If there are more than P->most, or than the system can
 * open at once (this is reported), those written last are taken. */
void projects_open(struct projects *p, struct store *own);

/* Call FN for OWN and then for each other project, which is open only during
 * the call. */
typedef void projects_fn(void *ctx, struct store *s);
void projects_each(struct store *own, projects_fn *fn, void *ctx);

/* Add the records of AREA that Q wants to FOUND; if FOUND is NULL, add their
 * number to *N. Return 0, or -1 if one of the caller's stores fails; others are
 * skipped. */
int projects_grep(const struct projects *p, enum area area,
		  const struct grep_query *q, struct results *found, size_t *n,
		  struct err *e);

/* Close the opened stores and restore OWN. */
void projects_close(struct projects *p);

#endif
