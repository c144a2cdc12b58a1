/* goose.c: a database with a row for each message, whose content is a list. A
 * message that the window does not show is the program's, such as the summary of
 * a compacted session. What was taken back is deleted.
 */
#include "reader/reader.h"

#define SECONDS_MAX INT64_C(100000000000) /* a larger time is in ms */

/* Give the calls and texts of the model's message CONTENT, in their order. */
static int give_reply(struct reading *rd, const struct value *content,
		      const struct value *time)
{
	int r = 0;

	for (size_t i = 0; i < content->u.list.n && !r; i++) {
		struct value *part = &content->u.list.items[i];
		const struct value one = {.kind = VALUE_LIST,
					  .u.list = {part, 1}};
		const struct value *call =
			value_get(value_get(part, "toolCall"), "value");

		if (value_is_word(value_get(part, "type"),
				  "toolRequest|frontendToolRequest"))
			r = reading_give_tool(rd, value_get(call, "name"),
					      value_get(call, "arguments"),
					      time);
		else
			r = reading_give_value(rd, TURN_ASSISTANT, &one, "text",
					       time);
	}
	return r;
}

static int give_row(struct reading *rd, struct rows *row)
{
	const char *role = database_text(row, 0, NULL);
	int64_t made = database_number(row, 2);
	const struct value time =
		value_int(made < SECONDS_MAX ? made * 1000 : made);
	struct value content, data;
	const struct value *shown;

	if (!role)
		return 0;
	if (database_text(row, 3, NULL) &&
	    database_parse(row, rd, 3, READING_LINE_MAX, &data)) {
		shown = value_get(&data, "userVisible");
		if (shown && !value_is_true(shown))
			return 0;
	}
	if (!database_parse(row, rd, 1, READING_LINE_MAX, &content))
		return 0;
	if (content.kind != VALUE_LIST) {
		rd->skipped++;
		return 0;
	}
	if (!strcmp(role, TURN_USER))
		return reading_give_value(rd, TURN_USER, &content, "text",
					  &time);
	return strcmp(role, TURN_ASSISTANT) ? 0
					    : give_reply(rd, &content, &time);
}

static int read_session(struct reading *rd, struct database *db)
{
	return database_each_row(
		rd, db,
		"SELECT m.role, m.content_json, m.created_timestamp, "
		"m.metadata_json FROM sessions s LEFT JOIN messages m "
		"ON m.session_id = s.id WHERE s.id = ?1 ORDER BY m.id",
		give_row);
}

static const char sessions[] =
	"SELECT s.id, s.working_dir, "
	"strftime('%s', s.created_at) * 1000, "
	"strftime('%s', s.updated_at) * 1000, "
	"(SELECT coalesce(sum(length(CAST(m.content_json AS BLOB))), "
	"0) FROM messages m WHERE m.session_id = s.id) FROM sessions s "
	"WHERE s.session_type NOT IN ('sub_agent', 'hidden')";

const struct reader reader_goose = {
	"goose", .resume = "goose session --resume --session-id ",
	.read_session = read_session, .sessions = sessions,
	.probe = "SELECT content_json FROM messages"};
