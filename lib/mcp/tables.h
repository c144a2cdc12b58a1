/* tables.h: what co mcp offers: tools, resources and prompts, in tables, and
 * the tables as the lists that clients ask for.
 */
#ifndef CO_MCP_TABLES_H
#define CO_MCP_TABLES_H

#include "mcp/tool.h"

extern const struct mcp_tool mcp_tables_tools[]; /* a NULL name ends them */

/* Return how many tools there are. */
size_t mcp_tables_count(void);

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
