/* co-recall: print the memories that answer a query */
#include "cli/out.h"
#include "repo/settings.h"
#include "search/explain.h"
#include "search/recall.h"
#include "store/display.h"

static struct out out;
static size_t max = SIZE_MAX;
static const char *mode = "auto";
static bool explain;

static const struct opt opts[] = {
	{OPT_COUNT, 'n', "max", &max, "N", NULL,
	 "at most N memories; 5 unless settings say otherwise"},
	{OPT_WORD, 0, "mode", &mode, "MODE", "auto|grep|fts|hybrid",
	 "how to search; auto is hybrid without chance hits"},
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
	const struct root *project = &stores[0].repo.root,
			  *user = &stores[1].repo.root;
	const struct settings *s = settings_load(
		user->fd, user->path ? user->path : "", project->fd,
		project->path ? project->path : "", a, cli_report());

	return (size_t)settings_int(s, "recall.max_results");
}

static void explain_grep(struct buf *notes, const struct results *found)
{
	buf_addf(notes, "mode %s: by grep, for %s\n", mode,
		 found->n && !found->items[0].partial
			 ? "the whole query"
			 : "the query, which no memory holds whole, and then "
			   "for its words");
	for (size_t i = 0; i < ARRAY_LEN(stores); i++) {
		if (stores[i].repo.path)
			buf_addf(notes, "%s '%s'\n",
				 stores[i].repo.fd < 0 ? "absent:" : "read:",
				 stores[i].repo.path);
	}
}

static void explain_ranked(struct buf *notes, const struct recall *r)
{
	explain_search(notes, recall_mode_name(r->mode), r->indexes,
		       r->nindexes, &r->answer);
	out_notes(notes);
	explain_shown(&r->answer, &r->found, out_notes);
}

static void say(const struct recall *r)
{
	struct buf notes = {0};

	explain_damage(&notes, r->indexes, r->nindexes);
	if (r->degraded)
		buf_addf(&notes, "%s\n", r->degraded);
	if (explain && r->mode == RECALL_GREP)
		explain_grep(&notes, &r->found);
	else if (explain)
		explain_ranked(&notes, r);
	if (explain)
		buf_addf(&notes, "%zu shown, at most %zu\n", r->found.n, max);
	out_notes(&notes);
}

static void print_text(const struct recall *r, const char *query)
{
	const struct results *found = &r->found;
	struct arena a = {0};
	struct buf text = {0};
	struct record one;

	display_found(&text,
		      (const struct display_total[RECORD_KINDS]){
			      {r->whole_total, r->partial_total}},
		      found->n, RECORD_MEMORY, query);
	for (size_t i = 0; i < found->n; i++) {
		arena_reset(&a);
		recall_get(r, i, &a, &one);
		display_memory(&text, &one, NULL);
		out_page(&text, false);
	}
	out_page(&text, true);
	arena_release(&a);
}

static void print(const struct recall *r, const char *query)
{
	struct arena a = {0};
	struct record one;

	out_doubles(&r->found);
	if (out_plain(&out) && !r->found.n && (unread || cli_failed())) {
		cli_note("what could be read holds no answer");
	} else if (out_plain(&out)) {
		print_text(r, query);
	} else {
		for (size_t i = 0; i < r->found.n; i++) {
			arena_reset(&a);
			recall_get(r, i, &a, &one);
			out_record(&out, &one);
		}
	}
	arena_release(&a);
}

static size_t answer(const char *query, const char *argv0, struct arena *a)
{
	struct store *const both[] = {&stores[0], &stores[1]};
	struct recall_ask ask = {
		.mode = recall_mode_of(mode),
		.query = query,
		.max = max,
		.whole = out_plain(&out)		  ? DISPLAY_WHOLE_MAX
			 : out_uses(&out, RECORD_SNIPPET) ? 0
							  : SIZE_MAX,
		.argv0 = argv0,
		.report = cli_report(),
	};
	struct recall r;
	struct err e;
	size_t n;

	if (recall(both, ARRAY_LEN(both), &ask, a, &r, &e) < 0)
		cli_die(&e);
	print(&r, query);
	say(&r);
	n = r.found.n;
	recall_release(&r);
	return n;
}

int main(int argc, char **argv)
{
	struct arena a = {0};
	struct buf query = {0};
	size_t found;
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
	found = answer(query.p, argv[0], &a);
	store_close(&stores[0]);
	store_close(&stores[1]);
	buf_release(&query);
	arena_release(&a);
	return cli_finish(found ? ERR_NONE : ERR_NO);
}
