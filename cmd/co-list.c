/* co-list: list the memories of both stores, newest first. */
#include "cli/out.h"
#include "cli/stores.h"
#include "store/display.h"
#include "search/projects.h"
#include "sys/terminal.h"

#include <unistd.h>

static struct out out;
static struct out_filters filters;
static const char *sort = "created", *color;
static bool reverse, drafts, articles, trash, superseded, global, everywhere;
static size_t max = SIZE_MAX;

static const struct opt opts[] = {
	OUT_FILTERS(&filters),
	OUT_HIDDEN(&filters),
	{OPT_WORD, 0, "sort", &sort, "KEY", "created|modified|size|id",
	 "the newest first, as without it, the largest or the highest id"},
	{OPT_FLAG, 'r', "reverse", &reverse, NULL, NULL, "turn the order"},
	{OPT_COUNT, 'n', "max", &max, "N", NULL, "only the first N"},
	{OPT_FLAG, 0, "drafts", &drafts, NULL, NULL,
	 "list what waits for a yes"},
	{.kind = OPT_OR},
	{OPT_FLAG, 0, "articles", &articles, NULL, NULL,
	 "list what was read elsewhere"},
	{.kind = OPT_OR},
	{OPT_FLAG, 0, "trash", &trash, NULL, NULL, "list what was removed"},
	{.kind = OPT_OR},
	{OPT_FLAG, 0, "superseded", &superseded, NULL, NULL,
	 "list what another memory replaced"},
	{OPT_FLAG, 0, "global", &global, NULL, NULL,
	 "list the user's store alone"},
	OPT_ALL_PROJECTS(&everywhere),
	OUT_OPTS(&out),
	OPT_COLOR(&color),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-list",
	.summary = "list memories, newest first",
	.opts = opts,
};

/* Return the width of the longest id in FOUND, in columns. */
static size_t id_width(const struct results *found)
{
	size_t width = 0;
	char id[32];

	for (size_t i = 0; i < found->n; i++) {
		const struct result *hit = &found->items[i];
		const int len = snprintf(id, sizeof(id), "%s%d",
					 hit->global ? "g" : "", hit->id);

		width = (size_t)len > width ? (size_t)len : width;
	}
	return width;
}

/* Print the first MAX rows of FOUND, in reverse order if BACKWARD. */
static void print_rows(const struct results *found, bool backward)
{
	static const struct coloring coloring = {NULL, NULL};
	const struct coloring *c = cli_colors(color) ? &coloring : NULL;
	const size_t columns = terminal_columns(STDOUT_FILENO),
		     width = id_width(found),
		     n = found->n < max ? found->n : max;
	struct arena a = {0};
	struct buf text = {0};
	struct record r;

	for (size_t i = 0; i < n; i++) {
		const size_t at = backward ? found->n - 1 - i : i;

		arena_reset(&a);
		results_get(found, &found->items[at], &a, &r);
		if (r.id)
			display_row(&text, &r, width, columns, c);
		else
			display_line(&text, &r, c);
		if (out.zero)
			text.p[text.len - 1] = '\0';
		out_page(&text, false);
	}
	out_page(&text, true);
	arena_release(&a);
}

/* Print why the list is empty, and a hint. */
static void explain_empty(bool exists)
{
	const bool narrowed = filters.tags.n || filters.not_tags.n ||
			      filters.since || filters.until || filters.as_of;

	if (narrowed)
		cli_note("no %s matches", articles ? "article" : "memory");
	else if (articles)
		cli_note("no articles");
	else if (drafts || trash)
		cli_note(drafts ? "no draft waits" : "the trash is empty");
	else if (superseded)
		cli_note("no memory was replaced");
	else
		cli_note(exists ? "no memories" : "no memories saved yet");
	if (narrowed && articles)
		cli_hint("'co list --articles' lists all");
	else if (narrowed)
		cli_hint("'co tag' lists the tags, 'co list' all memories");
	else if (!drafts && !trash && !articles && !superseded)
		cli_hint("'co learn TEXT' saves the first");
}

static void print_found(struct results *all, bool exists, bool unread)
{
	bool backward = reverse;

	if (!strcmp(sort, "created")) {
		results_reorder(all, RESULTS_NEWEST);
	} else {
		out_sort(all, sort);
		backward = !reverse;
	}
	if (!trash)
		out_doubles(all);
	if (!out_plain(&out))
		out_found(&out, all, backward, max);
	else if (all->n)
		print_rows(all, backward);
	else if (!unread)
		explain_empty(exists);
}

static void collect_removed(struct store *s, const struct grep_query *query,
			    struct results *all, bool *unread)
{
	struct err e;

	if (grep_removed_articles(s, query, all, &e) < 0) {
		cli_complain(&e);
		*unread = true;
	}
}

static enum area choose_area(void)
{
	if (global && everywhere)
		cli_usage(PROJECTS_OR_GLOBAL);
	if (drafts + articles + trash + superseded > 1)
		cli_usage("--drafts, --articles, --trash and --superseded "
			  "exclude each other");
	if (filters.as_of && drafts + articles + trash + superseded)
		cli_usage("--as-of goes with memories alone");
	out.detail = articles ? RECORD_LINE : RECORD_TEXT;
	return drafts	    ? AREA_DRAFTS
	       : articles   ? AREA_ARTICLES
	       : trash	    ? AREA_TRASH
	       : superseded ? AREA_ARCHIVE
			    : AREA_MEMORIES;
}

int main(int argc, char **argv)
{
	struct results all = {.order = RESULTS_BY_ID};
	struct grep_query query = {0};
	struct arena templates = {0};
	bool unread = false, exists = false;
	struct projects others = {0};
	struct store s[2];
	enum area area;

	cli_start(&cmd, argc, argv, &argc);
	area = choose_area();
	out_open(&out, &templates);
	all.whole = out_whole(&out) || terminal_columns(STDOUT_FILENO);
	out_filter(&query, &filters);
	for (int user = global; user < 2; user++)
		exists |= out_collect(&s[user], user, area, &query, &all,
				      &unread);
	for (int user = global; trash && user < 2; user++)
		collect_removed(&s[user], &query, &all, &unread);
	if (everywhere)
		projects_collect(&others, &s[0], area, &query, &all);
	print_found(&all, exists || others.n, unread);
	results_release(&all);
	projects_close(&others);
	for (int user = global; user < 2; user++)
		store_close(&s[user]);
	arena_release(&templates);
	return cli_finish(0);
}
