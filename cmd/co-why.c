/* co-why: show which memories agents were given, and why. */
#include "base/date.h"
#include "cli/choose.h"
#include "cli/cli.h"
#include "cli/out.h"
#include "format/json-write.h"
#include "overview/why.h"
#include "shown/shown.h"

#include <unistd.h>

static struct why_filter filter;
static const char *since;
static struct why_preview_ask preview;
static bool used, bytes, json;

static const struct opt opts[] = {
	{OPT_STR, 0, "session", &filter.session, "ID", NULL,
	 "show the session ID, not the last one"},
	{OPT_STR, 0, "agent", &filter.agent, "NAME", NULL,
	 "show only events of the agent NAME"},
	{OPT_STR, 0, "since", &since, "DATE", NULL,
	 "show all sessions since DATE"},
	FLAG(0, "used", &used, "guess from the conversation which were used"),
	FLAG(0, "bytes", &bytes,
	     "show sizes, and which memories have changed since"),
	{OPT_STR, 0, "prompt", &preview.prompt, "TEXT", NULL,
	 "preview the memories that a hook gives with TEXT"},
	{OPT_STR, 0, "command", &preview.command, "TEXT", NULL,
	 "preview those before the command TEXT"},
	{OPT_STR, 0, "edit", &preview.file, "FILE", NULL,
	 "preview those before an edit of FILE"},
	FLAG(0, "json", &json, "print JSON, one object a line, newest first"),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-why",
	.summary = "show which memories agents were given, and why",
	.synopsis = "[--session=ID] [--agent=NAME] [--since=DATE] [--used] "
		    "[--bytes] [--json] [ID|WORD...]\n"
		    "--prompt=TEXT|--command=TEXT|--edit=FILE [--json]",
	.operands = "[ID|WORD...]",
	.opts = opts,
};

/* The events that are asked for, newest first. */
struct events {
	const struct value **list;
	size_t n;
};

/* Let the events say what became of their memories. */
static void mark_events(struct events *all, const struct value *ledger,
			size_t n, struct arena *a)
{
	const struct used_ask ask = {.all = ledger,
				     .nall = n,
				     .guess = used,
				     .files = bytes,
				     .progress = counter(),
				     .report = cli_report()};
	struct err e;

	if (why_mark_used(all->list, all->n, &ask, a, &e) < 0)
		cli_die(&e);
	counter_clear();
	if (used && all->n && !json)
		cli_note("'used' is a guess from what the agent said after it");
}

static void print_events(const struct events *all)
{
	struct why_names names = {0};
	const struct why_how how = {filter.id, isatty(STDOUT_FILENO), &names};
	struct buf text = {0};

	for (size_t i = 0; i < all->n; i++) {
		const struct value *event =
			all->list[json ? i : all->n - 1 - i];

		if (json && json_write_value(&text, event, NULL) == 0)
			buf_addc(&text, '\n');
		else if (!json)
			why_line(&text, event, &how);
	}
	if (json)
		out_buf(&text);
	else
		out_page(&text, true);
	why_names_release(&names);
}

/* Say why nothing was printed; EVENTS is how many the ledger has. */
static void explain_nothing(size_t events)
{
	if (!events)
		cli_note("no agent was given anything here");
	else if (filter.id)
		cli_note("memory %s was not given to an agent", filter.id);
	else
		cli_note("nothing was given that these options name");
	cli_hint(events ? "'co why --since=2026' shows all sessions"
			: "'co setup' lists the agents; a new session of one "
			  "gets memories");
	if (!events)
		cli_hint("'co why --prompt=TEXT' shows what one would get");
}

/* Print what an agent would be given. Return the exit status. */
static int print_preview(void)
{
	struct why_preview p = {0};
	struct err e;
	bool any;

	if (why_preview(&p, &preview, cli_report(), &e) < 0)
		cli_die(&e);
	any = p.text.len;
	if (json)
		cli_outf("%s\n", p.event.p);
	else
		cli_out_text(buf_str(&p.text), p.text.len);
	cli_note("%s", buf_str(&p.why));
	if (!any)
		cli_hint("'co recall --explain WORDS' shows how they match");
	else if (p.setting)
		cli_hint("no agent gets this unasked before 'co config "
			 "--global hook.recall %s'",
			 p.setting);
	why_preview_release(&p);
	return cli_finish(any ? ERR_NONE : ERR_NO);
}

static bool is_preview(int n)
{
	const int asked = (preview.prompt != NULL) + (preview.command != NULL) +
			  (preview.file != NULL);

	if (asked && (asked > 1 || n || filter.session || filter.agent ||
		      since || used || bytes))
		cli_usage("with --prompt, --command or --edit, the only other "
			  "option is --json");
	return asked;
}

/* Set what the filter has of the N OPERANDS and of --since. */
static void read_filter(char **operands, int n, struct arena *a)
{
	static struct date from;

	if (n)
		cli_choose_one(operands, n, false, CHOOSE_MEMORIES);
	filter.id = n ? why_id(operands[0], a) : NULL;
	if (n && !filter.id)
		cli_usage("expected the id of a memory, not '%s'", operands[0]);
	if (since && !date_parse(since, strlen(since), &from))
		cli_usage("'%s' is not a date: " DATE_FORMS, since);
	filter.since = since ? &from.first : NULL;
}

/* Read the N events of the LEDGER. Return false after a message if not all can be
 * read. */
static bool read_ledger(const struct value **ledger, size_t *n)
{
	struct err e;

	if (shown_list_all(ledger, n, &cli_arena, &e) == 0)
		return true;
	cli_complain(&e);
	return false;
}

int main(int argc, char **argv)
{
	struct events all = {0};
	const struct value *ledger;
	size_t events;
	bool unread;
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	if (is_preview(n))
		return print_preview();
	read_filter(operands, n, &cli_arena);
	unread = !read_ledger(&ledger, &events);
	all.n = why_find(&all.list, &filter, ledger, events, &cli_arena);
	if (!filter.id && !filter.session && !since)
		all.n = shown_list_last_session(all.list, all.n);
	if (used || bytes)
		mark_events(&all, ledger, events, &cli_arena);
	print_events(&all);
	if (!all.n && !unread)
		explain_nothing(events);
	return cli_finish(all.n ? ERR_NONE : ERR_NO);
}
