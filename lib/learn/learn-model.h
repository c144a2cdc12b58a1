/* learn-model.h: open the model of a harvest, and show its progress. */
#ifndef CO_LEARN_LEARN_MODEL_H
#define CO_LEARN_LEARN_MODEL_H

#include "harvest/harvest.h"

/* Set H to show progress on a terminal, and to stop asking after SECONDS; 0: no
 * limit. */
void learn_model_limit(struct harvest *h, size_t seconds);

/* Find the prompts by the user's settings S and, if ASK, open the model; H->llm stays
 * NULL if none is set. ARGV0: see sys/execpath.h. End the process on failure.
 * Standard error names a project's prompt that is not used and, if NAMED, the prompt.
 * PROMPTS outlives H; the caller releases it, and closes H->llm first. */
void learn_model_open(struct harvest *h, struct request_prompts *prompts,
		      const struct settings *s, const char *argv0, bool ask,
		      bool named);

#endif
