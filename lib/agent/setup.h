/* setup.h: write the suite into an agent's configuration, and remove it.
 *
 * A plan says how files will change; nothing is touched until it is applied. If a
 * path is a link, the file that it leads to is replaced, and the link stays. The
 * file from before our first change is kept next to it as FILE.co-backup. If
 * nothing else has changed since, removing the suite restores exactly that file.
 *
 * No other file lists our entries. Each entry in exactly the form that we write counts
 * as ours, even one by another program: a configuration may be a copy from another
 * machine. A file that is empty without our entries and has no backup was made for
 * them. It is removed, and so are directories of the agent that become empty.
 */
#ifndef CO_AGENT_SETUP_H
#define CO_AGENT_SETUP_H

#include "agent/config-files.h"
#include "agent/config.h"

#define SETUP_BACKUP ".co-backup"

struct setup_file {
	struct config config;
	const char *path; /* both as in struct agent_file */
	size_t base;
	bool existed;
	struct buf was, now;
	bool gone;     /* remove the file */
	bool backup;   /* save WAS as the backup */
	bool unbackup; /* restore the backup, and remove it */
	bool stale;    /* keep the backup: the file differs from it */
};

struct setup {
	bool project;
	struct config_files where;
	char *program;
	struct setup_file files[CONFIG_FILES_MAX];
	size_t n;
};

enum setup_what { SETUP_PUT, SETUP_DROP };

/* Find the files of AGENT's configuration, the user's or the PROJECT's, that
 * contain or would contain the suite. No file is read. The program for the
 * user's files is this one, found by ARGV0 (see sys/execpath.h); for the
 * project's, it is the one in PATH. Release S with setup_release() in any case.
 * Return 0 or -1: ERR_DATA, ERR_SYSTEM. */
int setup_find(struct setup *s, const struct agent *agent, bool project,
	       const char *argv0, struct err *e);
void setup_release(struct setup *s);

/* Plan to put the suite into the files of S, or to remove it. Return 0 or -1:
 * ERR_DATA if a file is malformed or not a regular file; ERR_SYSTEM. */
int setup_plan(struct setup *s, enum setup_what what, struct err *e);

/* Append how the plan changes the files of S, in the form of diff -u. Return the
 * number of files that change, or whose backups do. */
size_t setup_show(const struct setup *s, struct buf *out);

/* Append what each file of S would contain if it had nothing else. */
int setup_print(const struct setup *s, struct buf *out, struct err *e);

/* Return true if F is to be changed, or its backup is to be removed. */
bool setup_changes(const struct setup_file *f);

/* Return true if F itself is to be changed. */
bool setup_rewrites(const struct setup_file *f);

/* Change F durably, if it is unchanged since the plan. Return 0 or -1: ERR_BUSY if
 * it has changed. */
int setup_apply(const struct setup *s, const struct setup_file *f,
		struct err *e);

/* Append the path by which to call `co` of this program. That is the one in
 * PATH if it leads here, since the file that it leads to may be gone after an
 * update. Return false if the program is not found. */
bool setup_program(struct buf *out, const char *argv0);

/* Whether AGENT is set up. */
enum setup_state {
	SETUP_NONE,
	SETUP_OTHER, /* for another program, or incomplete */
	SETUP_WHOLE,
	SETUP_UNKNOWN /* its configuration cannot be read */
};
enum setup_state setup_look(const struct agent *agent, bool project,
			    const char *argv0, struct err *why);

#endif
