/* tables.h: what co mcp offers: tools, resources and prompts, in tables, and
 * the tables as the lists that clients ask for.
 *
 * What an argument of a tool means is said once, by the program that does the
 * work: its --spec (see cli/command.h) gives the description and the words of
 * each option that stands here.
 */
#ifndef CO_MCPOFFER_H
#define CO_MCPOFFER_H

#include "mcp/mcp.h"

enum mcparg_kind {
	MCPARG_TEXT,  /* a string */
	MCPARG_TEXTS, /* a list of strings */
	MCPARG_ID,    /* a memory's number */
	MCPARG_SHOWN, /* the same, or as texts show one of the user's, "g7" */
	MCPARG_COUNT, /* 1 to MCPOFFER_COUNT_MAX */
	MCPARG_SCOPE  /* "project" or "global" */
};

#define MCPOFFER_COUNT_MAX 100

struct mcparg {
	const char *name;
	enum mcparg_kind kind;
	bool required;
	const char *option; /* of the program, whose help is this one's */
	const char *help;   /* where there is no option */
};

#define MCPOFFER_ARGS 3

struct mcptool {
	const char *name, *title, *description;
	const char *hint;    /* words by which a client finds it */
	const char *program; /* that does the work */
	bool reads;	     /* and changes nothing */
	size_t result_max;   /* bytes of an answer */
	struct mcparg args[MCPOFFER_ARGS]; /* a NULL name ends them */
};

extern const struct mcptool mcpoffer_tools[]; /* a NULL name ends them */

/* The tool NAME, or NULL. */
const struct mcptool *mcpoffer_tool(const char *name);

/* A prompt has at most one argument. */
struct mcpprompt {
	const char *name, *title, *description;
	const char *arg, *arg_help; /* NULL where it has none */
};

extern const struct mcpprompt mcpoffer_prompts[];
const struct mcpprompt *mcpoffer_prompt(const char *name);

#define MCPOFFER_CONTEXT "co://context"
#define MCPOFFER_MEMORY "co://memory/" /* an id follows */
#define MCPOFFER_GLOBAL "co://memory/global/"

/* Append a list as the inside of an object.  SPECS are what the programs of
 * the tools said of themselves, NULL for one that is not there, whose tool is
 * then left out; APPROVING: the client's own question is the user's yes. */
void mcpoffer_list_tools(struct buf *out, const struct mcpera *era,
			 const char *const *specs, bool approving);
void mcpoffer_list_templates(struct buf *out, const struct mcpera *era);
void mcpoffer_list_prompts(struct buf *out, const struct mcpera *era);

/* Append the context as an entry of the list of resources. */
void mcpoffer_add_context(struct buf *out, const struct mcpera *era);

/* Begin an entry of that list, a text: what follows its braces' opening. */
void mcpoffer_open_resource(struct buf *out, const struct mcpera *era,
			    const char *uri, const char *name,
			    const char *title);

/* Append what is offered at all: the value of "capabilities". */
void mcpoffer_capabilities(struct buf *out, const struct mcpera *era);

/* Append how long an answer holds, which the modern era wants to know. */
void mcpoffer_ttl(struct buf *out, const struct mcpera *era, int ttl_ms);

#endif
