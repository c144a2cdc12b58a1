/* co-recall: print the memories that answer a query */
#include "display.h"
#include "out.h"
#include "search.h"
#include "settings.h"

static struct out out;
static size_t max = SIZE_MAX;
static const char *mode = "auto";
static bool explain;

static const struct opt opts[] = {
	{OPT_COUNT, 'n', "max", &max, "N", NULL,
	 "at most N memories; 5 unless settings say otherwise"},
	{OPT_WORD, 0, "mode", &mode, "MODE", "auto|grep",
	 "how to search; auto chooses what fits the store"},
	{OPT_FLAG, 0, "explain", &explain, NULL, NULL,
	 "say on standard error how it was searched"},
	OUT_OPTS(&out),
	{.kind = OPT_END},
};

static const char *const synopsis[] = {
	"[-n N] [--mode=MODE] [--json|--format=TEMPLATE] [-z] [--explain] "
	"QUERY...",
	NULL,
};

static const struct cmd cmd = {
	.name = "co-recall",
	.summary = "print the memories that answer a query",
	.synopsis = synopsis,
	.operands = "QUERY...",
	.opts = opts,
};

static struct store stores[2]; /* the project's, the user's */
static bool unread; /* one of them, so that nobody knows what is in it */

static size_t preset_max(struct arena *a)
{
	const struct root *project = &stores[0].root, *user = &stores[1].root;
	const struct settings *s = settings_load(
		user->fd, user->path ? user->path : "", project->fd,
		project->path ? project->path : "", a, cli_report());

	return (size_t)settings_int(s, "recall.max_results");
}

static void say_how(const struct records *found)
{
	cli_note("mode %s: by grep, for %s", mode,
		 found->n && !found->items[0].partial
			 ? "the whole query"
			 : "the query, which no memory holds whole, and then "
			   "for its words");
	for (size_t i = 0; i < ARRAY_LEN(stores); i++) {
		if (stores[i].path)
			cli_note("%s '%s'",
				 stores[i].fd < 0 ? "absent:" : "read:",
				 stores[i].path);
	}
	cli_note("%zu shown, at most %zu", found->n, max);
}

static void print(const struct records *found, const char *query)
{
	struct buf text = {0};

	out_doubles(found->items, found->n);
	if (out_plain(&out) && !found->n && (unread || cli_failed())) {
		cli_note("what could be read holds no answer");
	} else if (out_plain(&out)) {
		display_recall(&text, found, query);
		out_page(buf_str(&text), text.len);
		buf_release(&text);
	} else {
		for (size_t i = 0; i < found->n; i++)
			out_record(&out, &found->items[i]);
	}
	if (explain)
		say_how(found);
}

int main(int argc, char **argv)
{
	struct store *const both[] = {&stores[0], &stores[1]};
	struct arena a = {0};
	struct buf query = {0};
	struct records found;
	struct err e;
	int n;
	char **words = cli_start(&cmd, argc, argv, &n);

	cli_join(&query, words);
	if (!query.len || !query.p[strspn(query.p, " \t\n")])
		cli_usage("what shall be recalled?");
	if (!max)
		cli_usage("-n wants a number from 1");
	out_open(&out, &a);
	unread = !out_store_if(&stores[0], false);
	unread |= !out_store_if(&stores[1], true);
	if (max == SIZE_MAX)
		max = preset_max(&a);
	if (search_recall(both, ARRAY_LEN(both), query.p, max, &a, &found, &e) <
	    0)
		cli_die(&e);
	print(&found, query.p);
	store_close(&stores[0]);
	store_close(&stores[1]);
	buf_release(&query);
	arena_release(&a);
	return cli_finish(found.n ? ERR_NONE : ERR_NO);
}
