/* learn-model.c: see learn.h. */
#include "learn/learn.h"

#include "cli/cli.h"

#include <unistd.h>

static void note_progress(const char *what, const char *label)
{
	cli_note("%s: %s", what, label);
}

void learn_model_limit(struct harvest *h, size_t seconds)
{
	if (seconds)
		h->until = instant_monotonic_ms() + (int64_t)seconds * 1000;
	h->progress = isatty(STDERR_FILENO) ? note_progress : NULL;
}

void learn_model_open(struct harvest *h, struct request_prompts *prompts,
		      const struct settings *s, const char *argv0, bool ask,
		      bool named)
{
	struct err e;

	if (request_find(prompts, s, argv0, &e) < 0 ||
	    (ask && llm_open(s, argv0, &h->llm, &e) < 0))
		cli_die(&e);
	if (prompts->unused)
		cli_note("'%s' is not used: the setting "
			 "'harvest.project_prompt' is off",
			 prompts->unused);
	if (named)
		cli_note("prompt: '%s'", prompts->path[REQUEST_HARVEST]);
	h->prompts = prompts;
}
