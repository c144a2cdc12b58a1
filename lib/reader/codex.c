/* codex.c: a record has each message twice, as an event and as an item for the
 * model. If there are events of the user, messages are read from events, else
 * from items. Calls of tools are always items. An event counts the turns that
 * were taken back. The state of a place is whether events are read.
 */
#include "reader/reader.h"

#include "base/ascii.h"
#include "format/json-read.h"

#define ROLLED_BACK "\"thread_rolled_back\""

static bool is_event(const char *p, size_t len)
{
	return reading_holds(p, len, "\"event_msg\"") &&
	       (reading_holds(p, len, "\"UserMessage\"") ||
		reading_holds(p, len, "\"user_message\""));
}

static bool is_item(const char *p, size_t len)
{
	return reading_holds(p, len, "\"input_text\"") &&
	       reading_holds(p, len, "\"role\":\"user\"") &&
	       !reading_holds(p, len, "<environment_context>") &&
	       !reading_holds(p, len, "<user_instructions>") &&
	       !reading_holds(p, len, "# AGENTS.md");
}

static bool has_rollback(const char *p, size_t len)
{
	return reading_holds(p, len, ROLLED_BACK);
}

static size_t count_rolled_back(const char *p, size_t len)
{
	static const char word[] = "\"num_turns\":";
	const char *at = has_rollback(p, len)
				 ? memmem(p, len, word, strlen(word))
				 : NULL;
	size_t n = 0;

	if (!at)
		return 0;
	for (at += strlen(word); at < p + len && *at == ' '; at++)
		;
	for (; at < p + len && ascii_is_digit(*at) && n < 1000000; at++)
		n = n * 10 + (size_t)(*at - '0');
	return n;
}

static bool events_matter(const char *p, size_t len)
{
	return reading_holds(p, len, "\"event_msg\"") ||
	       reading_holds(p, len, "_call\"");
}

static bool events_or_errors_matter(const char *p, size_t len)
{
	return events_matter(p, len) || reading_holds(p, len, "_call_output\"");
}

static bool items_matter(const char *p, size_t len)
{
	return reading_holds(p, len, "\"response_item\"");
}

/* Return true if the answer P of a tool says that its command failed. It is
 * plain text or JSON. */
static bool says_failure(const char *p, size_t len)
{
	static const char *const words[] = {
		"\"exit_code\":", "Exit code: ", "Process exited with code "};

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		const size_t n = strlen(words[i]);
		const char *at = memmem(p, len, words[i], n);

		if (!at)
			continue;
		for (at += n; at < p + len && *at == ' '; at++)
			;
		return at < p + len && *at != '0';
	}
	return false;
}

/* Give the answer OUTPUT of a tool if it is an error. */
static int give_output(struct reading *rd, const struct value *output,
		       const struct value *time)
{
	const struct value *text;
	struct value v;

	if (!output || output->kind != VALUE_STR ||
	    !says_failure(output->u.s.p, output->u.s.len))
		return 0;
	if (*output->u.s.p == '{' &&
	    json_parse(output->u.s.p, output->u.s.len, &rd->line, &v, NULL) ==
		    0 &&
	    (text = value_get(&v, "output")))
		output = text;
	return reading_give_error(rd, output, time);
}

static int give_call(struct reading *rd, const struct value *payload,
		     const struct value *time)
{
	const struct value *type = value_get(payload, "type");

	if (rd->errors &&
	    value_is_word(type, "function_call_output|custom_tool_call_output"))
		return give_output(rd, value_get(payload, "output"), time);
	if (value_is_word(type, "local_shell_call|web_search_call"))
		return reading_give_tool(rd, type, value_get(payload, "action"),
					 time);
	if (value_is(type, "function_call"))
		return reading_give_tool(rd, value_get(payload, "name"),
					 value_get(payload, "arguments"), time);
	if (value_is(type, "custom_tool_call"))
		return reading_give_tool(rd, value_get(payload, "name"), NULL,
					 time);
	return 0;
}

static int give_event(struct reading *rd, const struct value *v)
{
	const struct value *payload = value_get(v, "payload");
	const struct value *kind = value_get(payload, "type");
	const struct value *item = value_get(payload, "item");
	const struct value *type = value_get(item, "type");
	const struct value *words = value_get(payload, "message");
	const struct value *time = value_get(v, "timestamp");

	if (value_is(value_get(v, "type"), "response_item"))
		return give_call(rd, payload, time);
	if (!value_is(value_get(v, "type"), "event_msg"))
		return 0;
	if (value_is(kind, "user_message"))
		return reading_give_value(rd, TURN_USER, words, NULL, time);
	if (value_is(kind, "agent_message"))
		return reading_give_value(rd, TURN_ASSISTANT, words, NULL,
					  time);
	if (!value_is(kind, "item_completed"))
		return 0;
	words = value_get(item, "content");
	if (value_is(type, "UserMessage"))
		return reading_give_value(rd, TURN_USER, words, NULL, time);
	if (value_is(type, "AgentMessage"))
		return reading_give_value(rd, TURN_ASSISTANT, words, NULL,
					  time);
	return 0;
}

static int give_item(struct reading *rd, const struct value *v)
{
	const struct value *payload = value_get(v, "payload");
	const struct value *role = value_get(payload, "role");
	const struct value *words = value_get(payload, "content");
	const struct value *time = value_get(v, "timestamp");

	if (!value_is(value_get(v, "type"), "response_item"))
		return 0;
	if (!value_is(value_get(payload, "type"), "message"))
		return give_call(rd, payload, time);
	if (value_is(role, TURN_USER))
		return reading_give_value(rd, TURN_USER, words, "input_text",
					  time);
	if (value_is(role, TURN_ASSISTANT))
		return reading_give_value(rd, TURN_ASSISTANT, words,
					  "output_text", time);
	return 0;
}

#define EVENTS "events"

/* Return true if the new lines, with EVENTS of the user or not and with
 * ROLLBACK, change what was read before the place. */
static bool changes_earlier(const struct reading *rd, bool events,
			    bool rollback)
{
	return rd->place && rd->place->offset &&
	       (rollback || (events && !*rd->place->state));
}

static int read_codex(struct reading *rd)
{
	struct branch back = {0};
	struct reading_lines how = {items_matter, give_item, &back};
	int events = reading_find_line(rd, is_event);
	int r = events < 0 ? -1 : reading_find_line(rd, has_rollback);

	if (r < 0)
		return -1;
	rd->changed = changes_earlier(rd, events, r);
	if (rd->changed)
		return 0;
	if (rd->place && rd->place->offset)
		events = *rd->place->state != '\0';
	if (events) {
		if (rd->place)
			memcpy(rd->place->state, EVENTS, sizeof(EVENTS));
		how.matters =
			rd->errors ? events_or_errors_matter : events_matter;
		how.take = give_event;
	}
	if (r > 0)
		r = branch_find_counted(&back, rd->fd, rd->path,
					count_rolled_back,
					events ? is_event : is_item, rd->e);
	if (!r)
		r = reading_each_line(rd, &how);
	branch_release(&back);
	return r;
}

static enum reader_match match_codex(const struct value *v)
{
	return value_get(v, "payload") && value_get(v, "type") ? READER_SURE
							       : READER_NO;
}

const struct reader reader_codex = {"codex",
				    .resume = "codex resume ",
				    .match = match_codex,
				    .read = read_codex,
				    .outside = "mcp__.*",
				    .recorded = "web_search_call",
				    .continues = true};
