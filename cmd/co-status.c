/* co-status: show the stores, what waits, the context and the agents. */
#include "cli/cli.h"
#include "overview/status.h"

static bool tools, json;

static const struct opt opts[] = {
	FLAG(0, "tools", &tools,
	     "list the programs, the tools of co mcp and all agents, too"),
	FLAG(0, "json", &json, "print one JSON object"),
	{0},
};

static const struct cmd cmd = {
	.name = "co-status",
	.summary = "show memories, drafts, agents and problems",
	.opts = opts,
};

int main(int argc, char **argv)
{
	char *argv0 = argv[0];
	struct status status = {0};
	struct buf text = {0};
	int n;

	cli_start(&cmd, argc, argv, &n);
	status_gather(&status, argv0, cli_report());
	if (tools)
		status_tools(&status, argv0);
	if (json)
		status_json(&text, &status);
	else
		status_text(&text, &status);
	cli_out_text(buf_str(&text), text.len);
	n = status.failed ? ERR_SYSTEM : 0;
	buf_release(&text);
	status_release(&status);
	return cli_finish(n);
}
