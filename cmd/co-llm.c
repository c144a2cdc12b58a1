/* co-llm: send a prompt to the configured model. */
#include "cli/cli.h"
#include "model/chat.h"
#include "model/llm.h"
#include "sys/execpath.h"
#include "sys/file.h"

#include <unistd.h>

static bool check, dry_run, stream;

static const struct opt opts[] = {
	FLAG(0, "check", &check,
	     "ask for nothing: see whether the model answers"),
	{.kind = OPT_OR},
	FLAG(0, "dry-run", &dry_run,
	     "print the request without the key, and do not send it"),
	FLAG(0, "stream", &stream,
	     "print the reply while it is made, as on a terminal"),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-llm",
	.summary = "send a prompt to a language model",
	.input = "the prompt",
	.opts = opts,
	.plumbing = true,
};

static struct llm *open_model(const char *argv0, struct arena *a)
{
	const struct settings *s;
	struct llm *l;
	struct err e;
	int r;

	if (settings_user(&s, a, cli_report(), &e) < 0)
		cli_die(&e);
	r = llm_open(s, argv0, &l, &e);
	if (r == 0)
		err_set(&e, ERR_NO,
			"no model is set: 'llm.provider' in the user's "
			"settings names one, see co-settings(5)");
	if (r <= 0)
		cli_die(&e);
	return l;
}

/* Replace the process by the program for the server of L, with one more
 * OPTION. */
static void exec_http(struct llm *l, const char *option, const char *argv0)
{
	const char **words = llm_words(l);
	struct buf path = {0};
	struct err e;
	size_t n = 0;

	while (words[n])
		n++;
	words[n] = option;
	words[n + 1] = NULL;
	if (!execpath_find(&path, words[0], argv0))
		buf_adds(&path, words[0]);
	execv(path.p, (char *const *)words);
	err_sys(&e, "cannot run '%s'", path.p);
	cli_die(&e);
}

static void ask_model(struct llm *l)
{
	struct buf prompt = {0}, reply = {0};
	struct err e;

	if (file_read_fd(0, "-", CHAT_PROMPT_MAX, &prompt, &e) < 0)
		cli_die(&e);
	if (!prompt.len) {
		err_set(&e, ERR_DATA, "there is no prompt on standard input");
		cli_die(&e);
	}
	if (dry_run) {
		cli_outf("%s\n\n", llm_name(l));
		buf_add(&reply, prompt.p, prompt.len);
	} else if (llm_ask(l, &prompt, &reply, &e) < 0) {
		cli_die(&e);
	}
	cli_out_text(buf_str(&reply), reply.len);
	if (reply.len && reply.p[reply.len - 1] != '\n')
		cli_outs("\n");
	buf_release(&prompt);
	buf_release(&reply);
}

int main(int argc, char **argv)
{
	struct err e;
	struct llm *l;
	int n;

	cli_start(&cmd, argc, argv, &n);
	l = open_model(argv[0], &cli_arena);
	if (check) {
		if (llm_check(l, &e) < 0)
			cli_die(&e);
		cli_outf("%s answers\n", llm_name(l));
		llm_close(l);
		return cli_finish(0);
	}
	if (llm_is_http(l) && dry_run)
		exec_http(l, "--dry-run", argv[0]);
	if (llm_is_http(l) && (stream || isatty(1)))
		exec_http(l, "--stream", argv[0]);
	ask_model(l);
	llm_close(l);
	return cli_finish(0);
}
