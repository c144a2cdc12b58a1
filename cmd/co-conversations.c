/* co-conversations: list and show the conversations that agents keep. */
#include "cli/cli.h"
#include "cli/out.h"
#include "conversation/conversation-index.h"

#include <unistd.h>

static const char *agent, *color;
static bool all, json, check, forget;

static const struct opt opts[] = {
	FLAG(0, "all", &all, "include those of all projects"),
	{OPT_WORD, 0, "agent", &agent, "AGENT", "%",
	 "select those of one agent"},
	FLAG(0, "check", &check, "report by agent which can be read"),
	FLAG(0, "forget", &forget, "remove the index that searches use"),
	FLAG(0, "json", &json, "print JSON objects, one a line"),
	OPT_COLOR(&color),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-conversations",
	.summary = "list and show conversations with agents",
	.synopsis = "[--all] [--agent=AGENT] [--json] [--color=WHEN]\n"
		    "show [--agent=AGENT] [--json] [--color=WHEN] SESSION\n"
		    "--check [--all] [--agent=AGENT] [--json]\n"
		    "--forget",
	.operands = "[show SESSION]",
	.opts = opts,
	.names = transcript_agents,
};

static struct conversation_index known; /* what a search has read */

static void find_all(struct conversations *c)
{
	const struct conversations_ask ask = {.all = all,
					      .agent = agent,
					      .progress = counter(),
					      .report = cli_complaints(),
					      .is_known =
						      conversation_index_knows,
					      .ctx = &known};
	struct err e;

	conversation_index_load(&known);
	if (conversation_list(c, &ask, &e) < 0)
		cli_die(&e);
	counter_clear();
}

static void report(const struct conversation *c)
{
	struct err e;

	if (!conversation_fault(c, &e))
		return;
	if (c->state < CONVERSATION_UNKNOWN) /* only a line is at fault */
		cli_note("%s", e.text);
	else
		cli_complain(&e);
}

static void list_conversations(void)
{
	struct conversations found = {.a = &cli_arena};
	struct buf text = {0};

	find_all(&found);
	for (size_t i = 0; i < found.n; i++) {
		const struct conversation *c = &found.items[i];

		report(c);
		if (c->state == CONVERSATION_UNREADABLE)
			continue;
		if (json)
			conversation_json(&text, c);
		else
			conversation_text(&text, c, isatty(STDOUT_FILENO),
					  cli_colors(color) ? &color_plain
							    : NULL);
	}
	if (!found.n && !cli_failed()) {
		cli_note("no conversation was found");
		if (!all)
			cli_hint("'co conversations --all' lists those of "
				 "other projects");
	}
	out_page(&text, true);
	conversation_list_release(&found);
	conversation_index_close(&known);
}

static void check_all(void)
{
	struct conversations found = {.a = &cli_arena};
	struct buf text = {0};

	find_all(&found);
	for (size_t i = 0; i < found.n; i++)
		report(&found.items[i]);
	conversation_tallies(&text, &found, agent, json);
	out_buf(&text);
	conversation_list_release(&found);
	conversation_index_close(&known);
}

static int show_turn(void *ctx, const struct conversation_turn *t,
		     struct err *e)
{
	struct buf *out = ctx;

	(void)e;
	if (json)
		conversation_turn_json(out, t);
	else
		conversation_turn_text(out, t, isatty(STDOUT_FILENO),
				       cli_colors(color) ? &color_plain : NULL);
	out_page(out, false);
	return 0;
}

static void show_conversation(const char *name)
{
	struct buf text = {0};
	struct conversation c = {.turns = 0};
	const struct conversation_reading how = {
		.secrets = secrets_new(), .fn = show_turn, .ctx = &text};
	struct err e;

	if (conversation_find(&c.session, name, agent, cli_report(), &cli_arena,
			      &e) < 0) {
		cli_complain(&e);
		cli_hint("'co conversations --all' lists them");
		cli_end(0);
	}
	if (conversation_each(&c, &how, &cli_arena, &e) < 0)
		cli_die(&e);
	out_page(&text, true);
	report(&c);
	if (c.skipped)
		cli_note("'%s': %zu line%s could not be read", c.session.path,
			 c.skipped, c.skipped == 1 ? "" : "s");
	secrets_free(how.secrets);
}

static void forget_index(void)
{
	char *dir = conversation_index_dir();
	struct err e;

	if (conversation_index_forget(&e) < 0)
		cli_die(&e);
	if (dir)
		cli_outs("✓ Removed the index of conversations\n");
	else
		cli_note("there is no index of conversations");
	free(dir);
}

int main(int argc, char **argv)
{
	int n;
	char **words = cli_start(&cmd, argc, argv, &n);

	if (n &&
	    (strcmp(*words, "show") != 0 || n != 2 || check || all || forget))
		cli_usage("expected 'show SESSION'; to search: "
			  "co recall --kind=conversation WORDS");
	if (forget && (check || all || agent || json))
		cli_usage("--forget cannot be used with other options");
	if (forget)
		forget_index();
	else if (n)
		show_conversation(words[1]);
	else if (check)
		check_all();
	else
		list_conversations();
	return cli_finish(0);
}
