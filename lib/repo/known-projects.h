/* known-projects.h: the projects on this machine that this user wrote to.
 *
 * $XDG_STATE_HOME/co-cli/projects has a line of JSON for each,
 * {"id","path","seen","since","dir","git"}, the last one written to first.
 *
 * The list has only paths. A caller that opens one must check that the project is still
 * there, with that id, and who owns it. Projects that have been
 * gone for long are removed from the list by any caller that looks.
 *
 * Anybody can copy a settings.json with its id, so an id proves nothing. If several
 * directories have one id, the user's list decides: the id belongs to the one that
 * was noted first, and to the work trees of its clone. "dir" and "git" prove that a
 * project was moved from another path (see identity.h); then it keeps its "since".
 * Until the moved project is noted, another store with its id at the old path has
 * its line, and the line of the moved one has "moved".
 */
#ifndef CO_REPO_KNOWN_PROJECTS_H
#define CO_REPO_KNOWN_PROJECTS_H

#include "base/arena.h"
#include "repo/project-id.h"
#include "repo/root.h"

#define KNOWN_PROJECTS_MAX 2000 /* of those seen last */

struct known_project {
	const char *id, *path;	    /* of the directory that has `.co-cli` */
	struct instant seen, since; /* last and first written to */
	const char *dir, *git;	    /* as in identity.h; NULL: unknown */
	bool moved;		    /* another store is at PATH now */
	bool gone; /* known_project_open() found nothing of that id there */
};

struct known_projects {
	struct known_project *items; /* latest first */
	size_t n;
};

/* Read the list into OUT, allocated in A. An absent list is empty; malformed lines
 * are skipped. Return 0, or -1: ERR_SYSTEM if it cannot be read or belongs to
 * another user. */
int known_projects_read(struct known_projects *out, struct arena *a,
			struct err *e);

/* Note once a day that the project R was written to, unless it has no id. Errors
 * are ignored. */
void known_projects_note(struct root *r);

/* Return true if the list has the project R with its path and id. */
bool known_projects_has(const struct root *r);

/* Remove from the list those of ALL that are gone and were not written to for a
 * month. A disk may be away for a while, so others stay. Errors are ignored. */
void known_projects_forget(const struct known_projects *all);

/* Return true if known_project_open() opens P. */
bool known_project_stands(struct known_project *p);

/* Return true if the directories A and B are the same, or in work trees of one git
 * clone. */
bool known_project_is_same(const char *a, const char *b);

/* Open the project P. Return 1 with R, which the caller releases; 0 if P is gone, has
 * another id, or does not share its memories; or -1. Set P->gone. */
int known_project_open(struct known_project *p, struct root *r, struct err *e);

#endif
