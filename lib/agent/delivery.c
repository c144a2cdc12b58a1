/* delivery.c: every note has `at`, the time.  One of a delivery has `agent`, `by`
 * (hook or mcp), `session`, `bytes`, `whole` and `folder`; one of memories for a
 * prompt has `agent`, `session` and `recalled`, their ids; one of a hook that ran
 * out of time has `late`; one of a notice has `told`, its text.
 *
 * Known limits: a hook that is cut off between its note and its answer counts
 * as one that answered; the agent is then told that the context is missing.
 * Hook and server of the very first session, that look at the same time, both
 * bring it.
 */
#include "agent/delivery.h"

#include "base/instant.h"
#include "format/json-read.h"
#include "format/json-write.h"
#include "shown/log.h"
#include "text/sanitize.h"

#include <unistd.h>

static const struct log_file file = {.name = DELIVERY_NOTES, .max = LOG_MAX};

#define HOOK "hook"
#define SERVER "mcp"

void delivery_add_folder(struct buf *out)
{
	char *cwd = getcwd(NULL, 0);

	if (cwd)
		sanitize_terminal(out, cwd, strlen(cwd), false);
	free(cwd);
}

static void begin_note(struct buf *line)
{
	char now[INSTANT_TEXT];

	json_write_open(line, NULL, '{');
	json_write_text(line, "at", instant_format(instant_now(), now));
}

static void end_note(struct buf *line)
{
	json_write_close(line, '}');
	log_add_data(&file, line);
	buf_release(line);
}

void delivery_note(const struct delivery *d)
{
	struct buf line = {0}, folder = {0};

	delivery_add_folder(&folder);
	begin_note(&line);
	json_write_text(&line, "agent", d->agent->name);
	json_write_text(&line, "by", d->server ? SERVER : HOOK);
	json_write_text(&line, "session", d->session ? d->session : "");
	json_write_size(&line, "bytes", d->bytes);
	json_write_bool(&line, "whole", d->whole);
	json_write_text(&line, "folder", buf_str(&folder));
	end_note(&line);
	buf_release(&folder);
}

void delivery_note_recalled(const struct agent *agent, const char *session,
			    const struct strings *ids)
{
	struct buf line = {0};

	begin_note(&line);
	json_write_text(&line, "agent", agent->name);
	json_write_text(&line, "session", session ? session : "");
	json_write_open(&line, "recalled", '[');
	for (size_t i = 0; i < ids->n; i++)
		json_write_text(&line, NULL, ids->items[i]);
	json_write_close(&line, ']');
	end_note(&line);
}

void delivery_note_late(void)
{
	struct buf line = {0};

	begin_note(&line);
	json_write_bool(&line, "late", true);
	end_note(&line);
}

/* The notes, the oldest first. */
struct notes {
	struct buf text;
	size_t at;
	struct arena arena;
};

static void open_notes(struct notes *n)
{
	*n = (struct notes){0};
	log_read(&file, &n->text);
}

/* Read the next whole note into V, which lives until the next call. */
static bool next_note(struct notes *n, struct value *v)
{
	while (n->at < n->text.len) {
		const char *line = n->text.p + n->at;
		const char *end = memchr(line, '\n', n->text.len - n->at);
		const size_t len =
			end ? (size_t)(end - line) : n->text.len - n->at;

		n->at += len + 1;
		arena_reset(&n->arena);
		if (json_parse(line, len, &n->arena, v, NULL) == 0)
			return true;
	}
	return false;
}

static void close_notes(struct notes *n)
{
	buf_release(&n->text);
	arena_release(&n->arena);
}

/* Read into D and AT, in seconds, the delivery that V notes.  Return false if V is
 * not a note of AGENT in FOLDER. */
static bool parse_delivery(const struct value *v, const struct agent *agent,
			   const struct buf *folder, struct delivery *d,
			   int64_t *at)
{
	const struct value *bytes = value_get(v, "bytes");
	const char *when = value_text(v, "at");
	struct instant time;

	*d = (struct delivery){
		.agent = agent,
		.server = value_is(value_get(v, "by"), SERVER),
		.session = value_text(v, "session"),
		.whole = value_is_true(value_get(v, "whole")),
	};
	if (!value_is(value_get(v, "agent"), agent->name) ||
	    !value_is(value_get(v, "folder"), buf_str(folder)) || !bytes ||
	    bytes->kind != VALUE_INT || bytes->u.i < 0 || !d->session ||
	    !when || !instant_parse(when, strlen(when), &time))
		return false;
	d->bytes = (size_t)bytes->u.i;
	*at = time.sec;
	return true;
}

/* Read the next delivery of AGENT in FOLDER into D and AT: false at the end. */
static bool next_delivery(struct notes *n, const struct agent *agent,
			  const struct buf *folder, struct delivery *d,
			  int64_t *at)
{
	struct value v;

	while (next_note(n, &v)) {
		if (parse_delivery(&v, agent, folder, d, at))
			return true;
	}
	return false;
}

bool delivery_by_hook(const struct agent *agent, const char *session)
{
	const int64_t now = instant_now().sec;
	struct buf folder = {0};
	bool was = false, here = false;
	int64_t started = 0, hooked = -1; /* the last ones of before */
	struct notes notes;
	struct delivery d;
	int64_t at;

	delivery_add_folder(&folder);
	open_notes(&notes);
	while (next_delivery(&notes, agent, &folder, &d, &at)) {
		if (d.server) {
			started = at;
		} else if (session ? !strcmp(d.session, session)
				   : now - at <= DELIVERY_SECONDS &&
					     at <= now) {
			here = true;
			was = was || d.bytes;
		} else {
			hooked = at;
		}
	}
	close_notes(&notes);
	buf_release(&folder);
	return here ? was : hooked >= 0 && hooked >= started - DELIVERY_SECONDS;
}

bool delivery_by_server(const struct agent *agent, const char *session)
{
	struct buf folder = {0};
	bool was = false;
	struct notes notes;
	struct delivery d;
	int64_t at;

	delivery_add_folder(&folder);
	open_notes(&notes);
	while (next_delivery(&notes, agent, &folder, &d, &at)) {
		if (d.server && !strcmp(d.session, session))
			was = d.whole && d.bytes;
	}
	close_notes(&notes);
	buf_release(&folder);
	return was && *session;
}

/* Return true if FOLDER is TOP or lies below it. */
static bool is_below(const char *folder, const char *top)
{
	const size_t len = strlen(top);

	return !strncmp(folder, top, len) &&
	       (!folder[len] || folder[len] == '/' || !strcmp(top, "/"));
}

/* Add to LIST the strings of V that it lacks, copied to A. */
static void add_new(struct strings *list, const struct value *v,
		    struct arena *a)
{
	for (size_t i = 0; i < v->u.list.n; i++) {
		const struct value *id = &v->u.list.items[i];
		size_t k = 0;

		if (id->kind != VALUE_STR)
			continue;
		while (k < list->n && !value_is(id, list->items[k]))
			k++;
		if (k == list->n)
			strings_add(list, arena_strdup(a, id->u.s.p));
	}
}

/* Begin LAST with the delivery D, noted in V. A second note of the same session, such
 * as one after a compaction, keeps its start and its memories. */
static void begin_last(struct delivery_last *last, const struct delivery *d,
		       int64_t at, bool again)
{
	if (!again) {
		last->memories.n = 0;
		last->at = (struct instant){.sec = at};
		last->bytes = 0;
	}
	if (d->bytes) {
		last->server = d->server;
		last->bytes = d->bytes;
	}
}

bool delivery_find_last(struct delivery_last *last, const struct agent *agent,
			const char *top, struct arena *a)
{
	struct buf folder = {0}, session = {0};
	struct notes notes;
	struct delivery d;
	struct value v;
	bool found = false;
	int64_t at;

	*last = (struct delivery_last){0};
	open_notes(&notes);
	while (next_note(&notes, &v)) {
		const struct value *ids = value_get(&v, "recalled");
		const char *name = value_text(&v, "folder");

		if (ids && ids->kind == VALUE_LIST && found &&
		    value_is(value_get(&v, "agent"), agent->name) &&
		    value_is(value_get(&v, "session"), buf_str(&session)))
			add_new(&last->memories, ids, a);
		buf_cut(&folder, 0);
		buf_adds(&folder, name ? name : "");
		if (!name || !is_below(name, top) ||
		    !parse_delivery(&v, agent, &folder, &d, &at))
			continue;
		begin_last(last, &d, at,
			   found && *d.session &&
				   !strcmp(d.session, buf_str(&session)));
		buf_cut(&session, 0);
		buf_adds(&session, d.session);
		found = true;
	}
	close_notes(&notes);
	buf_release(&folder);
	buf_release(&session);
	return found;
}

bool delivery_is_late(char when[INSTANT_TEXT])
{
	struct notes notes;
	bool found = false;
	struct value v;

	open_notes(&notes);
	while (!(found && !when) && next_note(&notes, &v)) {
		const char *at = value_text(&v, "at");

		if (!value_is_true(value_get(&v, "late")) || !at ||
		    strlen(at) >= INSTANT_TEXT)
			continue;
		found = true;
		if (when)
			snprintf(when, INSTANT_TEXT, "%s", at);
	}
	close_notes(&notes);
	return found;
}

void delivery_note_told(const char *text)
{
	struct buf line = {0};

	begin_note(&line);
	json_write_text(&line, "told", text);
	end_note(&line);
}

bool delivery_was_told(const char *text)
{
	struct notes notes;
	bool told = false;
	struct value v;

	open_notes(&notes);
	while (!told && next_note(&notes, &v))
		told = value_is(value_get(&v, "told"), text);
	close_notes(&notes);
	return told;
}
