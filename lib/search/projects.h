/* projects.h: search the user's other projects, and the stores that a project names. */
#ifndef CO_SEARCH_PROJECTS_H
#define CO_SEARCH_PROJECTS_H

#include "repo/settings.h"
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

/* Add the stores of all known projects (see repo/known-projects.h), each once,
 * last written first, except the project of OWN; OWN gets its id.
 *
 * A project that cannot be opened, or whose directory has the id of another
 * project, is reported to OWN's report and skipped. So are those that do not
 * answer (see search/reach.h). If there are more than P->most, or than the system can
 * open at once (this is reported), those written last are taken. */
void projects_open(struct projects *p, struct store *own);

/* A named store is one that a project names in its settings, to be read. It is in a
 * directory of the work tree, mostly a submodule or a vendored copy, that has a
 * `.co-cli`. Its ids are NAME:7. Nothing writes to it here, and its texts are external
 * unless the user's setting safe.stores lists its directory.
 *
 * Open the store WHICH of OWN's project as S. Its strings are in A. Return 1; 0 if its
 * directory has no store; -1 with ERR_SYSTEM if that is a symbolic link, outside of the
 * work tree, another user's, or cannot be read. */
int projects_named_open(struct store *s, const struct settings_store *which,
			const struct store *own, struct arena *a,
			struct err *e);

/* Open the store NAME of OWN's project in the same way. ERR_USAGE: the project names no
 * such store. ERR_NO: there is none in its directory. Return 0 or -1. */
int projects_named_find(struct store *s, const char *name,
			const struct store *own, struct arena *a,
			struct err *e);

/* Add all of OWN's project to P, which closes them. Those without a store are left
 * out. Others that cannot be opened, or are more than the system can open at once, are
 * reported to OWN's report. */
void projects_open_named(struct projects *p, const struct store *own);

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
