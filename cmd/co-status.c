/* co-status: show the context, the stores and the settings. */
#include "cli/cli.h"
#include "overview/status.h"

static bool tools, json;

static const struct opt opts[] = {
	{OPT_FLAG, 0, "tools", &tools, NULL, NULL,
	 "name what is offered, and the agents that are set up, as well"},
	{OPT_FLAG, 0, "json", &json, NULL, NULL, "print one JSON object"},
	{0},
};

static const struct cmd cmd = {
	.name = "co-status",
	.summary = "show the state of the stores and the settings",
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
