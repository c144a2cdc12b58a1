/* amp.c: the record is one object, written anew with each change, without what
 * was taken back. Releases since early 2026 keep threads on a server only.
 */
#include "reader/reader.h"

static int give_message(struct reading *rd, const struct value *v)
{
	const struct value *role = value_get(v, "role");
	const struct value *content = value_get(v, "content");
	const struct value *source = value_get(v, "source");

	if (value_is(role, TURN_ASSISTANT))
		return reading_give_parts(
			rd, content, "tool_use",
			value_get(value_get(v, "usage"), "timestamp"));
	/* The program corrects the model in the user's name. */
	if (!value_is(role, TURN_USER) ||
	    value_is(value_get(source, "type"), "course-correction"))
		return 0;
	return reading_give_value(rd, TURN_USER, content, "text",
				  value_get(value_get(v, "meta"), "sentAt"));
}

static int read_amp(struct reading *rd)
{
	struct value v;
	const struct value *messages, *one;
	int r = reading_parse_all(rd, &v);

	if (r < 0)
		return -1;
	messages = value_get(&v, "messages");
	if (!messages || messages->kind != VALUE_LIST)
		return err_set(rd->e, ERR_DATA, "'%s' has no messages",
			       rd->path);
	for (size_t i = 0; !r && (one = value_item(messages, i)); i++)
		r = give_message(rd, one);
	return r;
}

static enum reader_match match_amp(const struct value *v)
{
	return value_get(v, "created") && value_get(v, "messages") ? READER_SURE
								   : READER_NO;
}

const struct reader reader_amp = {"amp", .resume = "amp threads continue ",
				  .match = match_amp, .read = read_amp};
