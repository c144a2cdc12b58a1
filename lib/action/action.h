/* action.h: what a tool of an agent is about to do, or has just done: edit files, or
 * run a command.
 *
 * Agents name their tools and the fields of their input differently, so this goes by
 * the fields: a path with a new text is an edit, a patch edits several files, and a
 * command is one. Everything else is no action.
 */
#ifndef CO_ACTION_ACTION_H
#define CO_ACTION_ACTION_H

#include "base/arena.h"
#include "format/value.h"

#define ACTION_FILES 8
#define ACTION_EDITS 16			  /* of a file */
#define ACTION_COMMAND_MAX ((size_t)4096) /* bytes; the rest is ignored */
#define ACTION_TEXT_MAX ((size_t)65536)	  /* bytes of an edit */

/* One text of a file that another replaces. Either may be NULL. */
struct action_edit {
	const char *before, *after;
};

struct action_file {
	const char *path; /* as the agent writes it */
	struct action_edit edits[ACTION_EDITS];
	size_t nedits; /* 0: not known */
	bool whole;    /* the whole file is written anew, or removed */
};

struct action {
	struct action_file files[ACTION_FILES];
	size_t nfiles;
	const char *command; /* or NULL */
};

/* Fill A from INPUT, the input of a tool, or NULL. What is allocated lives in ARENA,
 * the rest is borrowed from INPUT. Return false if it is no action. */
bool action_read(struct action *a, const struct value *input,
		 struct arena *arena);

#endif
