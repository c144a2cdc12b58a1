/* co-why: show which memories agents were given, and why. */
#include "base/date.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "cli/counter.h"
#include "cli/out.h"
#include "format/json-write.h"
#include "overview/used.h"
#include "overview/why.h"
#include "shown/shown-list.h"
#include "cli/choose.h"
#include "shown/shown.h"

#include <unistd.h>

static const char *session, *agent, *since;
static bool used, bytes, json;

static const struct opt opts[] = {
	{OPT_STR, 0, "session", &session, "ID", NULL,
	 "show the session ID, not the last one"},
	{OPT_STR, 0, "agent", &agent, "NAME", NULL,
	 "show only events of the agent NAME"},
	{OPT_STR, 0, "since", &since, "DATE", NULL,
	 "show all sessions since DATE"},
	{OPT_FLAG, 0, "used", &used, NULL, NULL,
	 "guess from the conversation which were used"},
	{OPT_FLAG, 0, "bytes", &bytes, NULL, NULL,
	 "show sizes, and which memories have changed since"},
	{OPT_FLAG, 0, "json", &json, NULL, NULL,
	 "print JSON, one object a line, newest first"},
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
	size_t n, cap;
};

static void add_event(struct events *all, const struct value *event)
{
	all->list = mem_grow(all->list, all->n, &all->cap, sizeof(*all->list));
	all->list[all->n++] = event;
}

/* Return the id that TEXT means: that of the ledger, without zeros in front. */
static const char *parse_id(const char *text, struct arena *a)
{
	const char *colon = strrchr(text, ':');
	const char *digits = colon ? colon + 1 : text + (*text == 'g');
	const size_t before = (size_t)(digits - text);

	if (!*digits || digits[strspn(digits, "0123456789")])
		cli_usage("expected the id of a memory, not '%s'", text);
	digits += strspn(digits, "0");
	return arena_printf(a, "%.*s%s", (int)before, text, digits);
}

static bool is_wanted(const struct value *event, const char *id,
		      const struct date *from)
{
	const char *at = value_text(event, "at");
	struct instant time;

	if ((agent && !value_is(value_get(event, "agent"), agent)) ||
	    (session && !value_is(value_get(event, "session"), session)) ||
	    (id && !why_has(event, id)))
		return false;
	return !since || (instant_parse(at, strlen(at), &time) &&
			  instant_cmp(time, from->first) >= 0);
}

/* Add the events that are wanted, of the N of LEDGER, to ALL. */
static void find_events(struct events *all, const struct value *ledger,
			size_t n, const char *id, const struct date *from)
{
	for (size_t i = 0; i < n; i++) {
		if (is_wanted(&ledger[i], id, from))
			add_event(all, &ledger[i]);
	}
}

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

	if (used_mark(all->list, all->n, &ask, a, &e) < 0)
		cli_die(&e);
	counter_clear();
	if (used && all->n && !json)
		cli_note("'used' is a guess from what the agent said after it");
}

static void print_events(const struct events *all, const char *id)
{
	struct why_names names = {0};
	const struct why_how how = {id, isatty(STDOUT_FILENO), &names};
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
static void explain_nothing(size_t events, const char *id)
{
	if (!events)
		cli_note("no agent was given anything here");
	else if (id)
		cli_note("memory %s was not given to an agent", id);
	else
		cli_note("nothing was given that these options name");
	cli_hint(events ? "'co why --since=2026' shows all sessions"
			: "'co setup' lets agents get memories");
}

int main(int argc, char **argv)
{
	struct events all = {0};
	struct date from = {0};
	struct arena a = {0};
	const struct value *ledger;
	const char *id;
	char **operands;
	size_t events;
	int n;

	operands = cli_start(&cmd, argc, argv, &n);
	if (n > 1)
		cli_usage("expected one id");
	id = n ? parse_id(operands[0], &a) : NULL;
	if (since && !date_parse(since, strlen(since), &from))
		cli_usage("'%s' is no date: " DATE_FORMS, since);
	events = shown_list_all(&ledger, &a);
	find_events(&all, ledger, events, id, &from);
	if (!id && !session && !since)
		all.n = shown_list_last_session(all.list, all.n);
	if (used || bytes)
		mark_events(&all, ledger, events, &a);
	print_events(&all, id);
	if (!all.n)
		explain_nothing(events, id);
	free(all.list);
	arena_release(&a);
	return cli_finish(all.n ? ERR_NONE : ERR_NO);
}
