/* co-harvest-prompt: print the prompt for harvesting a conversation. */
#include "cli/cli.h"
#include "harvest/harvest.h"

static bool retry;
static const char *name;
static size_t part;

static const struct opt opts[] = {
	{OPT_STR, 0, "name", &name, "NAME", NULL,
	 "call the conversation NAME, not after its file"},
	{OPT_COUNT, 0, "part", &part, "N", NULL,
	 "ask for a summary of part N, from 1, instead"},
	FLAG(0, "retry", &retry,
	     "tell the model that its last reply was not JSON"),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-harvest-prompt",
	.summary = "print the prompt that harvests a conversation",
	.synopsis = "[--retry] [--name=NAME] FILE\n"
		    "--part=N [--name=NAME] FILE",
	.operands = "FILE",
	.input = "the conversation, where FILE is -",
	.opts = opts,
};

/* Fail with E if C is too long for a prompt. */
static int check_size(const struct conversation *c, const char *file,
		      struct err *e)
{
	if (c->too_large)
		return err_set(e, ERR_SYSTEM,
			       "'%s' is longer than %zu bytes: it is not "
			       "harvested",
			       file, CONVERSATION_MAX);
	if (!part && c->text.len > CONVERSATION_PART)
		return err_set(e, ERR_SYSTEM,
			       "'%s' is longer than %zu bytes: --part=1 and on "
			       "ask for summaries",
			       file, CONVERSATION_PART);
	return 0;
}

static void print_prompt(const struct request_prompts *prompts,
			 const char *file)
{
	struct conversation c;
	struct buf out = {0};
	const char *p;
	size_t len;
	struct err e;

	if (harvest_conversation_read(&c, file, false, &e) < 0 ||
	    check_size(&c, file, &e) < 0)
		cli_die(&e);
	if (c.redacted)
		cli_note("%d redacted, which look like secrets", c.redacted);
	p = buf_str(&c.text);
	len = c.text.len;
	if (part && !harvest_conversation_part(&c, part - 1, &p, &len)) {
		err_set(&e, ERR_NO, "'%s' has no part %zu", file, part);
		cli_die(&e);
	}
	request_compose(&out, prompts,
			part ? REQUEST_SUMMARIZE : REQUEST_HARVEST,
			name ? name : buf_str(&c.name), p, len, retry);
	cli_out_text(out.p, out.len);
	buf_release(&out);
	harvest_conversation_release(&c);
}

int main(int argc, char **argv)
{
	const struct settings *settings;
	struct request_prompts prompts;
	struct err e;
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	if (!n)
		cli_usage("which FILE?");
	if (retry && part)
		cli_usage("--retry and --part exclude each other");
	settings_user(&settings, &cli_arena, cli_report(), NULL);
	if (request_find(&prompts, settings, argv[0], &e) < 0)
		cli_die(&e);
	if (prompts.unused)
		cli_note("'%s' is not used: the setting "
			 "'harvest.project_prompt' is off",
			 prompts.unused);
	if (prompts.edited)
		cli_note("prompt: '%s'", prompts.path[part ? REQUEST_SUMMARIZE
							   : REQUEST_HARVEST]);
	print_prompt(&prompts, operands[0]);
	request_release(&prompts);
	return cli_finish(0);
}
