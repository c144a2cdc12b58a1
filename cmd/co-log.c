/* co-log: show the history of memories, newest first. */
#include "cache/cache.h"
#include "cli/choose.h"
#include "cli/out.h"
#include "cli/stores.h"
#include "base/date.h"
#include "history/chains.h"
#include "history/hidden.h"
#include "history/report.h"
#include "repo/marks.h"
#include "store/display.h"

static bool all, chain, global, json;
static size_t max = SIZE_MAX;
static struct hidden hidden;

static const struct opt opts[] = {
	{OPT_FLAG, 0, "all", &all, NULL, NULL,
	 "include all memories and documents, the default"},
	{OPT_FLAG, 0, "chain", &chain, NULL, NULL,
	 "list replacements instead, newest first"},
	{OPT_COUNT, 'n', "max", &max, "N", NULL, "list at most N"},
	OPT_GLOBAL(&global),
	{OPT_FLAG, 0, "json", &json, NULL, NULL,
	 "print JSON, one object a line"},
	{.kind = OPT_END},
};

static const char *const synopsis[] = {
	"[-n N] [--global] [--json] ID|PATH|WORD...",
	"--chain [-n N] [--global] [--json] ID|WORD...",
	"[--all] [-n N] [--global] [--json]",
	NULL,
};

static const struct cmd cmd = {
	.name = "co-log",
	.summary = "show the history of memories",
	.synopsis = synopsis,
	.operands = "[ID|PATH|WORD...]",
	.opts = opts,
};

static void add_line(struct buf *out, const struct step *s,
		     const struct change *c, size_t width, bool one)
{
	char day[DATE_DAY_TEXT];
	size_t from;

	buf_addf(out, "%-10s  ", c->at.sec ? date_day(c->at, day) : "-");
	from = out->len;
	report_name(out, s->author);
	report_pad(out, from, width);
	from = out->len;
	report_commit(out, s->commit);
	report_pad(out, from, REPORT_COMMIT);
	if (!one) {
		report_subject(out, c);
		buf_addc(out, ' ');
	}
	report_what(out, c);
	if (!one) {
		buf_adds(out, " (");
		report_summary(out, c, &hidden);
		buf_addc(out, ')');
	}
	buf_addc(out, '\n');
}

struct log_output {
	struct buf text;
	size_t width, n;
	bool one;
};

static void log_change(void *ctx, const struct step *s, const struct change *c)
{
	struct log_output *p = ctx;

	p->n++;
	if (json) {
		report_json(&p->text, s, c, &hidden);
		buf_addc(&p->text, '\n');
		out_buf(&p->text);
	} else {
		add_line(&p->text, s, c, p->width, p->one);
		out_page(&p->text, false);
	}
}

/* Print at most MAX changes of H. Return the number printed. */
static size_t print_changes(struct history *h, bool one)
{
	struct log_output p = {.width = report_author_width(h), .one = one};
	struct err e;

	if (history_each_change(h, max, log_change, &p, &e) < 0)
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
		cli_note("memory %lld is sensitive", (long long)r->id);
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
	if (chains_follow(s, id, a, &found, &e) < 0)
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
	if (!known && operand)
		cli_note("no memory '%s', now or before: see 'co list'",
			 operand);
	else if (!known)
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
	struct arena a = {0};
	struct store s;
	bool known;

	if (all && n)
		cli_usage("--all takes no operand");
	if (chain || n)
		cli_choose_one(operands, n, global);
	global = global || cli_is_global(*operands, AREA_MEMORIES);
	cli_open_store(&s, global);
	known = chain ? print_chain(&s, *operands, &a)
		      : print_history(&s, n ? *operands : NULL, &a);
	store_close(&s);
	arena_release(&a);
	return cli_finish(known ? ERR_NONE : ERR_NO);
}
