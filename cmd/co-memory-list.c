/* co-memory-list: list memories, by id or by date. */
#include "cli/out.h"
#include "cli/stores.h"
#include "search/projects.h"

static struct out out = {.detail = RECORD_TEXT};
static struct out_filters filters;
static const char *sort = "id";
static bool reverse, drafts, trash, superseded, global, everywhere;
static size_t max = SIZE_MAX;

static const struct opt opts[] = {
	OUT_FILTERS(&filters),
	OUT_HIDDEN(&filters),
	{OPT_WORD, 0, "sort", &sort, "KEY", "id|created|modified|size",
	 "sort by id, the default, or oldest or smallest first"},
	FLAG('r', "reverse", &reverse, "reverse the order"),
	{OPT_COUNT, 'n', "max", &max, "N", NULL, "list at most N"},
	FLAG(0, "drafts", &drafts, "list drafts"),
	{.kind = OPT_OR},
	FLAG(0, "trash", &trash, "list the trash"),
	{.kind = OPT_OR},
	FLAG(0, "superseded", &superseded, "list replaced memories"),
	OPT_GLOBAL(&global),
	OPT_ALL_PROJECTS(&everywhere),
	OUT_OPTS(&out),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-memory-list",
	.summary = "list memories",
	.opts = opts,
};

static void print_found(const struct projects *all, enum area area,
			const struct grep_query *q)
{
	struct results found = {.order = RESULTS_BY_ID,
				.whole = out_whole(&out)};
	struct err e;

	if (projects_grep(all, area, q, &found, NULL, &e) < 0)
		cli_die(&e);
	if (!trash)
		out_doubles(&found, false);
	out_sort(&found, sort);
	out_found(&out, &found, reverse, max);
	results_release(&found);
}

int main(int argc, char **argv)
{
	enum area area = AREA_MEMORIES;
	struct grep_query query = {0};
	struct projects all = {0};
	struct store store;
	int n;

	cli_start(&cmd, argc, argv, &n);
	if (drafts + trash + superseded > 1)
		cli_usage("--drafts, --trash and --superseded exclude each "
			  "other");
	if (filters.as_of && drafts + trash + superseded)
		cli_usage("--as-of requires a list of memories");
	if (global && everywhere)
		cli_usage(PROJECTS_OR_GLOBAL);
	if (drafts || trash || superseded)
		area = drafts ? AREA_DRAFTS : trash ? AREA_TRASH : AREA_ARCHIVE;
	out_open(&out, &cli_arena);
	out_filter(&query, &filters);
	cli_open_store(&store, global);
	projects_add(&all, &store);
	if (everywhere)
		projects_open(&all, &store);
	print_found(&all, area, &query);
	projects_close(&all);
	store_close(&store);
	return cli_finish(0);
}
