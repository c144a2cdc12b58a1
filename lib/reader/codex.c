/* codex.c: a record has each message twice, as an event and as an item for the
 * model. If there are events of the user, messages are read from events, else
 * from items. Calls of tools are always items. An event counts the turns that
 * were taken back.
 */
#include "reader/codex.h"

#include "base/ascii.h"

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

static bool items_matter(const char *p, size_t len)
{
	return reading_holds(p, len, "\"response_item\"");
}

static int give_call(struct reading *rd, const struct value *payload,
		     const struct value *time)
{
	const struct value *type = value_get(payload, "type");

	if (value_is_word(type, "local_shell_call|web_search_call"))
		return reading_give_tool(rd, type, time);
	if (value_is_word(type, "function_call|custom_tool_call"))
		return reading_give_tool(rd, value_get(payload, "name"), time);
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

int codex_read(struct reading *rd)
{
	struct branch back = {0};
	struct reading_lines how = {items_matter, give_item, &back};
	const int events = reading_find_line(rd, is_event);
	int r = events < 0 ? -1 : reading_find_line(rd, has_rollback);

	if (events > 0) {
		how.matters = events_matter;
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
