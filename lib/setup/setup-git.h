/* setup-git.h: having git merge what a team knows by what it means.
 *
 * Two things are shared, in the repository: `.co-cli/.gitattributes` (see
 * repo/git-attributes.h) and, in settings.json, "team", the format that it
 * takes, and "project.id", which names the project in every clone and fork.
 * Three are the clone's own, since git takes no programs from a repository: the
 * merge driver `co`, rerere, and the hooks of the suite.
 *
 * `co.setup` in the configuration of the clone lists, by words, what was
 * not there before and so is to be taken out: a clone of a project that is set
 * up leaves what is shared alone, and what somebody chose himself stays.
 */
#ifndef CO_SETUP_SETUP_GIT_H
#define CO_SETUP_SETUP_GIT_H

#include "repo/git-attributes.h"
#include "store/store.h"

struct setup_git; /* opaque; one plan */

/* Plan to set up the clone that the project's store S lies in, or with REMOVING
 * to undo it; nothing is changed yet.  ARGV0 as in sys/execpath.h.  *G is yours,
 * release with setup_git_free(), whatever is returned.  ERR_SYSTEM: S is absent,
 * or in no clone; ERR_DATA: its settings are malformed; ERR_HELPER: git cannot
 * be asked. */
int setup_git_plan(struct setup_git **g, struct store *s, bool removing,
		   const char *argv0, struct err *e);
void setup_git_free(struct setup_git *g);

/* Append what is going to change, for people; nothing where all is as it should
 * be. */
void setup_git_show(const struct setup_git *g, struct buf *out);

/* Do it, and call SAY with a word on each thing that was changed.  Killed on the
 * way, it is done again, or undone, as a whole. */
typedef void setup_git_say(void *ctx, const char *what);
int setup_git_apply(const struct setup_git *g, setup_git_say *say, void *ctx,
		    struct err *e);

/* True if files that the team shares are to be changed. */
bool setup_git_shares(const struct setup_git *g);

/* How far the clone that ROOT lies in has the driver; the configuration is read,
 * git is not run. */
enum setup_git_state {
	SETUP_GIT_NO_CLONE, /* git sees none of it */
	SETUP_GIT_NONE,
	SETUP_GIT_DRIVER
};
enum setup_git_state setup_git_look(const struct root *root);

#endif
