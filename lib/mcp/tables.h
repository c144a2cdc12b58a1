/* tables.h: what co mcp offers: tools, resources and prompts, in tables, and
 * the tables as the lists that clients ask for.
 *
 * What an argument of a tool means is said once, by the program that does the
 * work: its --spec (see cli/command.h) gives the description and the words of
 * each option that stands here.
 */
#ifndef CO_MCP_TABLES_H
#define CO_MCP_TABLES_H

#include "mcp/mcp.h"

enum mcp_arg_kind {
	MCP_ARG_TEXT,  /* a string */
	MCP_ARG_TEXTS, /* a list of strings */
	MCP_ARG_ID,    /* a memory's number, see mcp_tables_is_id() */
	MCP_ARG_COUNT, /* 1 to MCP_TABLES_COUNT_MAX */
	MCP_ARG_FLAG,  /* true or false */
	MCP_ARG_SCOPE, /* "project" or "global" */
	MCP_ARG_KIND   /* "memory", "item" or "article" */
};

#define MCP_TABLES_COUNT_MAX 100

/* True if V is a memory's number, 7 or "7", or as texts show one of the user's,
 * "g7". */
bool mcp_tables_is_id(const struct value *v, int64_t *id, bool *global);

struct mcp_arg {
	const char *name;
	enum mcp_arg_kind kind;
	bool required;
	const char *option; /* of the program, whose help is this one's */
	const char *help;   /* where there is no option */
};

#define MCP_TABLES_ARGS 5

struct mcp_tool {
	const char *name, *title, *description;
	const char *hint;    /* words by which a client finds it */
	const char *program; /* that does the work */
	bool reads;	     /* and changes nothing */
	size_t result_max;   /* bytes of an answer */
	struct mcp_arg args[MCP_TABLES_ARGS]; /* a NULL name ends them */
};

extern const struct mcp_tool mcp_tables_tools[]; /* a NULL name ends them */

/* The tool NAME, or NULL. */
const struct mcp_tool *mcp_tables_tool(const char *name);

/* A prompt has at most one argument. */
struct mcp_prompt {
	const char *name, *title, *description;
	const char *arg, *arg_help; /* NULL where it has none */
};

extern const struct mcp_prompt mcp_tables_prompts[];
const struct mcp_prompt *mcp_tables_prompt(const char *name);

#define MCP_TABLES_CONTEXT "co://context"
#define MCP_TABLES_MEMORY "co://memory/" /* an id follows */
#define MCP_TABLES_GLOBAL "co://memory/global/"
#define MCP_TABLES_ARTICLE "co://article" /* a slash and a file follow */

/* Append a list as the inside of an object.  SPECS are what the programs of
 * the tools said of themselves, NULL for one that is not there, whose tool is
 * then left out; APPROVING: the client's own question is the user's yes. */
void mcp_tables_list_tools(struct buf *out, const struct mcp_era *era,
			   const char *const *specs, bool approving);
void mcp_tables_list_templates(struct buf *out, const struct mcp_era *era);
void mcp_tables_list_prompts(struct buf *out, const struct mcp_era *era);

/* Append the context as an entry of the list of resources. */
void mcp_tables_add_context(struct buf *out, const struct mcp_era *era);

/* Begin an entry of that list, a text: what follows its braces' opening. */
void mcp_tables_open_resource(struct buf *out, const struct mcp_era *era,
			      const char *uri, const char *name,
			      const char *title);

/* Append what is offered at all: the value of "capabilities". */
void mcp_tables_capabilities(struct buf *out, const struct mcp_era *era);

/* Append how long an answer holds, which the modern era wants to know. */
void mcp_tables_ttl(struct buf *out, const struct mcp_era *era, int ttl_ms);

#endif
