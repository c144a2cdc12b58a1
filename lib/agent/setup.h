/* setup.h: writing the suite into an agent's configuration, and taking it out.
 *
 * A plan says which files become what; nothing is touched until it is applied.
 * A file that a link leads to is replaced, and the link stays.  What was there
 * is kept beside it as FILE.co-backup, from before we first changed it; where
 * nothing else changed since, taking out puts just that back.
 *
 * Nothing is noted elsewhere: what stands there in our form is ours, whoever
 * wrote it, since a configuration may be copied from another machine.  A file
 * that then holds nothing, and has no backup, was made for us, and goes, and so
 * do folders of the agent's that are empty then.
 */
#ifndef CO_AGENT_SETUP_H
#define CO_AGENT_SETUP_H

#include "agent/config-files.h"
#include "agent/config.h"

#define SETUP_BACKUP ".co-backup"
#define SETUP_FILE_MAX ((size_t)16 * 1024 * 1024)

struct setup_file {
	struct config config;
	const char *path; /* both as in struct agent_file */
	size_t base;
	bool existed;
	struct buf was, now;
	bool gone;     /* it is to be removed */
	bool backup;   /* what was is kept */
	bool unbackup; /* the backup goes: it is what the file becomes */
	bool stale;    /* the backup stays: there is more in it, or less */
};

struct setup {
	bool project;
	struct config_files where;
	char *program;
	struct setup_file files[CONFIG_FILES_MAX];
	size_t n;
};

enum setup_what { SETUP_PUT, SETUP_DROP };

/* Find the files that AGENT's configuration, the user's or the PROJECT's, has,
 * or would have, the suite in; none is read.  The user's names this very
 * program, found by ARGV0 (see sys/execpath.h), the project's the one in PATH.
 * Release with setup_release(), whatever it returns.  ERR_DATA; ERR_SYSTEM. */
int setup_find(struct setup *s, const struct agent *agent, bool project,
	       const char *argv0, struct err *e);
void setup_release(struct setup *s);

/* Plan to put the suite into the files of S, or to take it out.  ERR_DATA: a
 * file is malformed, or no file; ERR_SYSTEM. */
int setup_plan(struct setup *s, enum setup_what what, struct err *e);

/* Append how the files of S change by its plan, as diff -u has it; how many do,
 * or their backups. */
size_t setup_show(const struct setup *s, struct buf *out);

/* Append what each file of S would hold, had it nothing else. */
int setup_print(const struct setup *s, struct buf *out, struct err *e);

/* True if F is to be changed, or its backup to go. */
bool setup_changes(const struct setup_file *f);

/* True if F itself is to be changed. */
bool setup_rewrites(const struct setup_file *f);

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
enum setup_state setup_look(const struct agent *agent, bool project,
			    const char *argv0, struct err *why);

#endif
