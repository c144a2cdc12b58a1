/* hook.h: answer an event of an agent's hook.
 *
 * The event is a JSON object on standard input, and the answer another (see
 * event.h). The log HOOK_LOG (see log.h) gets only sizes and names, never what was
 * said, remembered or recalled.
 */
#ifndef CO_AGENT_HOOK_H
#define CO_AGENT_HOOK_H

#include "agent/agent.h"
#include "repo/settings.h"
#include "sys/deadline.h"

#define HOOK_LOG "hook.log"

struct hook {
	const struct agent *agent;
	int64_t started_ms; /* by instant_monotonic_ms() */
};

/* Read the event and answer it; for deadline_run(). CTX is a struct hook. At the
 * end of a session, the answer is sent first, and the drafts are collected after
 * it. */
void hook_work(void *ctx, struct deadline *w);

/* Return true if the settings S want memories WHEN: "prompt" or "action". */
bool hook_recalls(const struct settings *s, const char *when);

/* Return how many files of a store are looked at for a prompt, by the time that
 * hook.timeout_ms gives. */
size_t hook_looks_most(const struct settings *s);

/* Note in the log that there was no answer, and the reason E. */
void hook_failed(const struct hook *h, const struct err *e);

#endif
