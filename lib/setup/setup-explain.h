/* setup-explain.h: describe to a person which agents are set up, and a plan of
 * setup.h. */
#ifndef CO_SETUP_SETUP_EXPLAIN_H
#define CO_SETUP_SETUP_EXPLAIN_H

#include "agent/setup.h"
#include "base/arena.h"

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
