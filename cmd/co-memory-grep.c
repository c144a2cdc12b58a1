/* co-memory-grep: find memories whose text or tags match a pattern. */
#include "cli/out.h"
#include "cli/stores.h"
#include "search/grep.h"
#include "store/loose.h"

static struct out out;
static struct strings tags, not_tags;
static const char *since, *until;
static bool sensitive, fixed, word, invert, count, global;
static size_t max = SIZE_MAX;

static const struct opt opts[] = {
	{OPT_FLAG, 's', "case-sensitive", &sensitive, NULL, NULL,
	 "tell upper from lower case"},
	{OPT_FLAG, 'F', "fixed-strings", &fixed, NULL, NULL,
	 "PATTERN is text, not an expression"},
	{OPT_FLAG, 'w', "word-regexp", &word, NULL, NULL,
	 "match whole words only"},
	{OPT_FLAG, 'v', "invert-match", &invert, NULL, NULL,
	 "find the memories that do not match"},
	{OPT_FLAG, 'c', "count", &count, NULL, NULL,
	 "print the number of memories found"},
	{OPT_LIST, 't', "tag", &tags, "TAG", NULL,
	 "only those with TAG; with each where given again"},
	{OPT_LIST, 0, "not-tag", &not_tags, "TAG", NULL,
	 "only those without TAG; without any where given again"},
	{OPT_STR, 0, "since", &since, "DATE", NULL,
	 "only those created at DATE or later"},
	{OPT_STR, 0, "until", &until, "DATE", NULL,
	 "only those created at DATE or before, to its end"},
	{OPT_COUNT, 'n', "max", &max, "N", NULL, "only the newest N"},
	OPT_GLOBAL(&global),
	OUT_OPTS(&out),
	{.kind = OPT_END},
};

static const char *const synopsis[] = {
	"[-s] [-F] [-w] [-v] [-c] [-t TAG]... [--not-tag=TAG]... "
	"[--since=DATE] [--until=DATE] [-n N] [--global] "
	"[--json|--format=TEMPLATE] [-z] PATTERN [PATH...]",
	NULL,
};

static const struct cmd cmd = {
	.name = "co-memory-grep",
	.summary = "find memories that match a pattern",
	.synopsis = synopsis,
	.operands = "PATTERN [PATH...]",
	.input = "paths, one a line, where PATH is -",
	.opts = opts,
};

static struct arena arena;
static struct grep_query query;

static void read_query(const char *pattern)
{
	unsigned flags = (sensitive ? MATCH_CASE : 0u) |
			 (fixed ? MATCH_LITERAL : 0u) |
			 (word ? MATCH_WORD : 0u);
	struct err e;

	query.narrow.tags = tags.items;
	query.narrow.ntags = tags.n;
	query.narrow.not_tags = not_tags.items;
	query.narrow.nnot_tags = not_tags.n;
	query.invert = invert;
	if (grep_narrow_dates(&query.narrow, since, until, &e) < 0 ||
	    match_new(&query.match, pattern, strlen(pattern), flags, &e) < 0)
		cli_die(&e);
}

/* The files that are named, one after the other. */
struct naming {
	struct loose named;
	struct arena scratch;
	struct results *found; /* NULL: they are counted */
	size_t n;
};

static int grep_path(void *ctx, const char *path, struct err *e)
{
	struct naming *f = ctx;
	struct record r;
	int found;

	arena_reset(&f->scratch);
	found = loose_read(&f->named, path, &f->scratch, &r, e);
	if (!found)
		return err_set(e, ERR_SYSTEM, "no such file: '%s'", path);
	if (found < 0)
		return -1;
	found = grep_query_test(&query, &r, e);
	if (found < 0)
		cli_die(e);
	if (found && f->found)
		results_add(f->found, NULL, &r, NULL);
	f->n += (size_t)found;
	return 0;
}

static size_t grep_paths(char **paths, struct results *found)
{
	struct naming f = {.named = {.report = cli_report()}, .found = found};

	cli_each(paths, out.zero, grep_path, &f);
	loose_release(&f.named);
	arena_release(&f.scratch);
	return f.n;
}

static size_t grep_store(struct store *store, struct results *found)
{
	struct err e;
	size_t n = 0;

	cli_open_store(store, global);
	if ((found ? grep_collect(store, AREA_MEMORIES, &query, found, &e)
		   : grep_count(store, AREA_MEMORIES, &query, &n, &e)) < 0)
		cli_die(&e);
	return found ? found->n : n;
}

/* Print what is found, or how much that is. */
static size_t grep(char **paths)
{
	struct results found = {.order = RESULTS_NEWEST,
				.max = max == SIZE_MAX ? 0 : max,
				.whole = out_whole(&out)};
	struct results *kept = count || !max ? NULL : &found;
	struct store store;
	size_t n = *paths ? grep_paths(paths, kept) : grep_store(&store, kept);

	n = n < max ? n : max;
	results_sort(&found);
	if (!*paths)
		out_doubles(&found);
	if (count)
		cli_outf("%zu\n", n);
	else
		out_found(&out, &found, false, n);
	results_release(&found);
	if (!*paths)
		store_close(&store);
	return n;
}

int main(int argc, char **argv)
{
	char **operands;
	size_t found;
	int n;

	operands = cli_start(&cmd, argc, argv, &n);
	if (!n)
		cli_usage("a pattern is missing");
	out_open(&out, &arena);
	read_query(operands[0]);
	found = grep(operands + 1);
	match_free(query.match);
	arena_release(&arena);
	return cli_finish(found ? 0 : ERR_NO);
}
