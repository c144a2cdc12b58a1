/* setup.h: the suite written into an agent's configuration, and taken out.
 *
 * A plan says which files become what; nothing is touched until it is applied.
 * A file that a link leads to is replaced, and the link stays.  What was there
 * is kept beside it as FILE.co-backup, from before we first changed it; where
 * nothing else changed since, taking out puts just that back.
 */
#ifndef CO_SETUP_H
#define CO_SETUP_H

#include "wiring.h"

#define SETUP_BACKUP ".co-backup"
#define SETUP_FILE_MAX ((size_t)16 * 1024 * 1024)
#define SETUP_FILES 2

struct setup_file {
	struct wiring wiring;
	char *path; /* absolute, as the agent calls it */
	bool existed;
	struct buf was, now;
	bool gone;     /* it is to be removed */
	bool backup;   /* what was is kept */
	bool unbackup; /* the backup has gone back into its place */
};

struct setup {
	enum agent agent;
	bool project;
	char *program;
	char *top; /* the project's folder, NULL for the user's */
	struct setup_file files[SETUP_FILES];
	size_t n;
};

enum setup_what { SETUP_PUT, SETUP_DROP };

/* Plan to put the suite into the configuration of AGENT, the user's or the
 * PROJECT's, or to take it out.  The user's names this very program, found by
 * ARGV0 (see suite.h), the project's the one in PATH.  Release with
 * setup_release(), whatever it returns.  ERR_DATA: a file is malformed, or no
 * file; ERR_SYSTEM. */
int setup_plan(struct setup *s, enum agent agent, bool project,
	       enum setup_what what, const char *argv0, struct err *e);
void setup_release(struct setup *s);

/* True if F is to be changed. */
bool setup_changes(const struct setup_file *f);

/* Change F, durably, if it still is what it was.  ERR_BUSY: it is not. */
int setup_apply(const struct setup *s, const struct setup_file *f,
		struct err *e);

/* Append the path by which this program's `co` is called: the one in PATH, if
 * it leads here, since what it leads to may be gone after an update. */
bool setup_program(struct buf *out, const char *argv0);

/* How far AGENT is set up there. */
enum setup_state {
	SETUP_NONE,
	SETUP_OTHER, /* for another program, or not whole */
	SETUP_WHOLE,
	SETUP_UNKNOWN /* its configuration cannot be read */
};
enum setup_state setup_look(enum agent agent, bool project, const char *argv0);

#endif
