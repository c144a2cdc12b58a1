/* co-blame: show who wrote each line of a memory, and when. */
#include "cli/choose.h"
#include "cli/out.h"
#include "cli/stores.h"
#include "base/date.h"
#include "history/history.h"
#include "history/report.h"
#include "text/sanitize.h"

#include <unistd.h>

static bool all, global, json;

static const struct opt opts[] = {
	FLAG(0, "all", &all, "show the frontmatter, too, as in a pipe"),
	OPT_GLOBAL(&global),
	FLAG(0, "json", &json, "print JSON, one object a line"),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-blame",
	.summary = "show who wrote each line of a memory",
	.operands = "ID|PATH|WORD...",
	.opts = opts,
};

/* The columns before the text of a line. */
enum { COMMIT, AUTHOR, DATE, SOURCE, FIELDS };

static void add_field(struct buf *out, const struct blame_line *l, int field)
{
	const struct instant at = l->change->at;
	char day[DATE_DAY_TEXT];

	if (field == COMMIT)
		report_commit(out, l->step->commit);
	else if (field == DATE)
		buf_adds(out, at.sec ? date_day(at, day) : "-");
	else if (field == AUTHOR)
		report_name(out, l->step->author);
	else
		report_name(out, value_text(&l->change->now->text->fm.data,
					    "source"));
}

static void measure_columns(const struct blame *b, size_t first,
			    size_t width[FIELDS])
{
	struct buf text = {0};

	for (size_t i = first * FIELDS; i < b->n * FIELDS; i++) {
		size_t *w = &width[i % FIELDS], columns;

		buf_cut(&text, 0);
		add_field(&text, &b->lines[i / FIELDS], i % FIELDS);
		columns = report_columns(&text, 0);
		*w = columns > *w ? columns : *w;
	}
	buf_release(&text);
}

static void print_line(struct buf *text, const struct blame_line *l,
		       size_t number, const size_t width[FIELDS])
{
	for (int field = 0; field < FIELDS; field++) {
		const size_t from = text->len;

		add_field(text, l, field);
		report_pad(text, from, width[field]);
	}
	buf_addf(text, l->len ? "%3zu  " : "%3zu", number);
	sanitize_terminal(text, l->p, l->len, false);
	buf_addc(text, '\n');
	out_page(text, false);
}

static void print_json(const struct blame_line *l, size_t number)
{
	const struct history_step *s = l->step;
	struct buf line = {0};
	char at[INSTANT_TEXT];

	json_write_open(&line, NULL, '{');
	json_write_size(&line, "line", number);
	json_write_text(&line, "commit", s->commit);
	json_write_text(&line, "author", s->author);
	json_write_text(&line, "at",
			l->change->at.sec ? instant_format(l->change->at, at)
					  : NULL);
	json_write_text(&line, "source",
			value_text(&l->change->now->text->fm.data, "source"));
	json_write_bytes(&line, "text", l->p, l->len);
	json_write_end(&line);
	out_buf(&line);
}

static void print_blame(const struct blame *b)
{
	const bool whole = all || json || !isatty(STDOUT_FILENO);
	const size_t first = whole ? 0 : b->head;
	size_t width[FIELDS] = {0};
	struct buf text = {0};

	if (!json)
		measure_columns(b, first, width);
	for (size_t i = first; i < b->n; i++) {
		if (json)
			print_json(&b->lines[i], i + 1);
		else
			print_line(&text, &b->lines[i], i + 1, width);
	}
	if (!json)
		out_page(&text, true);
}

/* End the process if a version in H is sensitive and standard output is not a
 * terminal. */
static void check_shown(const struct history *h)
{
	struct hidden hidden = {0};
	struct err e;

	hidden_scan(&hidden, h);
	if (hidden.n && !out_shows_sensitive()) {
		err_set(&e, ERR_SYSTEM,
			"memory %s%lld is sensitive: it is shown on a terminal "
			"only",
			record_scope_prefix(global ? SCOPE_GLOBAL
						   : SCOPE_PROJECT),
			(long long)hidden.ids[0]);
		cli_die(&e);
	}
	hidden_release(&hidden);
}

int main(int argc, char **argv)
{
	struct history_want want;
	struct history h = {0};
	struct blame b;
	struct store s;
	struct err e;
	int n, known;
	char **operands = cli_start(&cmd, argc, argv, &n);

	cli_choose_one(operands, n, global, CHOOSE_ALL);
	global = global || cli_is_global(*operands);
	cli_open_store(&s, global);
	if (history_want(&want, &s, *operands, &cli_arena, &e) < 0 ||
	    history_load(&h, &s, &want, &e) < 0)
		cli_die(&e);
	check_shown(&h);
	known = history_blame(&b, &h);
	print_blame(&b);
	cli_note_partial(&h, "some lines are older than they are told to be");
	if (!known && !cli_failed())
		cli_note("no memory '%s', now or before: see 'co list'",
			 *operands);
	history_release(&h);
	store_close(&s);
	return cli_finish(known ? ERR_NONE : ERR_NO);
}
