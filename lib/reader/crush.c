/* crush.c: each project has a database with a row for each message, whose parts
 * are a list. Times are in seconds, though their columns are described as ms.
 */
#include "reader/reader.h"

#define MS(column) \
	column " * CASE WHEN " column " < 100000000000 THEN 1000 ELSE 1 END"

static int give_row(struct reading *rd, struct rows *row)
{
	const char *role = database_text(row, 0, NULL);
	const struct value time = value_int(database_number(row, 2));
	const bool person = role && !strcmp(role, TURN_USER);
	const struct value *part;
	struct value parts;
	int r = 0;

	if (!person && (!role || strcmp(role, TURN_ASSISTANT) != 0))
		return 0;
	if (!database_parse(row, rd, 1, READING_LINE_MAX, &parts))
		return 0;
	if (parts.kind != VALUE_LIST) {
		rd->skipped++;
		return 0;
	}
	for (size_t i = 0; !r && (part = value_item(&parts, i)); i++) {
		const struct value *type = value_get(part, "type");
		const struct value *data = value_get(part, "data");

		if (value_is(type, "text"))
			r = reading_give_value(
				rd, role, value_get(data, "text"), NULL, &time);
		else if (value_is(type, "tool_call") && !person)
			r = reading_give_tool(rd, value_get(data, "name"),
					      value_get(data, "input"), &time);
	}
	return r;
}

static int read_session(struct reading *rd, struct database *db)
{
	return database_each_row(
		rd, db,
		"SELECT m.role, m.parts, " MS(
			"m.created_at") " FROM sessions s "
					"LEFT JOIN messages m ON m.session_id "
					"= s.id "
					"AND m.is_summary_message = 0 WHERE "
					"s.id = ?1 "
					"ORDER BY m.created_at, m.rowid",
		give_row);
}

/* The directory of a session is not known: the database is in the project. */
static const char sessions[] = "SELECT s.id, NULL, " MS("s.created_at") ", " MS(
	"s.updated_at") ", "
			"(SELECT "
			"coalesce(sum(length(CAST(m.parts AS "
			"BLOB))), 0) "
			"FROM messages m WHERE m.session_id = "
			"s.id) FROM sessions s "
			"WHERE s.parent_session_id IS NULL";

const struct reader reader_crush = {
	"crush", .read_session = read_session, .sessions = sessions,
	.probe = "SELECT parts, is_summary_message FROM messages"};
