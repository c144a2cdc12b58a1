/* continue.c: records of Continue's cn and its editor extensions: one object, written
 * anew with each turn, without times. Context added to a user's words is next to the
 * message, and is ignored.
 */
#include "reader/reader.h"

static int give_tools(struct reading *rd, const struct value *calls)
{
	const struct value *one;
	int r = 0;

	for (size_t i = 0; !r && (one = value_item(calls, i)); i++) {
		const struct value *called = value_get(one, "function");

		r = reading_give_tool(rd, value_get(called, "name"),
				      value_get(called, "arguments"), NULL);
	}
	return r;
}

static int give_message(struct reading *rd, const struct value *message)
{
	const struct value *role = value_get(message, "role");
	const char *who = value_is(role, TURN_USER)	   ? TURN_USER
			  : value_is(role, TURN_ASSISTANT) ? TURN_ASSISTANT
							   : NULL;
	int r;

	if (!who)
		return 0;
	r = reading_give_value(rd, who, value_get(message, "content"), "text",
			       NULL);
	return r ? r : give_tools(rd, value_get(message, "toolCalls"));
}

static int read_continue(struct reading *rd)
{
	const struct value *history, *one;
	struct value v;
	int r = reading_parse_all(rd, &v);

	if (r < 0)
		return -1;
	history = value_get(&v, "history");
	for (size_t i = 0; !r && (one = value_item(history, i)); i++)
		r = give_message(rd, value_get(one, "message"));
	return r;
}

static enum reader_match match_continue(const struct value *v)
{
	return value_get(v, "history") && value_get(v, "workspaceDirectory")
		       ? READER_SURE
		       : READER_NO;
}

const struct reader reader_continue = {
	"continue", .resume = "cn --fork ", .match = match_continue,
	.read = read_continue, .recorded = "fetch_url_content|search_web"};
