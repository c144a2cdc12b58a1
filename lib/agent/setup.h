/* setup.h: write the suite into an agent's configuration, and remove it; and describe
 * the plan to a person, and which agents are set up.
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

/* Append the path under which to call `co` of this program. That is the one in
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

/* Append what the agent of S will do once its plan is applied, and the files that
 * change, with the number of lines. REMOVING: the plan removes the suite. */
void setup_explain(struct buf *out, const struct setup *s, bool removing);

/* Append PATH with ~ for the user's home. */
void setup_add_path(struct buf *out, const char *path);

/* Append the file PATH to a list of those that change, which begins with the FIRST, and
 * the number of lines that NOW adds to WAS and removes. NOW is NULL if the file is
 * removed. */
void setup_add_file(struct buf *out, bool first, const char *path,
		    const struct buf *was, const struct buf *now);

struct setup_agent {
	const struct agent *agent;
	bool found; /* it seems to be on this machine */
	enum setup_state user, project;
	const char *why[2]; /* USER and PROJECT cannot be read, or NULL */
};

/* Gather the state of each agent of the table that is found on this machine, or with
 * ALL, of every one, allocated in A. Return how many. ARGV0: see sys/execpath.h. */
size_t setup_agents(struct setup_agent **items, bool all, const char *argv0,
		    struct arena *a);

/* Return the word for STATE in JSON, and the text for people. Static. */
const char *setup_state_name(enum setup_state state);
const char *setup_state_text(enum setup_state state);

/* Append a line for each of the N ITEMS, numbered from 1 if NUMBERED. */
void setup_agents_text(struct buf *out, const struct setup_agent *items,
		       size_t n, bool numbered);

#endif
