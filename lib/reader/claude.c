/* claude.c: each line is a part of a message, linked to the one before. Side
 * chains are other conversations. Meta lines, summaries of compacted text and
 * those of a synthetic model are the program's.
 */
#include "reader/reader.h"

#define SYNTHETIC "<synthetic>"

static bool is_person(const char *p, size_t len)
{
	return reading_holds(p, len, "\"type\":\"user\"") &&
	       !reading_holds(p, len, "\"toolUseResult\":") &&
	       !reading_holds(p, len, "\"tool_result\"") &&
	       !reading_holds(p, len, "\"isMeta\":true");
}

static bool may_hold_turn(const char *p, size_t len)
{
	return (reading_holds(p, len, "\"user\"") ||
		reading_holds(p, len, "\"assistant\"")) &&
	       !reading_holds(p, len, "\"toolUseResult\":");
}

/* Like may_hold_turn(), and errors of tools. */
static bool may_hold_error(const char *p, size_t len)
{
	return may_hold_turn(p, len) ||
	       reading_holds(p, len, "\"is_error\":true");
}

/* Give the errors among the answers of tools in CONTENT. */
static int give_errors(struct reading *rd, const struct value *content,
		       const struct value *time)
{
	const struct value *part;
	int r = 0;

	for (size_t i = 0; !r && (part = value_item(content, i)); i++) {
		if (value_is(value_get(part, "type"), "tool_result") &&
		    reading_is_true(part, "is_error"))
			r = reading_give_error(rd, value_get(part, "content"),
					       time);
	}
	return r;
}

static int give_message(struct reading *rd, const struct value *v)
{
	const struct value *message = value_get(v, "message");
	const struct value *role = value_get(message, "role");
	const struct value *content = value_get(message, "content");
	const struct value *type = value_get(v, "type");
	const struct value *time = value_get(v, "timestamp");
	int r = 0;

	if (reading_is_true(v, "isMeta") || reading_is_true(v, "isSidechain") ||
	    reading_is_true(v, "isCompactSummary") ||
	    reading_is_true(v, "isVisibleInTranscriptOnly"))
		return 0;
	if (rd->errors && value_is(type, TURN_USER))
		r = give_errors(rd, content, time);
	if (r || value_get(v, "toolUseResult"))
		return r;
	if (value_is(type, TURN_USER) && value_is(role, TURN_USER))
		return reading_give_value(rd, TURN_USER, content, "text", time);
	if (value_is(type, TURN_ASSISTANT) && value_is(role, TURN_ASSISTANT) &&
	    !value_is(value_get(message, "model"), SYNTHETIC))
		return reading_give_parts(rd, content, "tool_use", time);
	return 0;
}

static int read_claude(struct reading *rd)
{
	static const struct branch_links links = {
		"uuid", "parentUuid", "logicalParentUuid", is_person};

	return reading_each_kept(rd,
				 rd->errors ? may_hold_error : may_hold_turn,
				 give_message, &links);
}

/* Not every line of a session has a message. */
static enum reader_match match_claude(const struct value *v)
{
	if (value_get(value_get(v, "message"), "content"))
		return READER_LIKELY;
	return value_get(v, "sessionId") && value_get(v, "type")
		       ? READER_PERHAPS
		       : READER_NO;
}

const struct reader reader_claude = {
	"claude",
	.resume = "claude --resume ",
	.match = match_claude,
	.read = read_claude,
	.outside = "WebFetch|WebSearch|ReadMcpResourceTool|"
		   "ListMcpResourcesTool|mcp__.*",
	.continues = true};
