/* replacement.h: one memory in the place of others, all steps or none.
 *
 * The new one, which says `supersedes: [OLD]`, stands before the old one goes to
 * archive/ and is told `superseded: NEW`: so that a reader may meet both, and
 * never neither.  In a team's store the old one stays where it is, and is hidden by
 * what it says (see MARK_REPLACED).
 *
 * What is about to happen is noted first, in trash/.replacing: whoever takes the
 * lock after a writer was killed finishes it.  Where the new one stands, the old one
 * goes; where it does not, nothing has happened.
 *
 * A folder of the trash has a note of each, so that an undo takes it back.
 */
#ifndef CO_STORE_REPLACEMENT_H
#define CO_STORE_REPLACEMENT_H

#include "store/handle.h"

#define REPLACEMENT_NEW "supersedes" /* a list of ids, in the new one */
#define REPLACEMENT_OLD "superseded" /* an id, in the old one */

#define REPLACEMENT_MOST 50 /* that one takes the place of */

/* The PATHS of memories, one a line, by what stands below knowledge/; in A. */
const char *replacement_names(struct store *s, const char *paths,
			      struct arena *a);

/* The next of the lines at *P, in A; NULL at their end. */
const char *replacement_next(const char **p, struct arena *a);

/* True if one of the lines of TEXT, or of NULL, is LINE. */
bool replacement_has(const char *text, const char *line);

/* Note that the file NAME is to take the place of the files OLD, one a line, all
 * of memories and called by their paths below knowledge/.  The lock is ours until
 * replacement_end(), which must follow. */
int replacement_begin(struct store *s, const char *name, const char *old,
		      struct err *e);

/* NAME STANDS, durably: OLD goes to the archive, or is marked; or it does not, and
 * nothing happens to OLD.
 * After -1 whoever takes the lock next tries again, if the note stands. */
int replacement_end(struct store *s, bool stands, struct err *e);

/* True if a writer was killed on the way. */
bool replacement_pending(struct store *s);

/* Finish what it began.  The lock is ours. */
int replacement_resume(struct store *s, struct err *e);

/* Let the memory or draft at PATH say that it supersedes the memory ID, or no
 * longer. */
int replacement_say(struct store *s, const char *path, int64_t id, bool does,
		    struct err *e);

/* *PATHS, in A, are where those lie, one a line, that FOLDER of the trash notes as
 * replaced: what the archive still has, and where others stayed, whatever they say
 * now.  1, 0 where there are none, -1. */
int replacement_noted(struct store *s, const char *folder, struct arena *a,
		      const char **paths, struct err *e);

/* Take the note out of FOLDER. */
void replacement_forget(struct store *s, const char *folder);

/* Take out of the file NAME in DIR, called PATH, that it is superseded, if it
 * says so, and out of the memory that has its place that it supersedes it. */
int replacement_free(struct store *s, int dir, const char *name,
		     const char *path, struct err *e);

#endif
