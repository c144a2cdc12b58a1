/* delivery.c: contexts are read from the ledger of shown.h. Notices are lines
 * of JSON with `at`, the time, and `late` or `told`.
 *
 * Known limit: if the hook and the server of the first session of all check at the same
 * time, both give the context.
 */
#include "agent/delivery.h"

#include "shown/reads.h"
#include "shown/shown.h"
#include "format/json-read.h"
#include "format/json-write.h"

static const struct log_file notices = {.name = "notices.jsonl",
					.max = LOG_MAX};

/* Append a notice with KEY: TEXT, or true if TEXT is NULL. */
static void add_notice(const char *key, const char *text)
{
	struct buf line = {0};
	char now[INSTANT_TEXT];

	json_write_open(&line, NULL, '{');
	json_write_text(&line, "at", instant_format(instant_now(), now));
	if (text)
		json_write_text(&line, key, text);
	else
		json_write_bool(&line, key, true);
	json_write_close(&line, '}');
	log_add_data(&notices, &line);
	buf_release(&line);
}

void delivery_note_late(void)
{
	add_notice("late", NULL);
}

void delivery_note_told(const char *text)
{
	add_notice("told", text);
}

/* A context that a session got in the working directory. */
struct delivery {
	bool server; /* from the server, else from a hook */
	const char *session;
	bool any, whole; /* it is not empty; nothing was left out */
	int64_t at;	 /* in seconds */
};

/* Set D to the next context that AGENT got in FOLDER. Return false at the
 * end. */
static bool next_delivery(struct shown_list *l, const struct agent *agent,
			  const struct buf *folder, struct delivery *d)
{
	struct instant time;
	struct value v;

	while (shown_list_next(l, "\"folder\"", &v)) {
		const char *event = value_text(&v, "event");
		const char *at = value_text(&v, "at");

		if (!value_is(value_get(&v, "agent"), agent->name) ||
		    !value_is(value_get(&v, "folder"), buf_str(folder)))
			continue;
		instant_parse(at, strlen(at), &time);
		*d = (struct delivery){
			.server = !strcmp(event, SHOWN_SERVER),
			.session = value_text(&v, "session"),
			.any = value_get(&v, "bytes")->u.i,
			.whole = value_is_true(value_get(&v, "whole")),
			.at = time.sec,
		};
		return true;
	}
	return false;
}

bool delivery_by_hook(const struct agent *agent, const char *session)
{
	const int64_t now = instant_now().sec;
	struct buf folder = {0};
	bool was = false, here = false;
	int64_t started = 0, hooked = -1; /* times of the last ones for other
					   * sessions */
	struct shown_list ledger;
	struct delivery d;

	shown_add_folder(&folder);
	shown_list_open(&ledger, NULL);
	while (next_delivery(&ledger, agent, &folder, &d)) {
		if (d.server) {
			started = d.at;
		} else if (session ? !strcmp(d.session, session)
				   : now - d.at <= DELIVERY_SECONDS &&
					     d.at <= now) {
			here = true;
			was = was || d.any;
		} else {
			hooked = d.at;
		}
	}
	shown_list_close(&ledger);
	buf_release(&folder);
	return here ? was : hooked >= 0 && hooked >= started - DELIVERY_SECONDS;
}

bool delivery_by_server(const struct agent *agent, const char *session)
{
	struct buf folder = {0};
	bool was = false;
	struct shown_list ledger;
	struct delivery d;

	shown_add_folder(&folder);
	shown_list_open(&ledger, NULL);
	while (next_delivery(&ledger, agent, &folder, &d)) {
		if (d.server && !strcmp(d.session, session))
			was = d.whole && d.any;
	}
	shown_list_close(&ledger);
	buf_release(&folder);
	return was && *session;
}

/* Set V, in A, to the next notice of TEXT from *AT on. Return false at the
 * end. */
static bool next_notice(const struct buf *text, size_t *at, struct arena *a,
			struct value *v)
{
	const char *line;
	size_t len;

	while (buf_next_line(text, at, &line, &len)) {
		arena_reset(a);
		if (json_parse(line, len, a, v, NULL) == 0)
			return true;
	}
	return false;
}

bool delivery_is_late(char when[INSTANT_TEXT])
{
	struct buf text = {0};
	struct arena a = {0};
	bool found = false;
	struct value v;
	size_t from = 0;

	log_read(&notices, &text, NULL);
	while (!(found && !when) && next_notice(&text, &from, &a, &v)) {
		const char *at = value_text(&v, "at");

		if (!value_is_true(value_get(&v, "late")) || !at ||
		    strlen(at) >= INSTANT_TEXT)
			continue;
		found = true;
		if (when)
			snprintf(when, INSTANT_TEXT, "%s", at);
	}
	buf_release(&text);
	arena_release(&a);
	return found;
}

bool delivery_was_told(const char *text)
{
	struct buf notes = {0};
	struct arena a = {0};
	bool told = false;
	struct value v;
	size_t at = 0;

	log_read(&notices, &notes, NULL);
	while (!told && next_notice(&notes, &at, &a, &v))
		told = value_is(value_get(&v, "told"), text);
	buf_release(&notes);
	arena_release(&a);
	return told;
}

void delivery_note_read(const char *from)
{
	const struct agent *agent;

	for (size_t i = 0; (agent = agent_at(i)); i++) {
		const char *session = agent->session_variable
					      ? getenv(agent->session_variable)
					      : NULL;

		if (session)
			reads_note(agent->name, session, from);
	}
}
