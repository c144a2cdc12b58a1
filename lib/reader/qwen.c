/* qwen.c: lines like Claude Code's, with parts like Gemini's. Lines of the
 * program have another provenance than the user's.
 */
#include "reader/reader.h"

static bool is_person(const char *p, size_t len)
{
	return reading_holds(p, len, "\"type\":\"user\"") &&
	       !reading_holds(p, len, "\"provenance\":\"system\"") &&
	       !reading_holds(p, len, "\"functionResponse\":");
}

static bool may_hold_turn(const char *p, size_t len)
{
	return reading_holds(p, len, "\"user\"") ||
	       reading_holds(p, len, "\"assistant\"");
}

/* Like may_hold_turn(), and errors of tools. */
static bool may_hold_error(const char *p, size_t len)
{
	return may_hold_turn(p, len) ||
	       reading_holds(p, len, "\"tool_result\"");
}

/* Give the tools among PARTS. A tool of an MCP server is called through
 * another. */
static int give_tools(struct reading *rd, const struct value *parts,
		      const struct value *time)
{
	const struct value *part;
	int r = 0;

	for (size_t i = 0; !r && (part = value_item(parts, i)); i++) {
		const struct value *call = value_get(part, "functionCall");
		const struct value *name = value_get(call, "name");
		const struct value *inner =
			value_get(value_get(call, "args"), "name");

		if (value_is(name, "tool_call") && inner &&
		    inner->kind == VALUE_STR)
			name = inner;
		r = reading_give_tool(rd, name, value_get(call, "args"), time);
	}
	return r;
}

/* Give the errors among the answers of tools in PARTS. */
static int give_errors(struct reading *rd, const struct value *parts,
		       const struct value *time)
{
	const struct value *part;
	int r = 0;

	for (size_t i = 0; !r && (part = value_item(parts, i)); i++) {
		part = value_get(value_get(part, "functionResponse"),
				 "response");
		r = reading_give_error(rd, value_get(part, "error"), time);
	}
	return r;
}

static int give_record(struct reading *rd, const struct value *v)
{
	const struct value *type = value_get(v, "type");
	const struct value *parts = value_get(value_get(v, "message"), "parts");
	const struct value *time = value_get(v, "timestamp");
	const struct value *by = value_get(v, "provenance");
	int r;

	if (reading_is_true(v, "isSidechain"))
		return 0;
	if (value_is(type, TURN_USER))
		return by && !value_is(by, "real_user")
			       ? 0
			       : reading_give_value(rd, TURN_USER, parts, NULL,
						    time);
	if (rd->errors && value_is(type, "tool_result"))
		return give_errors(rd, parts, time);
	if (!value_is(type, TURN_ASSISTANT))
		return 0;
	r = reading_give_value(rd, TURN_ASSISTANT, parts, NULL, time);
	return r ? r : give_tools(rd, parts, time);
}

static int read_qwen(struct reading *rd)
{
	static const struct branch_links links = {"uuid", "parentUuid", NULL,
						  is_person};

	return reading_each_kept(rd,
				 rd->errors ? may_hold_error : may_hold_turn,
				 give_record, &links);
}

static enum reader_match match_qwen(const struct value *v)
{
	return value_get(value_get(v, "message"), "parts") ||
			       value_get(v, "provenance")
		       ? READER_SURE
		       : READER_NO;
}

const struct reader reader_qwen = {"qwen",
				   .resume = "qwen --resume ",
				   .match = match_qwen,
				   .read = read_qwen,
				   .outside = "web_fetch|web_search|mcp__.*",
				   .continues = true};
