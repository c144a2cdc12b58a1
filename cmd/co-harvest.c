/* co-harvest: extract items from conversations. */
#include "base/date.h"
#include "cli/out.h"
#include "cli/stores.h"
#include "harvest/harvest.h"
#include "harvest/items.h"
#include "learn/learn.h"
#include "transcript/listing.h"

static bool apply, dry, no_harvest, reclaim, all, global, drafts, json;
static size_t max_bytes, max_calls, max_seconds, max = MINING_MAX;
static const char *since, *agent, *source = "conversations";

static const struct opt opts[] = {
	{OPT_WORD, 0, "from", &source, "SOURCE", "conversations|git",
	 "harvest conversations, or with git this repository's history"},
	{OPT_COUNT, 0, "max", &max, "N", NULL,
	 "with --from=git, make N drafts at most; default: 30"},
	FLAG(0, "apply", &apply, "harvest, instead of printing the plan"),
	FLAG('n', "dry-run", &dry, "print the plan, as without --apply"),
	FLAG(0, "no-harvest", &no_harvest,
	     "ask no model: delete conversations of any size"),
	FLAG(0, "reclaim", &reclaim,
	     "delete the record that PATH names, once it is harvested"),
	FLAG(0, "drafts", &drafts, "let the items wait for 'co review'"),
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
	FLAG(0, "all", &all, "take those of all projects"),
	OPT_GLOBAL(&global),
	FLAG(0, "json", &json, "print one JSON object"),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-harvest",
	.summary = "extract knowledge from conversations and history",
	.synopsis = "[--apply|-n] [--no-harvest] [--reclaim] [--drafts] "
		    "[--max-bytes=N] [--max-calls=N] [--max-seconds=N] "
		    "[--since=DATE] [--agent=AGENT] [--all] [--global] "
		    "[--json] [PATH...]\n"
		    "--from=git [--apply|-n] [--max=N] [--max-calls=N] "
		    "[--max-seconds=N] [--json] [RANGE]",
	.operands = "[PATH...]",
	.opts = opts,
	.names = transcript_agents,
	.habits = (const char *const[]){"--history", "co harvest --from=git",
					NULL},
};

static struct store store;
static struct harvest_scan scan = {.a = &cli_arena};

static void note_undeletable(const char *path, const char *why)
{
	cli_note("'%s' is not deleted: %s", path, why);
}

/* Find the conversations stored by agents. */
static void find_listed(void)
{
	struct sessions found = {.a = &cli_arena};
	struct listing l = {.all = all, .agent = agent};
	struct date from;
	struct err e;

	if (since && !date_parse(since, strlen(since), &from))
		cli_usage("'%s' is not a date: " DATE_FORMS, since);
	l.since = since ? &from.first : NULL;
	if (listing_find(&found, &l, cli_complaints(), &e) < 0)
		cli_die(&e);
	for (size_t i = 0; i < found.n; i++)
		harvest_scan_add_listed(&scan, found.items[i].path,
					found.items[i].bytes,
					found.items[i].end.sec);
	listing_release(&found);
}

static void run_harvest(struct harvest *h, struct harvest_report *r)
{
	enum digest_state state = DIGEST_EMPTY;
	struct err e;

	if (harvest_run(h, &scan, &e) < 0)
		cli_die(&e);
	cli_make_store(&store);
	if (items_build_digest(&store, false, &state, &e) < 0)
		cli_complain(&e);
	r->digest = state == DIGEST_CURRENT
			    ? layout_path(&store.repo, DIGEST_FILE, &cli_arena)
			    : NULL;
	r->done = h;
}

static void print_report(const struct harvest_report *r)
{
	struct buf out = {0};

	(json ? harvest_report_json : harvest_report_text)(&out, r);
	cli_out(out.p, out.len);
	buf_release(&out);
	if (!r->scan->n && !json)
		cli_hint("'co harvest --from=git' needs no model: it reads "
			 "git's history");
}

/* Set H and R from the options and the user's settings. */
static void prepare_harvest(struct harvest *h, struct harvest_report *r,
			    struct request_prompts *prompts, const char *argv0)
{
	const struct settings *settings;

	settings_user(&settings, &cli_arena, cli_report(), NULL);
	r->price = strtod(settings_str(settings, "llm.price_in"), NULL);
	r->provider = settings_str(settings, "llm.provider");
	r->unharvested = h->unharvested = no_harvest;
	r->root = store.repo.path;
	r->ledger = layout_path(&store.repo, LEDGER_FILE, &cli_arena);
	h->reclaim = reclaim;
	h->drafts = drafts;
	h->max_bytes = max_bytes;
	h->max_calls = max_calls;
	learn_model_limit(h, max_seconds);
	harvest_report_measure(r, h->report);
	if (!no_harvest)
		learn_model_open(h, prompts, settings, argv0, apply, !drafts);
}

static void find_conversations(char **paths)
{
	struct err e;

	if (max != MINING_MAX || (*paths && (since || agent || all)))
		cli_usage("--since, --agent and --all cannot be used with a "
			  "PATH, and --max requires --from=git");
	if (drafts && (no_harvest || reclaim))
		cli_usage("--drafts deletes nothing");
	if (!*paths)
		find_listed();
	for (; *paths; paths++) {
		if (harvest_scan_add(&scan, *paths, true, &e) < 0)
			cli_complain(&e);
	}
}

/* Do as --from=git says, with the N operands, and end the process. */
static void harvest_history(char **operands, int n, const char *argv0)
{
	const struct learn_history l = {operands[0], max,   max_calls,
					max_seconds, apply, json};

	if (n > 1 || no_harvest || reclaim || all || global || since || agent ||
	    max_bytes)
		cli_usage("--from=git takes one RANGE, and no options for "
			  "conversations");
	exit(learn_history(&l, argv0));
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

	if (apply && dry)
		cli_usage("--apply and -n exclude each other");
	if (!strcmp(source, "git"))
		harvest_history(operands, n, argv[0]);
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
	return cli_finish(0);
}
