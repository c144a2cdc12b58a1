/* co-hook: answer a hook of an agent. */
#include "agent/hook.h"
#include "base/instant.h"
#include "cli/cli.h"
#include "sys/io.h"
#include "sys/process.h"

#include <signal.h>
#include <unistd.h>

static const struct opt opts[] = {
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-hook",
	.summary = "answer the hooks of an agent",
	.operands = "%",
	.names = agent_names_with_hooks,
	.input = "the event, a JSON object as the agent writes it",
	.opts = opts,
	.plumbing = true,
};

/* A deadline_deliver_fn: write the answer. Agents display standard error, so a failure
 * goes only to the log. */
static bool write_answer(void *hook, const struct buf *text)
{
	struct err e;

	if (io_write(STDOUT_FILENO, buf_str(text), text->len) == 0)
		return true;
	err_sys(&e, "cannot write the answer");
	hook_failed(hook, &e);
	return false;
}

/* Write TEXT, or if it is empty an answer that does nothing, and log the failure E. */
static void write_failure(struct hook *hook, struct buf *text,
			  const struct err *e)
{
	if (!text->len)
		buf_adds(text, "{}\n");
	write_answer(hook, text);
	hook_failed(hook, e);
}

/* The agent must never be stopped: the answer is always valid JSON, possibly
 * empty, and the status is 0. */
int main(int argc, char **argv)
{
	struct hook hook = {0};
	struct buf text = {0};
	struct err e;
	bool failed;
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	if (n != 1)
		cli_usage("expected an agent: %s", agent_names_with_hooks());
	hook.agent = agent_find(operands[0]);
	if (!hook.agent || !agent_has_hooks(hook.agent))
		cli_usage("no agent '%s': expected %s", operands[0],
			  agent_names_with_hooks());
	hook.started_ms = instant_monotonic_ms();
	signal(SIGPIPE, SIG_IGN);
	failed = process_is_inside() ||
		 deadline_run_deliver(hook_work, &hook, write_answer, &text,
				      &e) < 0;
	/* Ignore sessions of programs that co started: see process.h. */
	if (process_is_inside())
		err_set(&e, ERR_NO,
			"nothing is done by a program that co "
			"started: " INSIDE_VARIABLE " is set");
	if (failed)
		write_failure(&hook, &text, &e);
	buf_release(&text);
	return 0;
}
