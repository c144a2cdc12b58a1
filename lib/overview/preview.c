/* preview.c: what a hook would give an agent, and why. */
#include "overview/why.h"

#include "action/action-recall.h"
#include "agent/hook.h"
#include "format/json-read.h"
#include "format/json-write.h"

/* What the ledger would get of the text. */
struct noted {
	struct shown_items items;
	struct shown_words words;
	struct buf file, action_words;
};

static int find_for_prompt(struct buf *text, const char *prompt,
			   const struct settings *s, struct noted *noted,
			   const struct report *r, struct err *e)
{
	struct shown_ids shown = {0}; /* no session: none was given before */
	const struct inject_ask ask = {
		.session = {.agent = "", .session = ""},
		.shown = &shown,
		.prompt = prompt,
		.everywhere =
			!strcmp(settings_str(s, "mcp.all_projects"), "on"),
		.max = (size_t)settings_int(s, "recall.max_results"),
		.most = hook_looks_most(s),
		.items = &noted->items,
		.words = &noted->words,
		.report = r};
	size_t n;

	return inject_recall(text, &ask, &n, e);
}

/* An action_ask.opens function: there is no time limit. */
static void accept_wait(void *ctx, bool makes)
{
	(void)ctx;
	(void)makes;
}

/* Append to TEXT the memories for the command or the file of OF, as for a tool of an
 * agent. No event has an empty agent, so nothing counts as given. */
static void find_for_action(struct buf *text, const struct why_preview_ask *of,
			    const struct settings *s, struct noted *noted,
			    const struct report *r)
{
	struct value_pair pairs[] = {
		{value_str(of->file ? "file_path" : "command"),
		 value_str(of->file ? of->file : of->command)},
		{value_str("edits"), {.kind = VALUE_LIST}}};
	const struct value input = {.kind = VALUE_MAP,
				    .u.map = {pairs, of->file ? 2 : 1}};
	struct shown_ids shown = {0};
	const struct action_ask ask = {
		.agent = "",
		.session = "",
		.input = &input,
		.bytes = (size_t)settings_int(s, "hook.action_bytes"),
		.opens = accept_wait,
		.shown = &shown,
		.items = &noted->items,
		.file = &noted->file,
		.words = &noted->action_words,
		.report = r};

	action_recall(text, &ask);
	shown_ids_release(&shown);
}

/* Set the event of P, what the ledger would get, in both forms. */
static void add_event(struct why_preview *p, const struct why_preview_ask *ask,
		      const struct noted *noted)
{
	const struct buf *words = &noted->action_words;
	const struct shown shown = {
		.event = ask->prompt ? SHOWN_PROMPT : SHOWN_ACTION,
		.file = noted->file.len ? noted->file.p : ask->file,
		.words = ask->prompt  ? shown_words_of(&noted->words)
			 : words->len ? words->p
				      : NULL,
		.bytes = p->text.len,
		.items = &noted->items};
	struct why_names names = {0};
	const struct why_how how = {.names = &names};
	struct arena a = {0};
	struct value event;

	json_write_open(&p->event, NULL, '{');
	shown_add_event(&p->event, &shown);
	json_write_text(&p->event, "text", buf_str(&p->text));
	json_write_close(&p->event, '}');
	if (!p->text.len) {
		buf_adds(&p->why, "no memory matches well enough for an agent "
				  "to get it");
		if (shown.file && !ask->prompt)
			buf_addf(&p->why, " before editing %s", shown.file);
	} else if (json_parse(p->event.p, p->event.len, &a, &event, NULL) ==
		   0) {
		why_event(&p->why, &event, &how);
	}
	why_names_release(&names);
	arena_release(&a);
}

int why_preview(struct why_preview *p, const struct why_preview_ask *ask,
		const struct report *r, struct err *e)
{
	const char *when = ask->prompt ? "prompt" : "action";
	const char *other = ask->prompt ? "action" : "prompt";
	const struct settings *settings;
	struct noted noted = {0};
	struct arena a = {0};
	int result = 0;

	settings_user(&settings, &a, r, NULL); /* or the defaults */
	if (!hook_recalls(settings, when))
		p->setting = hook_recalls(settings, other) ? "both" : when;
	if (ask->prompt)
		result = find_for_prompt(&p->text, ask->prompt, settings,
					 &noted, r, e);
	else
		find_for_action(&p->text, ask, settings, &noted, r);
	if (result == 0)
		add_event(p, ask, &noted);
	shown_items_release(&noted.items);
	shown_words_release(&noted.words);
	buf_release(&noted.file);
	buf_release(&noted.action_words);
	arena_release(&a);
	return result;
}

void why_preview_release(struct why_preview *p)
{
	buf_release(&p->text);
	buf_release(&p->event);
	buf_release(&p->why);
}
