/* hook.h: answer an event of an agent's hook.
 *
 * The event is a JSON object on standard input, and the answer is another one
 * (see event.h). The log HOOK_LOG (see log.h) gets only sizes and names, never
 * text of a conversation or a memory.
 */
#ifndef CO_AGENT_HOOK_H
#define CO_AGENT_HOOK_H

#include "agent/agent.h"
#include "agent/inject.h"
#include "repo/settings.h"
#include "sys/deadline.h"

#define HOOK_LOG "hook.log"

struct hook {
	const struct agent *agent;
	int64_t started_ms; /* by instant_monotonic_ms() */
};

/* A deadline_fn: read the event and answer it. CTX is a struct hook. At the end
 * of a session, the answer is sent first, and then the drafts are collected. */
void hook_work(void *ctx, struct deadline *w);

/* Return true if the settings S ask for memories WHEN: "prompt" or "action". */
bool hook_recalls(const struct settings *s, const char *when);

/* Return the number of files of a store that may be examined for a prompt. It
 * is proportional to the setting hook.timeout_ms. */
size_t hook_looks_most(const struct settings *s);

/* Log E, the reason why the hook gave no answer. If it was late (ERR_BUSY),
 * also record that by delivery_note_late(). */
void hook_failed(const struct hook *h, const struct err *e);

#endif
