/* co-memory-list: list memories, by id or by date. */
#include "cli/out.h"
#include "cli/stores.h"
#include "search/grep.h"

static struct out out = {.no_content = true};
static struct strings tags, not_tags;
static const char *since, *until, *sort = "id";
static bool reverse, drafts, trash, global;
static size_t max = SIZE_MAX;

static const struct opt opts[] = {
	{OPT_LIST, 't', "tag", &tags, "TAG", NULL,
	 "only those with TAG; with each where given again"},
	{OPT_LIST, 0, "not-tag", &not_tags, "TAG", NULL,
	 "only those without TAG; without any where given again"},
	{OPT_STR, 0, "since", &since, "DATE", NULL,
	 "only those created at DATE or later"},
	{OPT_STR, 0, "until", &until, "DATE", NULL,
	 "only those created at DATE or before, to its end"},
	{OPT_WORD, 0, "sort", &sort, "KEY", "id|created",
	 "order by id, as without it, or oldest first"},
	{OPT_FLAG, 'r', "reverse", &reverse, NULL, NULL, "turn the order"},
	{OPT_COUNT, 'n', "max", &max, "N", NULL, "only the first N"},
	{OPT_FLAG, 0, "drafts", &drafts, NULL, NULL,
	 "list what waits for a yes"},
	{OPT_FLAG, 0, "trash", &trash, NULL, NULL, "list what was removed"},
	OPT_GLOBAL(&global),
	OUT_OPTS(&out),
	{.kind = OPT_END},
};

static const char *const synopsis[] = {
	"[-t TAG]... [--not-tag=TAG]... [--since=DATE] [--until=DATE] "
	"[--sort=id|created] [-r] [-n N] [--drafts|--trash] [--global] "
	"[--json|--format=TEMPLATE] [-z]",
	NULL,
};

static const struct cmd cmd = {
	.name = "co-memory-list",
	.summary = "list memories",
	.synopsis = synopsis,
	.opts = opts,
};

static struct arena arena;

static void print(struct store *s, enum area area, const struct grep_query *q)
{
	struct results found = {.order = RESULTS_BY_ID,
				.whole = out_whole(&out)};
	struct err e;

	if (grep_collect(s, area, q, &found, &e) < 0)
		cli_die(&e);
	if (!trash)
		out_doubles(&found);
	results_reorder(&found, !strcmp(sort, "created") ? RESULTS_BY_CREATED
							 : RESULTS_BY_ID);
	out_found(&out, &found, reverse, max);
	results_release(&found);
}

int main(int argc, char **argv)
{
	enum area area = AREA_MEMORIES;
	struct grep_query query = {0};
	struct store store;
	struct err e;
	int n;

	cli_start(&cmd, argc, argv, &n);
	if (drafts && trash)
		cli_usage("--drafts and --trash exclude each other");
	if (drafts || trash)
		area = drafts ? AREA_DRAFTS : AREA_TRASH;
	out_open(&out, &arena);
	query.narrow.tags = tags.items;
	query.narrow.ntags = tags.n;
	query.narrow.not_tags = not_tags.items;
	query.narrow.nnot_tags = not_tags.n;
	if (grep_narrow_dates(&query.narrow, since, until, &e) < 0)
		cli_die(&e);
	cli_open_store(&store, global);
	print(&store, area, &query);
	store_close(&store);
	arena_release(&arena);
	return cli_finish(0);
}
