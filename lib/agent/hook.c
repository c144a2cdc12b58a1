/* hook.c: a child process does all the work. If it gives no answer, another
 * child records that, since the log may be on a disk that does not respond.
 *
 * A log line has the agent, the event, the session, the duration, and what was
 * done. Errors have lines of their own before it. At the end of a session,
 * drafts are collected after the answer, so a slow machine has time for them.
 */
#include "agent/hook.h"

#include "action/action-recall.h"
#include "agent/collect.h"
#include "agent/delivery.h"
#include "agent/inject.h"
#include "base/compat.h"
#include "base/utf8.h"
#include "search/index.h"
#include "shown/reads.h"
#include "shown/shown.h"
#include "store/drafts.h"
#include "sys/dirs.h"
#include "sys/file-write.h"
#include "sys/io.h"
#include "sys/process.h"
#include "text/injected.h"
#include "text/sanitize.h"
#include "transcript/listing.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#define COLLECT_SECONDS 900
#define HARVEST_BYTES "262144" /* of what was said */
#define HARVEST_CALLS "8"
#define HARVEST_SECONDS "600" /* until the last call begins */
#define HARVEST_MS 900000
#define ASKED "asked" /* directory of the sessions that were asked */
#define LOCK "hook.lock"
#define WORK_ON_SECONDS 300
#define HOME_MS 700    /* for the user's directories to answer */
#define LOST_MS 2000   /* for the whole answer if they do not */
#define LOOKS_A_MS 100 /* files; on a busy machine */
#define LOG_MS 1000    /* for a log line of the parent */
#define PEEKED 16384   /* bytes of an event, to know its name */

/* What an answer gives, to be recorded once it is delivered. */
struct given {
	struct shown shown; /* its event is NULL: nothing */
	struct shown_items items;
	struct shown_words words;
	struct buf file, text; /* the file; the words of a command */
	char prompt[SHOWN_PROMPT_KEY];
	struct shown_ids before; /* what the session was given before; locked */
};

/* An event that is being answered. */
struct work {
	const struct hook *hook;
	struct deadline *deadline;
	struct event event; /* has no name before it is read */
	struct report report;
	const struct settings *settings;
	char *lost;	   /* the home that does not answer, or NULL */
	bool works_on;	   /* see limit_work() */
	const char *fault; /* the first fault of the user's settings, or NULL */
	struct given again; /* a context after a compression */
	struct given given; /* all else */
	struct arena arena;
};

static void add_line(const struct hook *h, const struct event *ev,
		     const char *text)
{
	struct buf line = {0};

	buf_addf(&line, "%s %s %s %lld ms: %s", h->agent->name,
		 ev && ev->name ? ev->name : "-",
		 ev && ev->name && *ev->session ? ev->session : "-",
		 (long long)(instant_monotonic_ms() - h->started_ms), text);
	log_add(HOOK_LOG, line.p);
	buf_release(&line);
}

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
	if (f->e->code == ERR_BUSY)
		delivery_note_late();
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

/* Log E, a fault of the user's settings. The first one also goes into the
 * notice for the person. */
static void complain_of_settings(void *ctx, const struct err *e)
{
	struct work *k = ctx;

	complain(k, e);
	if (!k->fault)
		k->fault = arena_strdup(&k->arena, e->text);
}

static void load_settings(struct work *k)
{
	const struct report report = {complain_of_settings, k};

	settings_user(&k->settings, &k->arena, &report, NULL);
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

/* Harvest the ended session into drafts if the user's settings ask for it,
 * within limits of time, calls and bytes. */
static void harvest_session(struct work *k)
{
	const char *words[] = {"co-harvest",
			       "--apply",
			       "--drafts",
			       "--max-bytes=" HARVEST_BYTES,
			       "--max-calls=" HARVEST_CALLS,
			       "--max-seconds=" HARVEST_SECONDS,
			       k->event.transcript,
			       NULL,
			       NULL};
	const struct helper h = {.words = words,
				 .timeout_ms = HARVEST_MS,
				 .max = 1024 * 1024,
				 .of_suite = true};
	const struct buf nothing = {0};
	struct buf out = {0};
	struct root root;
	struct err e;

	if (!k->event.transcript ||
	    strcmp(settings_str(k->settings, "harvest.auto"), "on") != 0 ||
	    !strcmp(settings_str(k->settings, "llm.provider"), "none"))
		return;
	if (root_find(&root, SCOPE_PROJECT, NULL) == 0) {
		if (root.fd < 0)
			words[7] = "--global";
		root_release(&root);
	}
	deadline_stay(HARVEST_MS / 1000 + COLLECT_SECONDS);
	if (process_run_helper(&h, &nothing, &out, &e) < 0)
		note(k, "not harvested: %s", e.text);
	else
		note(k, "harvested into drafts");
	buf_release(&out);
}

/* If EV's agent writes its record late, wait until the record has what led to
 * EV. */
static void await_record(const struct event *ev)
{
	if (ev->agent->late_record && ev->transcript)
		event_await_record(ev->transcript, ev->time);
}

/* Make drafts of the requests that an earlier session could not save. */
static void collect_kept(struct work *k)
{
	struct collected c;
	struct err e;

	if (collect_again(&c, &k->report, &e) < 0)
		note(k, "%zu saved of what was kept, no more: %s", c.saved,
		     e.text);
	else if (c.asked)
		note(k, "all saved of what was kept: %zu drafts", c.saved);
}

static void collect(struct work *k)
{
	struct collected c;
	struct err e;

	deadline_stay(COLLECT_SECONDS);
	await_record(&k->event);
	if (!k->event.transcript)
		note(k, "nothing collected: no transcript is named");
	else if (collect_drafts(&c, &k->event, &k->report, &e) < 0)
		note(k,
		     "%zu collected, no more, %zu kept for the next session: "
		     "%s",
		     c.saved, c.kept, e.text);
	else
		note(k,
		     "all collected: %zu said, %zu asked for, %zu drafts, %zu "
		     "refused, "
		     "%zu lines skipped",
		     c.said, c.asked, c.saved, c.refused, c.skipped);
	/* An earlier end of this session may have kept requests, too. */
	if (k->event.transcript && !c.kept)
		collect_kept(k);
}

/* Append the fault of the user's settings to NOTICE, if there is one. */
static void add_settings_fault(const struct work *k, struct buf *notice)
{
	if (!k->fault)
		return;
	buf_adds(notice, notice->len ? "; " : "co: ");
	sanitize_terminal(notice, k->fault, strlen(k->fault), false);
}

/* If the project's store hides a store in a directory above it, append that to
 * NOTICE, once per pair of stores. */
static void add_hidden_store(struct work *k, struct buf *notice)
{
	struct buf above = {0};
	struct root root;
	struct err e;

	if (root_find(&root, SCOPE_PROJECT, NULL) < 0)
		return;
	if (root_hides(&root, &above)) {
		err_set(&e, ERR_DATA,
			"'%s' hides '%s', whose memories do not count here",
			root.path, above.p);
		if (!delivery_was_told(e.text)) {
			buf_adds(notice, notice->len ? "; " : "co: ");
			sanitize_terminal(notice, e.text, strlen(e.text),
					  false);
			delivery_note_told(e.text);
			complain(k, &e);
		}
	}
	buf_release(&above);
	root_release(&root);
}

/* Append to NOTICE how many requests an earlier session could not save.
 * collect_kept() then tries again. */
static void add_unsaved(struct work *k, struct buf *notice)
{
	const char *why = NULL;
	const size_t n = collect_waiting(&why, &k->arena);

	if (!n)
		return;
	buf_adds(notice, notice->len ? "; " : "co: ");
	buf_addf(notice,
		 "%zu %s to remember could not be saved when a session ended "
		 "(",
		 n, n == 1 ? "line" : "lines");
	sanitize_terminal(notice, why ? why : "", why ? strlen(why) : 0, false);
	buf_adds(notice, "): co tries again now, and 'co review' shows what "
			 "it saved");
}

/* Finish what a killed writer began, and move drafts from the work tree to the
 * git directory: a sandboxed agent can write only to the work tree. */
static void finish_pending(struct work *k)
{
	struct store s;
	struct err e;

	if (store_open(&s, SCOPE_PROJECT, &k->report, &e) < 0)
		return;
	if (drafts_settle(&s, &e) < 0)
		complain(k, &e);
	store_close(&s);
}

size_t hook_looks_most(const struct settings *s)
{
	return (size_t)settings_int(s, "hook.timeout_ms") * LOOKS_A_MS;
}

bool hook_recalls(const struct settings *s, const char *when)
{
	const char *is = settings_str(s, "hook.recall");

	return !strcmp(is, when) || !strcmp(is, "both");
}

/* Record in the ledger what the session gets. Agent and session of S are set
 * here. */
static void note_shown(const struct work *k, const struct shown *s)
{
	struct shown whole = *s;

	whole.agent = k->hook->agent->name;
	whole.session = k->event.session;
	shown_note(&whole);
}

/* Record G and release it. If it was not DELIVERED, the session has to get it again, so
 * only a loss of its context is recorded. */
static void end_given(const struct work *k, struct given *g, bool delivered)
{
	if (delivered)
		g->shown.items = &g->items;
	else
		g->shown.bytes = 0;
	if (g->shown.event && (delivered || g->shown.resumed))
		note_shown(k, &g->shown);
	shown_ids_release(&g->before);
	shown_items_release(&g->items);
	shown_words_release(&g->words);
	buf_release(&g->file);
	buf_release(&g->text);
}

/* Stop the background work if the answer is late: called once the index and the
 * cache are made, since only these serve the next prompt. */
static void end_with_wait(void *ctx)
{
	struct work *k = ctx;

	if (k->works_on)
		deadline_bind(k->deadline);
}

static void recall(struct work *k, struct buf *context)
{
	struct given *g = &k->given;
	const struct inject_ask ask = {
		.session = {.agent = k->hook->agent->name,
			    .session = k->event.session,
			    .subagent = k->event.subagent,
			    .prompt = g->prompt,
			    .lost = k->again.shown.event},
		.prompt = k->event.prompt,
		.everywhere = !strcmp(
			settings_str(k->settings, "mcp.all_projects"), "on"),
		.max = (size_t)settings_int(k->settings, "recall.max_results"),
		.most = hook_looks_most(k->settings),
		.opened = end_with_wait,
		.ctx = k,
		.items = &g->items,
		.words = &g->words,
		.shown = &g->before,
		.report = &k->report};
	const size_t before = context->len;
	size_t n = 0;
	struct err e;

	if (!k->event.prompt || !hook_recalls(k->settings, "prompt"))
		return;
	shown_prompt_key(k->event.prompt, g->prompt);
	if (inject_recall(context, &ask, &n, &e) < 0)
		complain(k, &e);
	note(k, "%zu memories, %zu bytes", n, context->len - before);
	if (n)
		g->shown = (struct shown){.event = SHOWN_PROMPT,
					  .subagent = k->event.subagent,
					  .words = shown_words_of(&g->words),
					  .prompt = g->words.hidden ? NULL
								    : g->prompt,
					  .bytes = context->len - before};
}

/* Try to become the only hook that may continue after its time limit. Return
 * false if another process is. The lock is held until the process exits. */
static bool claim_background(void)
{
	char *state;
	int dir, fd = -1;

	if (dirs_state(&state, NULL) < 0)
		return false;
	if (file_make_path(state, 0700, &dir, NULL) == 0) {
		fd = file_open(dir, LOCK,
			       O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK,
			       0600);
		close(dir);
	}
	free(state);
	if (fd >= 0 && compat_lock_open_file(fd) < 0) {
		close(fd);
		fd = -1;
	}
	return fd >= 0;
}

/* An action_ask.opens function. If it MAKES the index for actions, one hook
 * continues until the index is complete. Otherwise the process ends with the
 * wait, so that no memories are recorded as given that were not. */
static void open_action_index(void *ctx, bool makes)
{
	struct work *k = ctx;

	if (!makes || !(k->works_on = k->works_on || claim_background()))
		deadline_bind(k->deadline);
	else
		deadline_stay(WORK_ON_SECONDS);
}

/* Log that an action or a subagent gets N memories, which are CONTEXT, and have S
 * recorded. The caller sets event and trigger of S. */
static void note_unasked(struct work *k, size_t n, const struct buf *context,
			 struct shown s)
{
	if (!n)
		return;
	note(k, "%zu memories, %zu bytes", n, context->len);
	s.subagent = k->event.subagent;
	s.bytes = context->len;
	k->given.shown = s;
}

/* Append the memories for an action to CONTEXT. If there are none, nothing is
 * recorded. */
static void recall_for_action(struct work *k, struct buf *context)
{
	struct given *g = &k->given;
	const struct action_ask ask = {
		.agent = k->event.agent->name,
		.after = k->event.agent->after_tool,
		.session = k->event.session,
		.subagent = k->event.subagent,
		.input = k->event.input,
		.bytes = (size_t)settings_int(k->settings, "hook.action_bytes"),
		.opens = open_action_index,
		.ctx = k,
		.shown = &g->before,
		.items = &g->items,
		.file = &g->file,
		.words = &g->text,
		.report = &k->report};
	const size_t n = action_recall(context, &ask);

	note_unasked(k, n, context,
		     (struct shown){.event = SHOWN_ACTION,
				    .file = g->file.len ? g->file.p : NULL,
				    .words = g->text.len ? g->text.p : NULL});
}

/* Append to CONTEXT the context for an agent that starts inside the session. */
static void recall_for_subagent(struct work *k, struct buf *context)
{
	struct given *g = &k->given;
	const struct inject_subagent_ask ask = {
		.agent = k->event.agent,
		.session = k->event.session,
		.subagent = k->event.subagent,
		.bytes = (size_t)settings_int(k->settings, "hook.action_bytes"),
		.shown = &g->before,
		.items = &g->items,
		.report = &k->report};
	const size_t n = inject_subagent(context, &ask);

	note_unasked(k, n, context, (struct shown){.event = SHOWN_SUBAGENT});
}

/* Record that the session has read text from outside, and its source: the URL
 * of the page without user and query, else the name of the tool. */
static void note_read(const struct work *k)
{
	const struct value *url = value_get(k->event.input, "url");
	const char *page = url && url->kind == VALUE_STR ? url->u.s.p : "";
	const char *tool =
		k->event.tool ? k->event.tool : "a tool without a name";
	struct buf from = {0};

	if (!reads_add_page(&from, page)) {
		sanitize_line(&from, tool, strlen(tool));
		if (from.len > READS_PAGE)
			buf_cut(&from, utf8_cut(from.p, from.len, READS_PAGE));
	}
	note_shown(k, &(struct shown){.event = SHOWN_READ,
				      .subagent = k->event.subagent,
				      .read = buf_str(&from)});
	buf_release(&from);
}

static unsigned context_flags(const struct work *k)
{
	return strcmp(settings_str(k->settings, "context.digest"), "on")
		       ? 0
		       : CONTEXT_DIGEST;
}

/* Append LATE, why something is missing, to CONTEXT and NOTICE; set the two as the
 * fallback answer, and release them. */
static void leave_answer(const struct work *k, struct buf *context,
			 struct buf *notice, const char *late)
{
	struct buf text = {0};

	buf_addf(context, "(co: %s.)\n", late);
	buf_addf(notice, "%s%s", notice->len ? "; " : "co: ", late);
	event_answer(&text, &k->event, context, notice);
	deadline_leave(k->deadline, text.p, text.len);
	buf_release(context);
	buf_release(notice);
	buf_release(&text);
}

/* Set a fallback answer: the context files without the memories that are always
 * loaded, since finding those may take too long. */
static void set_fallback_context(struct work *k)
{
	struct buf context = {0}, notice = {0};

	inject_start(&context, &notice, NULL, k->hook->agent,
		     context_flags(k) | CONTEXT_FILES_ONLY, NULL);
	leave_answer(k, &context, &notice,
		     "memories that are always loaded could not be found in "
		     "time: 'co context' shows them");
}

/* Set a fallback answer for the start of a session: the context is missing, and
 * where to find it. */
static void set_late_answer(const struct work *k)
{
	struct buf context = {0}, notice = {0};

	leave_answer(k, &context, &notice,
		     "the context could not be loaded in time; 'co context' "
		     "shows it, and co-hook(1) tells of hook.timeout_ms");
}

/* Append the context to CONTEXT again if a compression has lost it: see
 * event-record.c. Do nothing if the prompt already has text of the suite, as the
 * first one of a resumed session does. */
static void repeat_start(struct work *k, struct buf *context)
{
	const struct event *ev = &k->event;
	struct given *g = &k->again;
	struct buf notice = {0};

	if (!ev->agent->drops_context || !ev->transcript ||
	    (ev->prompt && strstr(ev->prompt, INJECTED_WORD)) ||
	    !event_ends_compressed(ev->transcript))
		return;
	inject_start(context, &notice, &g->items, k->hook->agent,
		     context_flags(k), &k->report);
	note(k, "compressed, %zu bytes", context->len);
	if (context->len)
		g->shown = (struct shown){.event = SHOWN_AGAIN,
					  .bytes = context->len};
	buf_release(&notice);
}

/* Return true if the session of EV is new: not resumed, cleared or compacted. */
static bool is_new_session(const struct event *ev)
{
	return ev->source &&
	       (!strcmp(ev->source, "startup") || !strcmp(ev->source, "new"));
}

/* Return true if the session that begins has the whole context from the
 * server. */
static bool has_server_context(const struct event *ev)
{
	return is_new_session(ev) && delivery_by_server(ev->agent, ev->session);
}

/* A deadline_read_fn: access each of the user's directories and the settings.
 * It hangs if their disk does not respond. */
static void touch_home(void *ctx, struct buf *out, const struct report *r)
{
	int (*const folders[])(char **, struct err *) = {
		dirs_config, dirs_cache, dirs_state};
	const struct settings *settings;
	struct arena a = {0};
	char *path;

	(void)ctx;
	(void)out;
	(void)r;
	access(dirs_home() ? dirs_home() : "/", F_OK);
	for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
		if (folders[i](&path, NULL) < 0)
			continue;
		access(path, F_OK);
		free(path);
	}
	settings_user(&settings, &a, NULL, NULL);
	arena_release(&a);
}

static bool home_responds(void)
{
	struct buf none = {0};
	struct err e;
	const bool there = deadline_read(touch_home, NULL, HOME_MS, &none, NULL,
					 &e) == 0 ||
			   e.code != ERR_BUSY;

	buf_release(&none);
	return there;
}

/* Return true if EV may be the last event of the session, since some agents do
 * not report its end. */
static bool is_end(const struct event *ev)
{
	return ev->kind == EVENT_END ||
	       (ev->kind == EVENT_STOP && ev->agent->stop_is_last);
}

/* Continue without the user's directories, which do not respond; those of the
 * project may. At the end of a session there is time to wait for them, so
 * nothing is changed. */
static void leave_home(struct work *k)
{
	if (is_end(&k->event))
		return;
	k->lost = mem_strdup(dirs_home() ? dirs_home() : "");
	dirs_forget();
}

/* If the user's directories do not respond, append that to CONTEXT and
 * NOTICE. */
static void add_lost(const struct work *k, struct buf *context,
		     struct buf *notice)
{
	if (!k->lost)
		return;
	buf_adds(context, "(co: the user's directories do not answer: what is "
			  "theirs is missing.)\n");
	buf_adds(notice, notice->len ? "; your" : "co: your");
	buf_adds(notice, " directories below '");
	sanitize_terminal(notice, k->lost, strlen(k->lost), false);
	buf_adds(notice, "' do not answer: what is yours is missing");
}

/* Append the path of the file which records that the session of EV was asked.
 * *NAME is the offset of its file name. */
static int add_asked(struct buf *path, size_t *name, const struct event *ev,
		     struct err *e)
{
	char *state;

	if (dirs_state(&state, e) < 0)
		return -1;
	buf_addf(path, "%s/asked/", state);
	*name = path->len;
	buf_addf(path, "%s-%s", ev->agent->name, ev->session);
	free(state);
	return 0;
}

/* Create the empty file PATH, whose name begins at the offset NAME. Return 1, 0
 * if it exists already, or -1. */
static int claim_file(const char *path, size_t name, struct err *e)
{
	char *folder = mem_strdup(path);
	int dir, r;

	folder[name - 1] = '\0';
	r = file_make_path(folder, 0700, &dir, e);
	if (!r) {
		r = file_create(dir, path + name, path, 0600, "", 0, e);
		close(dir);
	}
	free(folder);
	return r;
}

/* Before the session ends, ask the model to propose what it learned: once per
 * session, and only if the person has said something new. TEXT gets the
 * answer. */
static void ask_for_drafts(struct work *k, struct buf *text)
{
	const struct event *ev = &k->event;
	struct buf path = {0}, request = {0};
	struct err e;
	size_t name;
	bool news;
	int r;

	if (strcmp(settings_str(k->settings, "hook.ask_at_end"), "on") != 0 ||
	    ev->again || !*ev->session || !ev->transcript ||
	    ev->agent->ignores_reason)
		return;
	r = add_asked(&path, &name, ev, &e);
	if (!r && access(path.p, F_OK) != 0) {
		deadline_allow(k->deadline,
			       EVENT_AWAIT_MS +
				       (int)settings_int(k->settings,
							 "hook.timeout_ms"));
		await_record(ev);
		r = collect_news(&news, ev, &e);
		if (!r && news)
			r = claim_file(path.p, name, &e);
	}
	if (r < 0)
		complain(k, &e);
	if (r > 0) {
		inject_request(&request);
		event_continue(text, &request);
		note(k, "asked what it learned");
	}
	buf_release(&path);
	buf_release(&request);
}

/* If the session continues an earlier one under a new id, copy the record of
 * what that one has read from outside. If no record names the earlier session,
 * it may be any recent one of the agent. */
static void carry_reads(struct work *k)
{
	const struct event *ev = &k->event;
	const char *agent = ev->agent->name;
	struct strings earlier = {0};
	enum transcript_format format;

	if (!*ev->session || (ev->source && !strcmp(ev->source, "clear")) ||
	    shown_list_has_session(agent, ev->session))
		return;
	if (ev->transcript && transcript_format_find(agent, &format))
		listing_earlier(format, ev->transcript, ev->session, &earlier,
				&k->arena);
	if (!earlier.n && ev->source && !is_new_session(ev))
		strings_add(&earlier, "");
	for (size_t i = 0; i < earlier.n; i++)
		reads_carry(agent, earlier.items[i], ev->session);
	free(earlier.items);
}

/* Log that the session that begins gets BYTES of context, and have it recorded. */
static void note_start(struct work *k, size_t bytes)
{
	struct buf folder = {0};

	k->given.shown = (struct shown){.event = SHOWN_START,
					.bytes = bytes,
					.whole = true,
					.resumed = !is_new_session(&k->event)};
	shown_add_folder(&folder);
	note(k, "%zu bytes, in %s", bytes, buf_str(&folder));
	buf_release(&folder);
}

/* Send the answer TEXT, and record what it gives if the agent gets it. */
static void send_answer(struct work *k, const struct buf *text)
{
	const bool gives = k->again.shown.event || k->given.shown.event;
	bool delivered = false;

	if (gives)
		delivered = deadline_offer(k->deadline, text->p, text->len);
	else
		deadline_answer(k->deadline, text->p, text->len);
	end_given(k, &k->again, delivered);
	end_given(k, &k->given, delivered);
	if (gives)
		deadline_end(k->deadline);
}

static void answer(struct work *k)
{
	const enum event_kind kind = k->event.kind;
	struct buf context = {0}, notice = {0}, text = {0};

	if (kind == EVENT_START) {
		const bool told = has_server_context(&k->event);

		carry_reads(k);
		if (!told)
			set_fallback_context(k);
		inject_start(&context, &notice, &k->given.items, k->hook->agent,
			     context_flags(k), &k->report);
		if (told) {
			buf_cut(&context, 0);
			shown_items_release(&k->given.items);
		}
		add_lost(k, &context, &notice);
		add_unsaved(k, &notice);
		add_settings_fault(k, &notice);
		add_hidden_store(k, &notice);
		note_start(k, context.len);
	} else if (kind == EVENT_PROMPT) {
		repeat_start(k, &context);
		recall(k, &context);
	} else if (kind == EVENT_STOP) {
		ask_for_drafts(k, &text);
	} else if (kind == EVENT_READ) {
		note_read(k);
	} else if (hook_recalls(k->settings, "action")) {
		if (kind == EVENT_ACTION)
			recall_for_action(k, &context);
		else if (kind == EVENT_SUBAGENT)
			recall_for_subagent(k, &context);
	}
	if (!text.len)
		event_answer(&text, &k->event, &context, &notice);
	send_answer(k, &text);
	buf_release(&context);
	buf_release(&notice);
	buf_release(&text);
}

/* Let the process end with the wait, unless it is the one hook that may
 * continue to make the cache and the index for the next one. If no hook could
 * continue, neither would ever be complete. */
static void limit_work(struct work *k)
{
	const enum event_kind kind = k->event.kind;

	k->works_on = (kind == EVENT_START ||
		       (kind == EVENT_PROMPT &&
			hook_recalls(k->settings, "prompt"))) &&
		      claim_background();
	if (k->works_on || kind == EVENT_READ)
		deadline_stay(WORK_ON_SECONDS);
	else if (kind != EVENT_ACTION)
		deadline_bind(k->deadline);
}

/* Make the indexes that the first prompt and the first action will need, if
 * this hook may continue. */
static void prepare_recall(struct work *k)
{
	if (!k->works_on)
		return;
	if (hook_recalls(k->settings, "action"))
		action_recall_prepare(&k->report);
	if (!hook_recalls(k->settings, "prompt"))
		return;
	for (enum scope at = SCOPE_PROJECT; at <= SCOPE_GLOBAL; at++) {
		struct index ix = {0};
		struct store s;
		struct err e;

		if (store_open(&s, at, &k->report, &e) < 0)
			continue;
		if (index_open(&ix, &s, 0, &e) == 0)
			index_close(&ix);
		store_close(&s);
	}
}

/* Set a fallback answer for a prompt: a notice that the memories come later.
 * The person gets it only if no hook was late before. */
static void set_late_hint(const struct work *k)
{
	struct buf context = {0}, notice = {0}, text = {0};

	if (delivery_is_late(NULL))
		return;
	buf_adds(&notice, "co: the memories could not be searched in time; "
			  "this continues in the background, and later "
			  "prompts get them");
	event_answer(&text, &k->event, &context, &notice);
	deadline_leave(k->deadline, text.p, text.len);
	buf_release(&notice);
	buf_release(&text);
}

/* Read into INPUT what standard input has so far. Return true if it is the
 * event of an action. There are many of these, and most get nothing, so the
 * caller does not start a process to check whether the user's directories
 * respond. */
static bool is_quick(struct buf *input)
{
	struct pollfd ready = {STDIN_FILENO, POLLIN, 0};
	ssize_t n;

	if (poll(&ready, 1, 0) <= 0)
		return false;
	buf_grow(input, PEEKED);
	n = io_read(STDIN_FILENO, input->p, PEEKED);
	if (n > 0)
		buf_cut(input, (size_t)n);
	return event_may_be_action(buf_str(input), input->len);
}

/* Read the rest of the event into INPUT, and parse it. Return 0 or -1. */
static int read_event(struct work *k, struct buf *input, struct err *e)
{
	struct buf rest = {0};
	int r = file_read_fd(STDIN_FILENO, "-", EVENT_MAX, &rest, e);

	if (!r) {
		buf_add(input, buf_str(&rest), rest.len);
		r = event_parse(&k->event, k->hook->agent, input->p, input->len,
				&k->arena, e);
	}
	buf_release(&rest);
	return r;
}

void hook_work(void *ctx, struct deadline *w)
{
	struct work k = {.hook = ctx, .deadline = w};
	struct buf input = {0};
	struct err e;
	bool there, collects;

	k.report = (struct report){complain, &k};
	there = is_quick(&input);
	if (there)
		deadline_allow(w, HOME_MS);
	else
		there = home_responds();
	if (there) {
		load_settings(&k);
		deadline_allow(
			w, (int)settings_int(k.settings, "hook.timeout_ms"));
	}
	if (read_event(&k, &input, &e) < 0) {
		complain(&k, &e);
		return;
	}
	collects = is_end(&k.event);
	if (!there) {
		deadline_allow(w, LOST_MS);
		leave_home(&k);
		load_settings(&k);
	}
	if (!collects)
		limit_work(&k);
	if (k.event.kind == EVENT_START)
		set_late_answer(&k);
	else if (k.works_on)
		set_late_hint(&k);
	event_enter(&k.event);
	answer(&k);
	if (collects)
		collect(&k);
	if (k.event.kind == EVENT_END)
		harvest_session(&k);
	if (k.event.kind == EVENT_START) {
		collect_kept(&k);
		prepare_recall(&k);
	}
	if (k.event.kind == EVENT_START || collects)
		finish_pending(&k);
	buf_release(&input);
	free(k.lost);
	arena_release(&k.arena);
}
