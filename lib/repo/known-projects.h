/* known-projects.h: the projects of this user on this machine, as far as something
 * was written to them: $XDG_STATE_HOME/co-cli/projects, a line of JSON each,
 * {"id","path","seen","since","dir","git"}, those written to last first.
 *
 * It is a list of where to look and no more: whoever looks there finds out
 * whether the project still stands there, under that id, and whose it is.  What
 * does not, for long, is forgotten by whoever looks at all.
 *
 * An id stands in a settings.json that anybody can copy, so it proves nothing.  If
 * several directories have one id, the user's list decides: the id belongs to the one
 * that was noted first, and to the work trees of its clone.  "dir" and "git" prove that
 * a project was moved from another path (see identity.h); then it keeps its "since".
 * Until the moved project is noted, another store with its id at the old path has its
 * line, and the line of the moved one has "moved".
 */
#ifndef CO_REPO_KNOWN_PROJECTS_H
#define CO_REPO_KNOWN_PROJECTS_H

#include "base/arena.h"
#include "repo/project-id.h"
#include "repo/root.h"

#define KNOWN_PROJECTS_MAX 2000 /* of those seen last */

struct known_project {
	const char *id, *path;	    /* of the folder that holds `.co-cli` */
	struct instant seen, since; /* last and first written to */
	const char *dir, *git;	    /* as in identity.h; NULL: unknown */
	bool moved;		    /* another store is at PATH now */
	bool undated; /* noted by an older co, which wrote no SINCE */
	bool gone;    /* known_project_open() found nothing of that id there */
};

struct known_projects {
	struct known_project *items; /* latest first */
	size_t n;
};

/* Read the list; OUT lives in A.  An absent one is empty, and what is no line of it
 * is passed over.  ERR_SYSTEM: it cannot be read, or is another user's. */
int known_projects_read(struct known_projects *out, struct arena *a,
			struct err *e);

/* Note that the project R was written to, once a day; one without an id is none.
 * Cannot fail: where it cannot be noted, it is not. */
void known_projects_note(struct root *r);

/* Return true if the list has the project R with its path and id.  With UNDATED, only
 * if an older version noted it, and this one has not since. */
bool known_projects_has(const struct root *r, bool undated);

/* Forget those of ALL that are gone, and were not written to for a month: a disk
 * may be away for a while.  Cannot fail, as above. */
void known_projects_forget(const struct known_projects *all);

/* True if known_project_open() opens P. */
bool known_project_stands(struct known_project *p);

/* True if the folders A and B lie in work trees of one clone of git's, or are one. */
bool known_project_is_same(const char *a, const char *b);

/* Open what P names: 1 (*R is yours), 0 where it is not there any more, not under
 * that id, or not to be asked; -1. */
int known_project_open(struct known_project *p, struct root *r, struct err *e);

#endif
