/* hook.c: all of it is the child's work, but for the note on a child that gave
 * no answer, which another child makes: the log may lie where nothing answers.
 *
 * A log line has the agent, the event, the session, the time that passed, and
 * what was done.  Faults have lines of their own, in front of it.
 *
 * The end of a session is no answer's business: a machine that is too slow for
 * the agent is not too slow for the drafts.
 */
#include "agent/hook.h"

#include "agent/collect.h"
#include "agent/compaction.h"
#include "agent/inject.h"
#include "agent/log.h"
#include "repo/settings.h"
#include "store/drafts.h"
#include "sys/file.h"
#include "text/injected.h"

#include <unistd.h>

#define COLLECT_SECONDS 900
#define LOG_MS 1000 /* that a line of the parent's may take */

/* An event at work. */
struct work {
	const struct hook *hook;
	struct event event; /* without a name until it was read */
	struct report report;
	const struct settings *settings;
	struct arena arena;
};

static void add_line(const struct hook *h, const struct event *ev,
		     const char *text)
{
	struct buf line = {0};
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	buf_addf(&line, "%s %s %s %lld ms: %s", agent_name(h->agent),
		 ev && ev->name ? ev->name : "-",
		 ev && ev->name && *ev->session ? ev->session : "-",
		 (long long)(now.tv_sec - h->started.tv_sec) * 1000 +
			 (now.tv_nsec - h->started.tv_nsec) / 1000000,
		 text);
	log_add(HOOK_LOG, line.p);
	buf_release(&line);
}

/* A failure to be noted. */
struct failure {
	const struct hook *hook;
	const struct err *e;
};

static void note_failure(void *ctx, struct buf *out, const struct report *r)
{
	const struct failure *f = ctx;

	(void)out;
	(void)r;
	add_line(f->hook, NULL, f->e->text);
}

void hook_failed(const struct hook *h, const struct err *e)
{
	struct failure f = {h, e};
	struct buf none = {0};

	deadline_read(note_failure, &f, LOG_MS, &none, NULL, NULL);
	buf_release(&none);
}

static void complain(void *ctx, const struct err *e)
{
	const struct work *k = ctx;

	add_line(k->hook, &k->event, e->text);
}

static void PRINTF(2, 3) note(const struct work *k, const char *fmt, ...)
{
	struct buf text = {0};
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	add_line(k->hook, &k->event, text.p);
	buf_release(&text);
}

static void collect(struct work *k)
{
	struct collected c;
	struct err e;

	deadline_stay(COLLECT_SECONDS);
	if (!k->event.transcript)
		note(k, "nothing collected: no transcript is named");
	else if (collect_drafts(&c, &k->event, &k->report, &e) < 0)
		note(k, "%zu collected, no more: %s", c.saved, e.text);
	else
		note(k,
		     "all collected: %zu said, %zu asked for, %zu drafts, %zu "
		     "refused, "
		     "%zu lines skipped",
		     c.said, c.asked, c.saved, c.refused, c.skipped);
}

/* Bring to the git dir what an agent's sandbox had to leave in the work tree. */
static void settle(struct work *k)
{
	struct store s;
	struct err e;

	if (store_open(&s, SCOPE_PROJECT, &k->report, &e) < 0)
		return;
	if (drafts_settle(&s, &e) < 0)
		complain(k, &e);
	store_close(&s);
}

static void recall(struct work *k, struct buf *context)
{
	size_t n = 0,
	       max = (size_t)settings_int(k->settings, "recall.max_results");
	const size_t before = context->len;
	struct err e;

	if (!k->event.prompt ||
	    strcmp(settings_str(k->settings, "hook.recall"), "on") != 0)
		return;
	if (inject_recall(context, k->event.prompt, max, &n, &k->report, &e) <
	    0)
		complain(k, &e);
	note(k, "%zu memories, %zu bytes", n, context->len - before);
}

/* Gemini gets the context once more behind a compression: see compaction.h.  A
 * session that is resumed has it in its first prompt. */
static void repeat_start(struct work *k, struct buf *context)
{
	const struct event *ev = &k->event;
	struct buf notice = {0};

	if (ev->agent != AGENT_GEMINI || !ev->transcript ||
	    (ev->prompt && strstr(ev->prompt, INJECTED_WORD)) ||
	    !compaction_is_last(ev->transcript))
		return;
	inject_start(context, &notice, k->hook->agent, &k->report);
	note(k, "compressed, %zu bytes", context->len);
	buf_release(&notice);
}

static void answer(struct work *k, struct deadline *w)
{
	const enum event_kind kind = k->event.kind;
	struct buf context = {0}, notice = {0}, text = {0}, said = {0};

	if (kind == EVENT_START) {
		inject_start(&context, &notice, k->hook->agent, &k->report);
		delivery_add(&said, context.len);
		note(k, "%s", said.p);
		buf_release(&said);
	} else if (kind == EVENT_PROMPT) {
		repeat_start(k, &context);
		recall(k, &context);
	}
	event_answer(&text, &k->event, &context, &notice);
	deadline_answer(w, text.p, text.len);
	buf_release(&context);
	buf_release(&notice);
	buf_release(&text);
}

/* What the agent and its user are told where the answer takes too long. */
static void leave_word(const struct work *k, struct deadline *w)
{
	static const char late[] =
		"the context could not be loaded in time; 'co context' shows "
		"it, and co-hook(1) tells of hook.timeout_ms";
	struct buf context = {0}, notice = {0}, text = {0};

	buf_addf(&context, "(co: %s.)\n", late);
	buf_addf(&notice, "co: %s", late);
	event_answer(&text, &k->event, &context, &notice);
	deadline_leave(w, text.p, text.len);
	buf_release(&context);
	buf_release(&notice);
	buf_release(&text);
}

void hook_work(void *ctx, struct deadline *w)
{
	struct work k = {.hook = ctx};
	struct buf input = {0};
	struct err e;

	k.report = (struct report){complain, &k};
	settings_user(&k.settings, &k.arena, &k.report, NULL);
	deadline_allow(w, (int)settings_int(k.settings, "hook.timeout_ms"));
	if (file_read_fd(STDIN_FILENO, "-", EVENT_MAX, &input, &e) < 0 ||
	    event_parse(&k.event, k.hook->agent, input.p, input.len, &k.arena,
			&e) < 0) {
		complain(&k, &e);
		return;
	}
	if (k.event.kind != EVENT_END)
		deadline_bind(w);
	if (k.event.kind == EVENT_START)
		leave_word(&k, w);
	event_enter(&k.event);
	answer(&k, w);
	if (k.event.kind == EVENT_END)
		collect(&k);
	if (k.event.kind == EVENT_START || k.event.kind == EVENT_END)
		settle(&k);
	buf_release(&input);
	arena_release(&k.arena);
}
