/* event.c: the agents use one protocol with two sets of names and two forms of
 * the answer. */
#include "agent/event.h"

#include "format/json-read.h"
#include "format/json-write.h"
#include "reader/reader.h"
#include "transcript/listing.h"

#include <unistd.h>

#define SESSION_MAX 80

/* Return the kind of the event NAME, by the names of all agents: an agent may
 * use those of another. */
static enum event_kind kind_of(const char *name)
{
	const struct agent *agent;

	for (size_t i = 0; (agent = agent_at(i)); i++) {
		for (int k = 0; k < HOOK_EVENTS; k++) {
			if (agent->events[k] && !strcmp(agent->events[k], name))
				return (enum event_kind)(EVENT_START + k);
		}
	}
	return EVENT_OTHER;
}

/* Correct the kind of EV if its event is reported after a tool has run: the
 * tool decides what the event means. */
static void set_kind_by_tool(struct event *ev)
{
	const struct agent *agent = ev->agent;
	const char *action = agent->events[HOOK_ACTION],
		   *read = agent->events[HOOK_READ];

	if (!read || strcmp(read, ev->name) != 0)
		return;
	if (ev->tool &&
	    reader_outside_matches(reader_outside_tools(agent->name), ev->tool))
		ev->kind = EVENT_READ;
	else
		ev->kind = action && !strcmp(action, read) ? EVENT_ACTION
							   : EVENT_OTHER;
}

/* Return the string KEY of MAP, borrowed, or NULL if it is missing, empty or
 * has a NUL. */
static const char *text_of(const struct value *map, const char *key)
{
	const struct value *v = value_get(map, key);

	if (!v || v->kind != VALUE_STR || !v->u.s.len ||
	    strlen(v->u.s.p) != v->u.s.len)
		return NULL;
	return v->u.s.p;
}

/* Return the id at KEY, borrowed, or "" if it is not a valid one. It is written
 * to logs and memories, so its characters are limited. */
static const char *id_of(const struct value *v, const char *key)
{
	const char *id = text_of(v, key);
	size_t n = id ? strspn(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "abcdefghijklmnopqrstuvwxyz0123456789._-")
		      : 0;

	return n && !id[n] && n <= SESSION_MAX ? id : "";
}

/* Return the path of the record of EV's session for an agent that names none,
 * in A, or NULL. */
static const char *record_of(const struct event *ev, struct arena *a)
{
	enum transcript_format format;

	return transcript_format_find(ev->agent->name, &format)
		       ? listing_record(format, ev->session, a)
		       : NULL;
}

int event_parse(struct event *ev, const struct agent *agent, char *p,
		size_t len, struct arena *a, struct err *e)
{
	struct value *v = arena_alloc(a, sizeof(*v));
	struct err why;

	json_mend(p, len);
	if (json_parse(p, len, a, v, &why) < 0)
		return err_set(e, ERR_DATA, "the event is not JSON: %s",
			       why.text);
	*ev = (struct event){
		.agent = agent,
		.name = text_of(v, "hook_event_name"),
		.session = id_of(v, "session_id"),
		.time = text_of(v, "timestamp"),
		.cwd = text_of(v, "cwd"),
		.transcript = text_of(v, "transcript_path"),
		.prompt = text_of(v, "prompt"),
		.source = text_of(v, "source"),
		.again = value_is_true(value_get(v, "stop_hook_active")),
		.subagent = id_of(v, "agent_id"),
		.tool = text_of(v, "tool_name"),
		.input = value_get(v, "tool_input"),
	};
	if (!*ev->subagent)
		ev->subagent = NULL;
	if (!ev->name)
		return err_set(e, ERR_DATA, "the event has no name");
	ev->kind = kind_of(ev->name);
	set_kind_by_tool(ev);
	if (!ev->transcript && *ev->session && ev->kind != EVENT_ACTION)
		ev->transcript = record_of(ev, a);
	return 0;
}

bool event_may_be_action(const char *p, size_t len)
{
	const struct agent *agent;

	for (size_t i = 0; len && (agent = agent_at(i)); i++) {
		const char *name = agent->events[HOOK_ACTION];

		if (name && memmem(p, len, name, strlen(name)))
			return true;
	}
	return false;
}

static bool enter_folder(const char *folder)
{
	return folder && *folder == '/' && chdir(folder) == 0;
}

void event_enter(const struct event *ev)
{
	const struct agent *agent;

	if (enter_folder(ev->cwd))
		return;
	for (size_t i = 0; (agent = agent_at(i)); i++) {
		if (agent->project_variable &&
		    enter_folder(getenv(agent->project_variable)))
			return;
	}
}

void event_answer(struct buf *out, const struct event *ev,
		  const struct buf *context, const struct buf *notice)
{
	json_write_open(out, NULL, '{');
	if (context->len && ev->agent->flat_answer) {
		json_write_bytes(out, "additionalContext", context->p,
				 context->len);
	} else if (context->len) {
		json_write_open(out, "hookSpecificOutput", '{');
		json_write_text(out, "hookEventName", ev->name);
		json_write_bytes(out, "additionalContext", context->p,
				 context->len);
		json_write_close(out, '}');
	}
	if (notice->len)
		json_write_bytes(out, "systemMessage", notice->p, notice->len);
	json_write_end(out);
}

void event_continue(struct buf *out, const struct buf *reason)
{
	json_write_open(out, NULL, '{');
	json_write_text(out, "decision", "block");
	json_write_bytes(out, "reason", reason->p, reason->len);
	json_write_end(out);
}
