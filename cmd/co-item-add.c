/* co-item-add: add items of a conversation, from JSON. */
#include "base/ascii.h"
#include "base/date.h"
#include "cli/cli.h"
#include "cli/stores.h"
#include "harvest/items.h"

#include <unistd.h>

static const char *from, *day;
static bool global, allow_secret;

static const struct opt opts[] = {
	{OPT_STR, 0, "from", &from, "CONVERSATION", NULL,
	 "set the conversation that the items come from"},
	{OPT_STR, 0, "date", &day, "DATE", NULL, "set its day; default: today"},
	OPT_GLOBAL(&global),
	OPT_ALLOW_SECRET(&allow_secret, "add"),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-item-add",
	.summary = "add items from JSON",
	.input = "the JSON of the seven categories, in a fence or not",
	.opts = opts,
};

/* Report an item that contains a secret. The others are added, and the exit
 * status shows the failure. */
static void report_refused(void *ctx, const struct err *e)
{
	(void)ctx;
	cli_complain(e);
}

static void read_reply(struct reply *reply, struct arena *a)
{
	struct buf text = {0};
	struct err e, why;

	if (file_read_fd(STDIN_FILENO, "-", REPLY_MAX, &text, &e) < 0)
		cli_die(&e);
	if (reply_parse(reply, buf_str(&text), text.len, a, &e) < 0) {
		const bool placed = ascii_is_digit(*e.text);

		err_set(&why, ERR_DATA, placed ? "'-':%s" : "'-': %s", e.text);
		cli_die(&why);
	}
	buf_release(&text);
}

/* Print one line per category with new items, and notes on items that were left
 * out. */
static void print_added(struct store *s, const struct items_added *added)
{
	bool any = false;

	for (enum reply_key k = 0; k < REPLY_KEYS; k++)
		any = any || added->added[k];
	if (any)
		cli_make_store(s);
	for (enum reply_key k = 0; k < REPLY_KEYS; k++) {
		const char *name = reply_key_name(k);

		if (added->added[k])
			cli_outf("%s\t%zu\n", name, added->added[k]);
		if (added->known[k])
			cli_note("%zu of %s known already", added->known[k],
				 name);
		if (added->over[k])
			cli_note("%zu of %s left out: a conversation gives %d "
				 "at most",
				 added->over[k], name, ADD_MOST);
	}
}

static const char *day_of(char out[DATE_DAY_TEXT])
{
	struct date date;
	struct err e;

	if (!day)
		return date_day(instant_now(), out);
	if (date_parse(day, strlen(day), &date))
		return date_day(date.first, out);
	err_set(&e, ERR_USAGE, "'%s' is not a date: " DATE_FORMS, day);
	cli_die(&e);
}

int main(int argc, char **argv)
{
	const struct report report = {report_refused, NULL};
	struct store store;
	struct reply reply;
	struct items_added added;
	char date[DATE_DAY_TEXT];
	struct err e;
	int n;

	cli_start(&cmd, argc, argv, &n);
	day_of(date);
	read_reply(&reply, &cli_arena);
	cli_open_store(&store, global);
	store.report = &report;
	store_allow_secret(&store, allow_secret);
	if (items_add(&store, &reply, from, date, &added, &e) < 0)
		cli_die(&e);
	print_added(&store, &added);
	store_close(&store);
	return cli_finish(0);
}
