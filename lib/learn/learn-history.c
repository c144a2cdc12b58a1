/* learn-history.c: see learn.h. */
#include "learn/learn.h"

#include "cli/cli.h"
#include "cli/stores.h"
#include "sys/git.h"
#include "transcript/listing.h"

static void print_drafts(const struct learn_history *l, const struct mining *p,
			 const char *provider)
{
	struct buf out = {0};

	(l->json ? mining_json : mining_text)(&out, p, provider);
	cli_out(out.p, out.len);
	buf_release(&out);
	if (l->apply && !l->json && p->n > p->refused)
		cli_hint("'co review' shows the drafts, one by one");
	else if (!l->json && !p->n && !p->known)
		cli_hint("CONTRIBUTING.md, ADRs and lines 'Decision: ...' "
			 "in messages give drafts");
}

int learn_history(const struct learn_history *l, const char *argv0)
{
	struct store store, user = {.repo.fd = -1};
	struct request_prompts prompts = {0};
	struct harvest h = {.store = &store,
			    .report = cli_complaints(),
			    .max_calls = l->max_calls};
	struct mining p = {.store = &store,
			   .model = &h,
			   .range = l->range,
			   .max = l->max,
			   .apply = l->apply};
	const struct settings *settings;
	const char *provider;
	struct arena a = {0};
	struct err e;

	cli_open_store(&store, false);
	store.report = cli_complaints();
	if (cli_open_store_if(&user, true))
		p.user = &user;
	settings_user(&settings, &a, cli_report(), NULL);
	provider = settings_str(settings, "llm.provider");
	learn_model_limit(&h, l->max_seconds);
	if (l->apply && strcmp(provider, "none") != 0)
		learn_model_open(&h, &prompts, settings, argv0, true, true);
	if (mining_run(&p, &e) < 0)
		cli_die(&e);
	if (l->apply && p.n)
		cli_make_store(&store);
	print_drafts(l, &p, provider);
	mining_release(&p);
	request_release(&prompts);
	llm_close(h.llm);
	store_close(&user);
	store_close(&store);
	arena_release(&a);
	return cli_finish(0);
}

/* Return how many commits the repository in DIR has, without merges, of those that are
 * looked through. */
static size_t count_commits(const char *dir)
{
	struct buf most = {0}, out = {0};
	size_t n = 0;

	buf_addf(&most, "--max-count=%zu", CANDIDATES_COMMITS);
	if (GIT_ASK(dir, &out, NULL, "rev-list", "--count", "--no-merges",
		    most.p, "HEAD") == 0)
		n = (size_t)strtoull(buf_str(&out), NULL, 10);
	buf_release(&most);
	buf_release(&out);
	return n;
}

/* Append "N NOUN", with an s unless N is 1, after " and " if OUT has text; nothing if N
 * is 0. */
static void add_count(struct buf *out, size_t n, const char *noun)
{
	if (n)
		buf_addf(out, "%s%zu %s%s", out->len ? " and " : "", n, noun,
			 n == 1 ? "" : "s");
}

void learn_history_offer(const char *argv0)
{
	const struct learn_history look = {.max = MINING_MAX, .apply = true};
	const bool asks = cli_on_terminal();
	const size_t commits = asks ? count_commits(".") : 0;
	const size_t said = asks ? listing_count() : 0;
	struct buf there = {0};

	add_count(&there, said, "conversation");
	add_count(&there, commits, "commit");
	if (there.len)
		cli_note("%s here", there.p);
	buf_release(&there);
	if (commits &&
	    cli_ask("Search the commits for facts to remember? [y/N]"))
		learn_history(&look, argv0);
	else if (commits)
		cli_hint("'co harvest --from=git' does that later");
	if (said)
		cli_hint("'co recall --kind=conversation WORDS' searches the "
			 "conversations");
}
