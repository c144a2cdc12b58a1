/* tables.h: what co mcp offers: the tables of tools, resources and prompts, and the
 * lists that clients get.
 */
#ifndef CO_MCP_TABLES_H
#define CO_MCP_TABLES_H

#include "mcp/tool.h"

extern const struct mcp_tool mcp_tables_tools[]; /* a NULL name ends them */

/* Return how many tools there are. */
size_t mcp_tables_count(void);

/* Return the tool NAME, or NULL. */
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

/* Append a list as the inside of an object. SPECS has the --spec of the program of
 * each tool, or NULL if it is missing; its tool is then left out. APPROVING: the
 * question of the client itself counts as the user's yes. */
void mcp_tables_list_tools(struct buf *out, const struct mcp_era *era,
			   const char *const *specs, bool approving);
void mcp_tables_list_templates(struct buf *out, const struct mcp_era *era);
void mcp_tables_list_prompts(struct buf *out, const struct mcp_era *era);

/* Append the context as an entry of the list of resources. */
void mcp_tables_add_context(struct buf *out, const struct mcp_era *era);

/* Begin an entry of that list, a text: append its opening brace and first members. */
void mcp_tables_open_resource(struct buf *out, const struct mcp_era *era,
			      const char *uri, const char *name,
			      const char *title);

/* Append the value of "capabilities": what the server offers. */
void mcp_tables_capabilities(struct buf *out, const struct mcp_era *era);

/* Append how long an answer is valid, as the modern era requires. */
void mcp_tables_ttl(struct buf *out, const struct mcp_era *era, int ttl_ms);

#endif
