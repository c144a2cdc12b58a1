/* co-log: show the history of memories, newest first. */
#include "cache/cache.h"
#include "cli/choose.h"
#include "cli/out.h"
#include "cli/stores.h"
#include "history/history.h"
#include "history/report.h"
#include "store/display.h"
#include "sys/terminal.h"

#include <unistd.h>

static bool all, chain, patch, global, json;
static const char *since, *until, *color;
static struct grep_narrow dates;
static size_t max = SIZE_MAX;
static struct hidden hidden;

static const struct opt opts[] = {
	FLAG(0, "all", &all, "include all memories and documents, the default"),
	FLAG(0, "chain", &chain, "list replacements instead, newest first"),
	{OPT_COUNT, 'n', "max", &max, "N", NULL, "list at most N"},
	{OPT_STR, 0, "since", &since, "DATE", NULL,
	 "list those made at DATE or later"},
	{OPT_STR, 0, "until", &until, "DATE", NULL,
	 "list those made at DATE or before"},
	FLAG('p', "patch", &patch, "show how the text changed, too"),
	OPT_GLOBAL(&global),
	FLAG(0, "json", &json, "print JSON, one object a line"),
	OPT_COLOR(&color),
	{.kind = OPT_END},
};

#define WHICH "[-n N] [--since=DATE] [--until=DATE] [-p] [--global] [--json] "

static const struct cmd cmd = {
	.name = "co-log",
	.summary = "show the history of memories",
	.synopsis = WHICH "[--color=WHEN] ID|PATH|WORD...\n"
			  "--chain [-n N] [--global] [--json] ID|WORD...\n"
			  "[--all] " WHICH "[--color=WHEN]",
	.operands = "[ID|PATH|WORD...]",
	.opts = opts,
};

struct log_output {
	struct buf text;
	size_t width, n;
	bool one, coloring;
};

static void log_change(void *ctx, const struct history_step *s,
		       const struct history_change *c)
{
	struct log_output *p = ctx;
	const size_t from = p->text.len;

	p->n++;
	if (json) {
		report_json(&p->text, s, c, &hidden, patch);
		buf_addc(&p->text, '\n');
		out_buf(&p->text);
	} else {
		report_line(&p->text, s, c, p->width, p->one ? NULL : &hidden);
		display_cut(&p->text, from, terminal_columns(STDOUT_FILENO));
		if (patch)
			report_diff(&p->text, c, &hidden, p->coloring);
		out_page(&p->text, false);
	}
}

/* Print the changes of H that are asked for. Return the number printed. */
static size_t print_changes(struct history *h, bool one)
{
	const size_t width = report_author_width(h);
	/* Without authors and commits, only a terminal gets no columns for them:
	 * programs rely on the positions of the fields. */
	const bool fixed = !width && !isatty(STDOUT_FILENO);
	struct log_output p = {.width = fixed ? 1 : width,
			       .one = one,
			       .coloring = cli_colors(color)};
	const struct history_walk walk = {
		.max = max,
		.since = dates.has_since ? &dates.since : NULL,
		.until = dates.has_until ? &dates.until : NULL,
		.both = patch,
		.fn = log_change,
		.ctx = &p};
	struct err e;

	if (history_each_change(h, &walk, &e) < 0)
		cli_die(&e);
	if (!json)
		out_page(&p.text, true);
	return p.n;
}

/* Print one member of a chain; only the id of a sensitive one. */
static void print_member(const struct record *r)
{
	struct buf line = {0};

	if (record_marks(r) & MARK_SENSITIVE)
		cli_note("memory %s%lld is sensitive", record_prefix(r),
			 (long long)r->id);
	else if (json)
		out_record(&(const struct out){.json = true}, r);
	else
		display_line(&line, r, NULL);
	out_buf(&line);
}

/* Print the chain of the memory OPERAND; false if there is none. */
static bool print_chain(struct store *s, const char *operand, struct arena *a)
{
	struct records found;
	int64_t id;
	struct err e;

	if (!store_is_id(operand, &id) && !store_is_global_id(operand, &id))
		cli_usage("--chain wants an id, not '%s'", operand);
	if (history_follow_chain(s, id, a, &found, &e) < 0)
		cli_die(&e);
	for (size_t i = 0; i < found.n && i < max; i++)
		print_member(&found.items[i]);
	if (!found.n)
		cli_note("there is no memory %s", operand);
	return found.n > 0;
}

/* Print the history of OPERAND (NULL: of all); false if there is none. */
static bool print_history(struct store *s, const char *operand, struct arena *a)
{
	struct history_want want = {0};
	struct history h = {0};
	struct err e;
	bool known;

	/* Look at all files once, while no history is in memory. */
	cache_hold(s->cache, REFRESH_IDS, NULL);
	if ((operand && history_want(&want, s, operand, a, &e) < 0) ||
	    hidden_load(&hidden, s, &e) < 0 ||
	    history_load(&h, s, &want, &e) < 0)
		cli_die(&e);
	hidden_scan(&hidden, &h);
	known = print_changes(&h, operand) || !max;
	if (known || cli_failed())
		; /* what cannot be read may be what was asked for */
	else if (since || until)
		cli_note("nothing changed between these dates");
	else if (operand)
		cli_note("no memory '%s', now or before: see 'co list'",
			 operand);
	else
		cli_note("no memories, now or before");
	cli_note_partial(&h, "some edits are told without what they changed");
	history_release(&h);
	hidden_release(&hidden);
	return known;
}

int main(int argc, char **argv)
{
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);
	struct store s;
	struct err e;
	bool known;

	if (all && n)
		cli_usage("--all takes no operand");
	if (chain && (since || until || patch))
		cli_usage("--chain cannot be used with --since, --until or -p");
	if (grep_narrow_dates(&dates, since, until, &e) < 0)
		cli_usage("%s", e.text);
	if (chain || n)
		cli_choose_one(operands, n, global,
			       chain ? CHOOSE_MEMORIES : CHOOSE_ALL);
	global = global || cli_is_global(*operands);
	cli_open_store(&s, global);
	known = chain ? print_chain(&s, *operands, &cli_arena)
		      : print_history(&s, n ? *operands : NULL, &cli_arena);
	store_close(&s);
	return cli_finish(known ? ERR_NONE : ERR_NO);
}
