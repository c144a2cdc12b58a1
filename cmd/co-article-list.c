/* co-article-list: list articles, by name or by date. */
#include "cli/out.h"
#include "cli/stores.h"

static struct out out = {.detail = RECORD_LINE};
static struct out_filters filters;
static const char *sort = "name";
static bool reverse, trash, global;
static size_t max = SIZE_MAX;

static const struct opt opts[] = {
	OUT_FILTERS(&filters),
	{OPT_WORD, 0, "sort", &sort, "KEY", "name|fetched|modified|size",
	 "sort by name, the default, or oldest or smallest first"},
	FLAG('r', "reverse", &reverse, "reverse the order"),
	{OPT_COUNT, 'n', "max", &max, "N", NULL, "list at most N"},
	FLAG(0, "trash", &trash, "list the trash"),
	OPT_GLOBAL(&global),
	OUT_OPTS(&out),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-article-list",
	.summary = "list articles",
	.opts = opts,
};

int main(int argc, char **argv)
{
	struct results found = {.order = RESULTS_BY_ID};
	struct grep_query query = {0};
	struct store store;
	struct err e;
	int n;

	cli_start(&cmd, argc, argv, &n);
	out_open(&out, &cli_arena);
	found.whole = out_whole(&out);
	out_filter(&query, &filters);
	cli_open_store(&store, global);
	if ((trash ? grep_removed_articles(&store, &query, &found, &e)
		   : grep_collect(&store, AREA_ARTICLES, &query, &found, &e)) <
	    0)
		cli_die(&e);
	out_sort(&found, strcmp(sort, "fetched") != 0 ? sort : "created");
	out_found(&out, &found, reverse, max);
	results_release(&found);
	store_close(&store);
	return cli_finish(0);
}
