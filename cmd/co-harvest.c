/* co-harvest: extract items from conversations. */
#include "base/date.h"
#include "cli/out.h"
#include "cli/stores.h"
#include "harvest/digest.h"
#include "harvest/harvest-report.h"
#include "harvest/ledger.h"
#include "transcript/listing.h"

#include <unistd.h>

static bool apply, dry, no_harvest, reclaim, all, global, drafts, json;
static size_t max_bytes, max_calls, max_seconds;
static const char *since, *agent;

static const struct opt opts[] = {
	{OPT_FLAG, 0, "apply", &apply, NULL, NULL,
	 "harvest, instead of printing the plan"},
	{OPT_FLAG, 'n', "dry-run", &dry, NULL, NULL,
	 "print the plan, as without --apply"},
	{OPT_FLAG, 0, "no-harvest", &no_harvest, NULL, NULL,
	 "ask no model: delete conversations of any size"},
	{OPT_FLAG, 0, "reclaim", &reclaim, NULL, NULL,
	 "delete the record that PATH names, once it is harvested"},
	{OPT_FLAG, 0, "drafts", &drafts, NULL, NULL,
	 "let the items wait for 'co review'"},
	{OPT_COUNT, 0, "max-bytes", &max_bytes, "N", NULL,
	 "harvest N bytes at most, and leave the rest for later"},
	{OPT_COUNT, 0, "max-calls", &max_calls, "N", NULL,
	 "ask the model N times at most"},
	{OPT_COUNT, 0, "max-seconds", &max_seconds, "N", NULL,
	 "ask the model nothing more after N seconds"},
	{OPT_STR, 0, "since", &since, "DATE", NULL,
	 "take those that continued at DATE or later"},
	{OPT_WORD, 0, "agent", &agent, "AGENT", "%",
	 "take only those of one agent"},
	{OPT_FLAG, 0, "all", &all, NULL, NULL,
	 "take those of all projects, not only of this one"},
	OPT_GLOBAL(&global),
	{OPT_FLAG, 0, "json", &json, NULL, NULL, "print one JSON object"},
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-harvest",
	.summary = "extract items from conversations",
	.operands = "[PATH...]",
	.opts = opts,
	.names = transcript_agents,
};

static struct arena arena;
static struct store store;
static struct scan scan = {.a = &arena};

static void note_progress(const char *what, const char *label)
{
	cli_note("%s: %s", what, label);
}

static void note_undeletable(const char *path, const char *why)
{
	cli_note("'%s' is not deleted: %s", path, why);
}

/* Find the conversations stored by agents. */
static void find_listed(void)
{
	struct sessions found = {.a = &arena};
	struct listing l = {.all = all, .agent = agent};
	struct date from;
	struct err e;

	if (since && !date_parse(since, strlen(since), &from))
		cli_usage("'%s' is no date: " DATE_FORMS, since);
	l.since = since ? &from.first : NULL;
	if (listing_find(&found, &l, cli_complaints(), &e) < 0)
		cli_die(&e);
	for (size_t i = 0; i < found.n; i++)
		harvest_scan_add_listed(&scan, found.items[i].path,
					found.items[i].bytes,
					found.items[i].end.sec);
	sessions_release(&found);
}

/* Find the prompts and, with --apply, open the model if one is configured. */
static void open_model(struct harvest *h, struct request_prompts *prompts,
		       const struct settings *s, const char *argv0)
{
	struct err e;

	if (request_find(prompts, s, argv0, &e) < 0 ||
	    (apply && llm_open(s, argv0, &h->llm, &e) < 0))
		cli_die(&e);
	if (prompts->unused)
		cli_note("'%s' is not used: the setting "
			 "'harvest.project_prompt' is off",
			 prompts->unused);
	if (!drafts)
		cli_note("prompt: '%s'", prompts->path[REQUEST_HARVEST]);
	h->prompts = prompts;
}

static void run_harvest(struct harvest *h, struct harvest_report *r)
{
	enum digest_state state = DIGEST_EMPTY;
	struct err e;

	if (harvest_run(h, &scan, &e) < 0)
		cli_die(&e);
	cli_make_store(&store);
	if (digest_build(&store, false, &state, &e) < 0)
		cli_complain(&e);
	r->digest = state == DIGEST_STANDS
			    ? layout_path(&store.repo, DIGEST_FILE, &arena)
			    : NULL;
	r->done = h;
}

static void print_report(const struct harvest_report *r)
{
	struct buf out = {0};

	if (json)
		harvest_report_json(&out, r);
	else
		harvest_report_text(&out, r);
	cli_out(out.p, out.len);
	buf_release(&out);
}

/* Set H and R from the options and the user's settings. */
static void prepare_harvest(struct harvest *h, struct harvest_report *r,
			    struct request_prompts *prompts, const char *argv0)
{
	const struct settings *settings;

	settings_user(&settings, &arena, cli_report(), NULL);
	r->price = strtod(settings_str(settings, "llm.price_in"), NULL);
	r->provider = settings_str(settings, "llm.provider");
	r->unharvested = h->unharvested = no_harvest;
	r->root = store.repo.path;
	r->ledger = layout_path(&store.repo, LEDGER_FILE, &arena);
	h->reclaim = reclaim;
	h->drafts = drafts;
	h->max_bytes = max_bytes;
	h->max_calls = max_calls;
	if (max_seconds)
		h->until = instant_monotonic_ms() + (int64_t)max_seconds * 1000;
	h->progress = isatty(STDERR_FILENO) ? note_progress : NULL;
	harvest_report_measure(r, h->report);
	if (!no_harvest)
		open_model(h, prompts, settings, argv0);
}

static void find_conversations(char **paths)
{
	struct err e;

	if (!*paths)
		find_listed();
	for (; *paths; paths++) {
		if (harvest_scan_add(&scan, *paths, true, &e) < 0)
			cli_complain(&e);
	}
}

int main(int argc, char **argv)
{
	struct request_prompts prompts = {0};
	struct harvest h = {.store = &store,
			    .report = cli_complaints(),
			    .undeletable = note_undeletable};
	struct harvest_report r = {.scan = &scan};
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	if (n && (since || agent || all))
		cli_usage("--since, --agent and --all go without a PATH");
	if (apply && dry)
		cli_usage("--apply and -n exclude each other");
	if (drafts && (no_harvest || reclaim))
		cli_usage("--drafts deletes nothing");
	find_conversations(operands);
	cli_open_store(&store, global);
	store.report = cli_complaints();
	prepare_harvest(&h, &r, &prompts, argv[0]);
	if (apply)
		run_harvest(&h, &r);
	print_report(&r);
	request_release(&prompts);
	llm_close(h.llm);
	harvest_scan_release(&scan);
	store_close(&store);
	arena_release(&arena);
	return cli_finish(0);
}
