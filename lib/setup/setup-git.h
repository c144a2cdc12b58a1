/* setup-git.h: set up a clone so that git merges memories with the merge driver
 * `co`.
 *
 * Two files in the repository are shared: `.co-cli/.gitattributes` (see below),
 * and settings.json with "team", the format it requires, and "project.id",
 * which identifies the project in every clone and fork. Three settings belong to
 * the clone, since git accepts no programs from a repository: the merge driver `co`,
 * rerere, and the hooks of the suite.
 *
 * The git option `co.setup` of the clone lists, as words, what the setup added
 * and an undo will remove. So a clone of a project that was set up elsewhere
 * does not change the shared files, and settings that the user made are kept.
 */
#ifndef CO_SETUP_SETUP_GIT_H
#define CO_SETUP_SETUP_GIT_H

#include "repo/root.h"
#include "store/store.h"

struct setup_git; /* opaque: a plan */

/* The values of merge.co.name and merge.co.driver. */
extern const char setup_git_name[], setup_git_driver[];

/* Plan the setup of the clone that contains the project's store S, or with
 * REMOVING its undo. Nothing is changed yet. ARGV0: see sys/execpath.h. Return
 * 0, or -1: ERR_SYSTEM, S is absent or not in a clone; ERR_DATA, its settings
 * are malformed; ERR_HELPER, git failed. In every case the caller frees *G with
 * setup_git_free(). */
int setup_git_plan(struct setup_git **g, struct store *s, bool removing,
		   const char *argv0, struct err *e);
void setup_git_free(struct setup_git *g);

/* Append the planned changes as a difference and commands; nothing if there are
 * none. */
void setup_git_show(const struct setup_git *g, struct buf *out);

/* Append in sentences what git will do once the plan is carried out, and what changes.
 * There must be changes. */
void setup_git_explain(const struct setup_git *g, struct buf *out);

/* Carry out the plan, and call SAY with the name of each thing that was
 * changed. If the process is killed, the setup or its undo can be run again. */
typedef void setup_git_say(void *ctx, const char *what);
int setup_git_apply(const struct setup_git *g, setup_git_say *say, void *ctx,
		    struct err *e);

/* Return what the plan does to the ids of new memories, as a sentence for people, or NULL
 * if it changes nothing about them. The text is static. */
const char *setup_git_ids(const struct setup_git *g);

/* Return true if the plan changes shared files. */
bool setup_git_shares(const struct setup_git *g);

/* Return whether the clone that contains ROOT has the merge driver. Reads git's
 * configuration file without running git. */
enum setup_git_state {
	SETUP_GIT_NO_CLONE, /* the store is not in a clone, or git ignores it */
	SETUP_GIT_NONE,
	SETUP_GIT_DRIVER
};
enum setup_git_state setup_git_look(const struct root *root);

/* Our lines at the beginning of `.co-cli/.gitattributes` tell git how to treat the files
 * of a store. These files end their lines with \n on every machine. A clone that has the
 * driver `co` merges them by meaning, any other clone as text. Lines of other people
 * stay after ours, so that they take precedence. */
#define SETUP_GIT_ATTRIBUTES ".gitattributes"

/* Add our lines to TEXT, or remove them if PUT is false; no other byte changes.
 * Return true if TEXT changed. */
bool setup_git_attributes_edit(struct buf *text, bool put);

/* Read the file of the root R into TEXT. Return 1, 0 if it is absent, or -1. */
int setup_git_attributes_read(const struct root *r, struct buf *text,
			      struct err *e);

/* Do setup_git_attributes_edit() for the file of the root R, which is created if
 * needed, and removed if it becomes empty. Return 1, 0 if nothing changes, or
 * -1. */
int setup_git_attributes_write(const struct root *r, bool put, struct err *e);

#endif
