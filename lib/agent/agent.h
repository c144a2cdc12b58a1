/* agent.h: the agents that the suite supports.
 *
 * The row in agent.c is all that the code knows of an agent: no other code
 * compares names of agents. If a row leaves out a field, the agent does nothing
 * unusual there. Records of conversations have a table of their own, with the
 * same names: see transcript/transcript.h. It also has the tools that bring text
 * from outside.
 */
#ifndef CO_AGENT_AGENT_H
#define CO_AGENT_AGENT_H

#include "base/base.h"

#define CONFIG_FILES_MAX 2
enum { /* the order of `events` of an agent */
       HOOK_START,
       HOOK_PROMPT,
       HOOK_STOP,
       HOOK_END,
       HOOK_ACTION,   /* a tool edits a file or runs a command */
       HOOK_SUBAGENT, /* an agent inside the session starts */
       HOOK_READ,     /* a tool has read text from outside */
       HOOK_EVENTS
};

/* The tool of co mcp with which a model proposes a memory. */
#define SAVE_TOOL "save_memory"

enum { /* what a file of an agent's configuration holds */
       CONFIG_SERVER = 1,
       CONFIG_HOOKS = 2,
       CONFIG_TOML = 4,	  /* TOML, not JSON */
       CONFIG_PLUGIN = 8, /* a file of ours, see config.c */
       CONFIG_RULE = 16
};

struct agent_place {
	const char *name; /* path below HOME; NULL: no file */
	unsigned holds;
	const char *home;   /* the directory below the home, with a slash */
	const char *rather; /* used instead of NAME if that file exists */
};

struct agent {
	const char *name;
	const char *title;  /* as its makers write it */
	size_t context_max; /* bytes of context that it accepts from a hook */
	/* Hints that are printed after setup: always, for the user's files, for
	 * the project's. NULL: none. */
	const char *hint, *user_hint, *project_hint;

	/* Its configuration. The environment variable VARIABLE names a directory
	 * that replaces the home and HOME of a place. */
	const char *variable;
	struct agent_place user[CONFIG_FILES_MAX], project[CONFIG_FILES_MAX];
	/* The user's file with its own memories, if `co import NAME` reads it. */
	struct agent_place memory;
	/* Likewise, the directory with its memories of one project. Each % is the path
	 * of the project, with - for all but letters and digits. */
	struct agent_place project_memory;

	/* The entry of a server. */
	const char *servers; /* the key of all servers */
	const char *type;    /* its "type" */
	bool one_list;	     /* its "command" has the arguments too */
	const char *own_key; /* a key that the agent itself adds next to the
			   * servers */

	/* Its hooks; none if EVENTS is empty. */
	const char *events[HOOK_EVENTS]; /* NULL: it has no such event, or
					  * accepts no text there */
	const char *tools;  /* its tools that edit files and run commands, as it
			    * matches them; NULL: it reports all tools. Those
			    * that bring text from outside are in the row of
			    * its reader: reader/reader.h */
	const char *unseen; /* the text from outside that it reads without an
			     * event, as people call it; NULL: none */
	bool after_tool;  /* it reports an action, and accepts text for it, only
			  * after the tool has run */
	bool named_hooks; /* an entry of a hook has a "name" */
	bool hook_ms;	  /* a timeout is in ms, not in seconds */
	int end_seconds;  /* the longest timeout at the end; 0: 10 */
	bool flat_answer; /* the context is a field of the answer itself */
	bool late_record; /* its record is written after the hook is called */
	bool drops_context; /* a compression loses the context: event-record.c */
	bool stop_is_last;  /* it does not report the end of a session */
	bool ignores_reason; /* a stop cannot make it continue */

	/* Variables of its environment. */
	const char *project_variable; /* the directory of the project */
	const char *session_variable; /* the session's id */

	/* As a client of co mcp. NULL and 0: nothing is known. */
	const char *client;    /* the name that it gives */
	size_t client_columns; /* width of a message that it shows in one line */
	/* It asks a person before it calls a tool that wants this, if the variable
	 * has the value ATTENDED. With any other value, nobody is there. */
	const char *attended_variable, *attended;
};

/* Return the agent of row I of the table, or NULL after the last one. */
const struct agent *agent_at(size_t i);

/* Return the agent called NAME, or NULL. */
const struct agent *agent_find(const char *name);

/* Return the agent whose name is part of NAME, as in claude-code, or else most similar to
 * it; or NULL if none is similar. */
const struct agent *agent_near(const char *name);

/* Return true if AGENT reports the events of a session to co hook. */
bool agent_has_hooks(const struct agent *agent);

/* Return "claude|codex|...", all names, or those of the agents with hooks. The text
 * is static, and made by the first call, which must be in the main thread. */
const char *agent_names(void);
const char *agent_names_with_hooks(void);

#endif
