/* co-knowledge-stats: count the contents of a store. */
#include "base/unicode.h"
#include "cli/cli.h"
#include "cli/out.h"
#include "cli/stores.h"
#include "overview/stats.h"
#include "overview/why.h"
#include "search/index.h"
#include "sys/terminal.h"
#include "text/sanitize.h"

#include <unistd.h>

#define NAME_WIDTH 24 /* maximum width of names, in columns */
#define BAR_WIDTH 50
#define PIECE 16384  /* bytes printed at once */
#define GAP_WIDTH 12 /* columns of blanks and the number */

static bool global, guess, json;

static const struct opt opts[] = {
	OPT_GLOBAL(&global),
	FLAG(0, "used", &guess, "guess how often agents used memories"),
	FLAG(0, "json", &json, "print one JSON object"),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-knowledge-stats",
	.summary = "count the contents of a store",
	.opts = opts,
};

/* Append T as a bar chart that fits a terminal of COLUMNS columns. */
static void add_bars(struct buf *out, const char *name, const struct tallies *t,
		     size_t columns)
{
	size_t width = 0, most = 1, room;
	struct buf one = {0};

	for (size_t i = 0; i < t->n; i++) {
		const size_t n = unicode_columns(t->items[i].name,
						 strlen(t->items[i].name));

		width = n > width ? n : width;
		most = t->items[i].n > most ? t->items[i].n : most;
	}
	width = width > NAME_WIDTH ? NAME_WIDTH : width;
	room = columns > width + GAP_WIDTH + 1 ? columns - width - GAP_WIDTH
					       : 1;
	room = room > BAR_WIDTH ? BAR_WIDTH : room;
	buf_addf(out, "%s:%s\n", name, t->n ? "" : " none");
	for (size_t i = 0; i < t->n; i++) {
		const struct tally *tally = &t->items[i];
		size_t used;

		buf_cut(&one, 0);
		sanitize_line(&one, tally->name, strlen(tally->name));
		used = unicode_columns(buf_str(&one), one.len);
		buf_addf(out, "  %s%*s ", buf_str(&one),
			 (int)(used < width ? width - used : 0), "");
		for (size_t k = (tally->n * room + most - 1) / most; k; k--)
			buf_adds(out, "█");
		buf_addf(out, " %zu\n", (size_t)tally->n);
	}
	buf_release(&one);
}

/* Append T as JSON, as a line, or on a terminal as bars. KEPT_BACK names were
 * left out because only sensitive memories have them. */
static void add_tallies(struct buf *out, const char *name,
			const struct tallies *t, size_t kept_back)
{
	const size_t columns = json ? 0 : terminal_columns(STDOUT_FILENO);

	if (columns) {
		add_bars(out, name, t, columns);
		return;
	}
	if (json)
		json_write_open(out, name, '{');
	else
		buf_addf(out, "%s:", name);
	for (size_t i = 0; i < t->n; i++) {
		const struct tally *one = &t->items[i];

		if (json) {
			json_write_size(out, one->name, one->n);
			continue;
		}
		if (out->len >= PIECE)
			out_buf(out);
		buf_adds(out, i ? ", " : " ");
		sanitize_line(out, one->name, one->len);
		buf_addc(out, ' ');
		buf_addi(out, (int64_t)one->n);
	}
	if (json) {
		buf_addc(out, '}');
		return;
	}
	buf_adds(out, t->n ? "" : " none");
	if (kept_back)
		buf_addf(out, "; hidden, of sensitive memories: %zu",
			 kept_back);
	buf_addc(out, '\n');
}

/* Append how often agents were given the memories of S, if they were. */
static void add_shown(struct buf *out, struct store *s)
{
	const struct used_ask ask = {
		.guess = guess, .progress = counter(), .report = cli_report()};
	struct used_counts c;
	struct err e;

	if (why_count_used(s, &ask, &c, &e) < 0)
		cli_die(&e);
	counter_clear();
	if (json)
		why_used_json(out, "shown", &c);
	else
		why_used_text(out, &c);
	free(c.never);
}

static void print_stats(struct store *store, const struct stats *s,
			const struct index_status *index)
{
	struct buf out = {0};

	if (json) {
		json_write_open(&out, NULL, '{');
		json_write_size(&out, "memories", s->memories);
		json_write_size(&out, "bytes", s->bytes);
		json_write_size(&out, "articles", s->articles.articles);
		json_write_size(&out, "article_files", s->articles.files);
		json_write_size(&out, "article_bytes", s->articles.bytes);
		json_write_size(&out, "drafts", s->drafts);
		json_write_size(&out, "trash", s->trash);
	} else {
		buf_addf(&out,
			 "memories: %zu (%zu bytes)\narticles: ", s->memories,
			 s->bytes);
		article_count_text(&out, &s->articles);
		buf_addf(&out, " (%zu bytes)\ndrafts: %zu\ntrash: %zu\n",
			 s->articles.bytes, s->drafts, s->trash);
	}
	add_tallies(&out, "tags", &s->tags, s->tags_kept_back);
	add_tallies(&out, "sources", &s->sources, s->sources_kept_back);
	add_tallies(&out, "months", &s->months, 0);
	if (!global)
		add_shown(&out, store);
	if (json) {
		if (s->tags_kept_back)
			json_write_size(&out, "tags_kept_back",
					s->tags_kept_back);
		if (s->sources_kept_back)
			json_write_size(&out, "sources_kept_back",
					s->sources_kept_back);
		index_status_json(&out, index);
		buf_addc(&out, '}');
	} else {
		buf_adds(&out, "index: ");
		index_status_text(&out, index);
	}
	buf_addc(&out, '\n');
	out_buf(&out);
}

int main(int argc, char **argv)
{
	struct store s;
	struct stats stats;
	struct index_status index;
	struct err e;
	int n;

	cli_start(&cmd, argc, argv, &n);
	cli_open_store(&s, global);
	if (stats_count(&s, out_shows_sensitive(), &cli_arena, &stats, &e) < 0)
		cli_die(&e);
	index_status(&index, &s);
	print_stats(&s, &stats, &index);
	stats_release(&stats);
	store_close(&s);
	return cli_finish(0);
}
