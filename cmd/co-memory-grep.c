/* co-memory-grep: find memories whose text or tags match a pattern. */
#include "named.h"
#include "out.h"
#include "search.h"

static struct out out;
static struct strings tags;
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
	{OPT_STR, 0, "since", &since, "DATE", NULL,
	 "only those created at DATE or later"},
	{OPT_STR, 0, "until", &until, "DATE", NULL,
	 "only those created at DATE or before, a day to its end"},
	{OPT_COUNT, 'n', "max", &max, "N", NULL, "only the newest N"},
	OPT_GLOBAL(&global),
	OUT_OPTS(&out),
	{.kind = OPT_END},
};

static const char *const synopsis[] = {
	"[-s] [-F] [-w] [-v] [-c] [-t TAG]... [--since=DATE] [--until=DATE] "
	"[-n N] [--global] [--json|--format=TEMPLATE] [-z] PATTERN [PATH...]",
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
static struct query query;

static void read_query(const char *pattern)
{
	unsigned flags = (sensitive ? MATCH_CASE : 0u) |
			 (fixed ? MATCH_LITERAL : 0u) |
			 (word ? MATCH_WORD : 0u);
	struct err e;

	query.narrow.tags = tags.items;
	query.narrow.ntags = tags.n;
	query.invert = invert;
	query.borrow = true;
	if (narrow_dates(&query.narrow, since, until, &e) < 0 ||
	    match_new(&query.match, pattern, strlen(pattern), flags, &e) < 0)
		cli_die(&e);
}

/* What is found among the files that are named. */
struct found {
	struct named named;
	struct arena scratch;
	struct record *items;
	size_t n, cap;
};

static int grep_path(void *ctx, const char *path, struct err *e)
{
	struct found *f = ctx;
	struct record r;
	int found;

	arena_reset(&f->scratch);
	found = named_read(&f->named, path, &f->scratch, &r, e);
	if (!found)
		return err_set(e, ERR_SYSTEM, "no such file: '%s'", path);
	if (found < 0)
		return -1;
	found = query_test(&query, &r, e);
	if (found < 0)
		cli_die(e);
	if (!found)
		return 0;
	f->items = mem_grow(f->items, f->n, &f->cap, sizeof(*f->items));
	f->items[f->n++] = out_whole(&out) ? record_copy(&r, &arena)
					   : record_copy_head(&r, &arena);
	return 0;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t grep_paths(char **paths)
{
	struct found f = {0};

	cli_each(paths, out.zero, grep_path, &f);
	if (f.n)
		qsort(f.items, f.n, sizeof(*f.items), record_newest_first);
	f.n = least(f.n, max);
	for (size_t i = 0; i < f.n && !count; i++)
		out_record(&out, &f.items[i]);
	named_release(&f.named);
	arena_release(&f.scratch);
	free(f.items);
	return f.n;
}

static size_t grep_store(void)
{
	struct records found;
	struct store store;
	struct err e;

	out_store(&store, global);
	if (search_collect(&store, AREA_MEMORIES, &query, &arena, &found, &e) <
	    0)
		cli_die(&e);
	if (found.n)
		qsort(found.items, found.n, sizeof(*found.items),
		      record_newest_first);
	found.n = least(found.n, max);
	if (!count) {
		out_doubles(found.items, found.n);
		out_found(&out, &store, &found, max);
	}
	store_close(&store);
	return found.n;
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
	found = operands[1] ? grep_paths(operands + 1) : grep_store();
	if (count)
		cli_outf("%zu\n", found);
	match_free(query.match);
	arena_release(&arena);
	return cli_finish(found ? 0 : ERR_NO);
}
