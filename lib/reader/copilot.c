/* copilot.c: each line is an event, linked to the one before. A user's words
 * occur twice: as said, and as changed by the program.
 */
#include "reader/reader.h"

static bool is_person(const char *p, size_t len)
{
	return reading_holds(p, len, "\"user.message\"");
}

static bool may_hold_turn(const char *p, size_t len)
{
	return is_person(p, len) ||
	       reading_holds(p, len, "\"assistant.message\"");
}

/* Like may_hold_turn(), and errors of tools. */
static bool may_hold_error(const char *p, size_t len)
{
	return may_hold_turn(p, len) ||
	       (reading_holds(p, len, "\"tool.execution_complete\"") &&
		reading_holds(p, len, "\"success\":false"));
}

/* Give what the failed tool of DATA printed. */
static int give_error(struct reading *rd, const struct value *data,
		      const struct value *time)
{
	const struct value *error = value_get(data, "error");
	const struct value *text = value_get(error, "message");

	if (!text)
		text = error ? error
			     : value_get(value_get(data, "result"), "content");
	return reading_give_error(rd, text, time);
}

static int give_event(struct reading *rd, const struct value *v)
{
	const struct value *type = value_get(v, "type");
	const struct value *data = value_get(v, "data");
	const struct value *words = value_get(data, "content");
	const struct value *time = value_get(v, "timestamp");
	const struct value *above = value_get(data, "parentToolCallId");
	int r;

	/* A message between a tool and a model of its own. */
	if (above && above->kind == VALUE_STR)
		return 0;
	if (value_is(type, "user.message"))
		return reading_give_value(rd, TURN_USER, words, NULL, time);
	if (rd->errors && value_is(type, "tool.execution_complete") &&
	    !reading_is_true(data, "success"))
		return give_error(rd, data, time);
	if (!value_is(type, "assistant.message"))
		return 0;
	r = reading_give_value(rd, TURN_ASSISTANT, words, NULL, time);
	return r ? r
		 : reading_give_tools(rd, value_get(data, "toolRequests"),
				      "name", "arguments", time);
}

static int read_copilot(struct reading *rd)
{
	static const struct branch_links links = {"id", "parentId", NULL,
						  is_person};

	return reading_each_kept(rd,
				 rd->errors ? may_hold_error : may_hold_turn,
				 give_event, &links);
}

static enum reader_match match_copilot(const struct value *v)
{
	const struct value *type = value_get(v, "type");

	return value_get(v, "data") && type && type->kind == VALUE_STR &&
			       strchr(type->u.s.p, '.')
		       ? READER_SURE
		       : READER_NO;
}

const struct reader reader_copilot = {
	"copilot",
	.resume = "copilot --resume=",
	.match = match_copilot,
	.read = read_copilot,
	.outside = "web_fetch|web_search|WebFetch|WebSearch|mcp__.*",
	.by_directory = true,
	.continues = true};
