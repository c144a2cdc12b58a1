/* server.h: the loop of co mcp, and the tables of what it offers. */
#ifndef CO_MCP_SERVER_H
#define CO_MCP_SERVER_H

#include "mcp/mcp.h"
#include "mcp/tool.h"

/* Serve M, whose frame, folder and report are set. Return 0 when its input ends
 * or SIGNALS becomes readable, -1 if its output is closed. Changes that were
 * accepted are finished first. */
int mcp_server_run(struct mcp *m, int signals);

/* Process one line as mcp_server_run() does; for tests. */
void mcp_server_line(struct mcp *m, char *p, size_t len);

/* The tools. The functions below make the lists of tools, resources and prompts that
 * clients get. */
extern const struct mcp_tool mcp_server_tools[]; /* a NULL name ends them */

/* Return how many tools there are. */
size_t mcp_server_count(void);

/* Return the tool NAME, or NULL. */
const struct mcp_tool *mcp_server_tool(const char *name);

/* A prompt has at most one argument. */
struct mcp_prompt {
	const char *name, *title, *description;
	const char *arg, *arg_help; /* NULL where it has none */
};

extern const struct mcp_prompt mcp_server_prompts[];
const struct mcp_prompt *mcp_server_prompt(const char *name);

#define MCP_SERVER_CONTEXT "co://context"
#define MCP_SERVER_MEMORY "co://memory/" /* an id follows */
#define MCP_SERVER_GLOBAL "co://memory/global/"
#define MCP_SERVER_ARTICLE "co://article" /* a slash and a file follow */

/* Append a list as the inside of an object. SPECS has the --spec of the program of
 * each tool, or NULL if it is missing; its tool is then left out. APPROVING: the
 * question of the client itself counts as the user's yes. */
void mcp_server_list_tools(struct buf *out, const struct mcp_era *era,
			   const char *const *specs, bool approving);
void mcp_server_list_templates(struct buf *out, const struct mcp_era *era);
void mcp_server_list_prompts(struct buf *out, const struct mcp_era *era);

/* Append the context as an entry of the list of resources. */
void mcp_server_add_context(struct buf *out, const struct mcp_era *era);

/* Begin an entry of that list, a text: append its opening brace and first members. */
void mcp_server_open_resource(struct buf *out, const struct mcp_era *era,
			      const char *uri, const char *name,
			      const char *title);

/* Append the value of "capabilities": what the server offers. */
void mcp_server_capabilities(struct buf *out, const struct mcp_era *era);

/* Append how long an answer is valid, as the modern era requires. */
void mcp_server_ttl(struct buf *out, const struct mcp_era *era, int ttl_ms);

#endif
