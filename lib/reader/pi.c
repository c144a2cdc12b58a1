/* pi.c: each line is an entry, linked to the one before. The first line has the
 * version. Commands that the user runs, messages of extensions and summaries are
 * entries or messages of their own kinds.
 */
#include "reader/reader.h"

#define VERSION 3

static bool is_person(const char *p, size_t len)
{
	return reading_holds(p, len, "\"role\":\"user\"");
}

static bool may_hold_turn(const char *p, size_t len)
{
	return reading_holds(p, len, "\"message\"") ||
	       reading_holds(p, len, "\"session\"");
}

static int give_entry(struct reading *rd, const struct value *v)
{
	const struct value *type = value_get(v, "type");
	const struct value *message = value_get(v, "message");
	const struct value *role = value_get(message, "role");
	const struct value *content = value_get(message, "content");
	const struct value *time = value_get(v, "timestamp");

	if (value_is(type, "session"))
		return reading_check_version(rd, value_get(v, "version"),
					     VERSION);
	if (!value_is(type, "message"))
		return 0;
	if (value_is(role, TURN_USER))
		return reading_give_value(rd, TURN_USER, content, "text", time);
	if (value_is(role, TURN_ASSISTANT))
		return reading_give_parts(rd, content, "toolCall", time);
	return 0;
}

static int read_pi(struct reading *rd)
{
	static const struct branch_links links = {"id", "parentId", NULL,
						  is_person};

	return reading_each_kept(rd, may_hold_turn, give_entry, &links);
}

static enum reader_match match_pi(const struct value *v)
{
	const struct value *type = value_get(v, "type");

	return (value_is(type, "session") && value_get(v, "cwd")) ||
			       (value_is(type, "message") &&
				value_get(v, "parentId"))
		       ? READER_SURE
		       : READER_NO;
}

const struct reader reader_pi = {"pi", .match = match_pi, .read = read_pi};
