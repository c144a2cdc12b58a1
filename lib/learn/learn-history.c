/* learn-history.c: see learn-history.h. */
#include "learn/learn-history.h"

#include "cli/cli.h"
#include "cli/stores.h"
#include "learn/learn-model.h"

static void print_drafts(const struct learn_history *l,
			 const struct past_drafts *p, const char *provider)
{
	struct buf out = {0};

	(l->json ? past_drafts_json : past_drafts_text)(&out, p, provider);
	cli_out(out.p, out.len);
	buf_release(&out);
	if (l->apply && !l->json && p->n > p->refused)
		cli_hint("'co review' shows the drafts, one by one");
}

int learn_history(const struct learn_history *l, const char *argv0)
{
	struct store store, user = {.repo.fd = -1};
	struct request_prompts prompts = {0};
	struct harvest h = {.store = &store,
			    .report = cli_complaints(),
			    .max_calls = l->max_calls};
	struct past_drafts p = {.store = &store,
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
	if (past_drafts_run(&p, &e) < 0)
		cli_die(&e);
	if (l->apply && p.n)
		cli_make_store(&store);
	print_drafts(l, &p, provider);
	past_drafts_release(&p);
	request_release(&prompts);
	llm_close(h.llm);
	store_close(&user);
	store_close(&store);
	arena_release(&a);
	return cli_finish(0);
}
