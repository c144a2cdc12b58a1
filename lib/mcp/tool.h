/* tool.h: a tool of the server: a row of mcp_server_tools, and what all tools
 * do with their arguments.
 *
 * The row is all that the code knows of a tool; no other code has its name. If the row
 * does not describe an argument, the program that does the work does: its --spec (see
 * cli/command.h) has the help of the option for the argument.
 */
#ifndef CO_MCP_TOOL_H
#define CO_MCP_TOOL_H

#include "mcp/mcp.h"

enum mcp_arg_kind {
	MCP_ARG_TEXT,  /* a string that a command line can hold */
	MCP_ARG_BODY,  /* a string of any length, for standard input */
	MCP_ARG_TEXTS, /* a list of strings: the option is given for each */
	MCP_ARG_ID,    /* a memory's number, see mcp_tool_is_id() */
	MCP_ARG_COUNT, /* 1 to 100 */
	MCP_ARG_FLAG,  /* true or false */
	MCP_ARG_SCOPE, /* "project" or "global" */
	MCP_ARG_KIND   /* "memory", "item", "article" or "conversation" */
};

enum mcp_arg_need {
	MCP_ARG_OPTIONAL,
	MCP_ARG_REQUIRED,
	MCP_ARG_EITHER /* exactly one argument of this kind is required */
};

struct mcp_arg {
	const char *name;
	enum mcp_arg_kind kind;
	enum mcp_arg_need need;
	const char *option; /* of the program; NULL: the handler reads it */
	const char *help;   /* NULL: the help of the option */
};

#define MCP_TOOL_ARGS 5
#define MCP_TOOL_WORDS 3

struct mcp_tool {
	const char *name, *title, *description;
	const char *hint; /* words for a client that searches its tools */
	const char *command[MCP_TOOL_WORDS]; /* the program and its first
					      * arguments */
	bool reads;			     /* it changes nothing */
	bool asks; /* a client that asks its user itself must ask before a call */
	size_t result_max;		     /* bytes of an answer */
	struct mcp_arg args[MCP_TOOL_ARGS];  /* a NULL name ends them */
	mcp_call_fn *serve;		     /* serves a call that fits ARGS */
	void (*add_schema)(struct buf *out); /* "outputSchema", its key too */
};

/* Return true if V is the id of a memory: 7, "7", or "g7" as texts show a
 * memory of the user's store. Set *ID and, for "g7", *GLOBAL. */
bool mcp_tool_is_id(const struct value *v, int64_t *id, bool *global);

/* Append the "inputSchema" of T. SPEC is the --spec of its program. */
void mcp_tool_schema(struct buf *out, const struct mcp_tool *t,
		     const char *spec);

/* Append to WHY the first reason why ARGUMENTS, an object, do not fit T, and
 * return true. Return false if they fit. */
bool mcp_tool_fault(struct buf *why, const struct mcp_tool *t,
		    const struct value *arguments);

/* Return the command of the tool that C calls, followed by the options for its
 * arguments: N words, allocated in C's arena. There is room for MORE words and
 * a NULL. */
const char **mcp_tool_argv(struct mcp_call *c, size_t more, size_t *n);

#endif
