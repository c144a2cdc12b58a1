/* cursor.c: a table of keys and values. The value "composerData:SESSION" lists
 * the messages in their order, without what was taken back;
 * "bubbleId:SESSION:MESSAGE" is one. Its type is 1 for the user's and 2 for the
 * model's.
 *
 * Cursor does not document the format. It is known from programs that read it,
 * up to release 3.17.
 */
#include "reader/reader.h"

#define VERSION 3 /* of a message */

static int give_bubble(struct reading *rd, const struct value *v)
{
	const struct value *type = value_get(v, "type");
	const struct value *text = value_get(v, "text");
	const struct value *time = value_get(v, "createdAt");
	const struct value *tool = value_get(v, "toolFormerData");
	int r = reading_check_version(rd, value_get(v, "_v"), VERSION);

	if (r < 0)
		return -1;
	if (!type || type->kind != VALUE_INT ||
	    (type->u.i != 1 && type->u.i != 2)) {
		rd->skipped++;
		return 0;
	}
	r = reading_give_value(rd, type->u.i == 1 ? TURN_USER : TURN_ASSISTANT,
			       text, NULL, time);
	return r || type->u.i == 1
		       ? r
		       : reading_give_tool(rd, value_get(tool, "name"),
					   value_get(tool, "params"), time);
}

/* Give the message with ID of RD's session. */
static int give_message(struct reading *rd, struct rows *values, const char *id)
{
	struct buf key = {0};
	struct value v;
	int r;

	buf_addf(&key, "bubbleId:%s:%s", rd->session, id);
	database_start(values, key.p);
	r = database_next(values, rd->e);
	if (r > 0)
		r = database_parse(values, rd, 0, READING_LINE_MAX, &v)
			    ? give_bubble(rd, &v)
			    : 0;
	else if (!r)
		rd->skipped++;
	buf_release(&key);
	return r;
}

/* Put the ids of the messages that the state V lists into LIST, each with a NUL.
 * Return false if it is of an unknown form. */
static bool list_messages(const struct value *v, struct buf *list)
{
	const struct value *heads = value_get(v, "fullConversationHeadersOnly");

	if (!heads || heads->kind != VALUE_LIST)
		return false;
	for (size_t i = 0; i < heads->u.list.n; i++) {
		const char *id =
			value_text(&heads->u.list.items[i], "bubbleId");

		if (!id)
			return false;
		buf_add(list, id, strlen(id) + 1);
	}
	return true;
}

static int give_row(struct reading *rd, struct rows *row)
{
	struct buf list = {0};
	struct value v;
	int r = 0;

	if (!database_parse(row, rd, 0, DATABASE_ROW_MAX, &v))
		return 0;
	if (!list_messages(&v, &list))
		r = err_set(rd->e, ERR_DATA, "'%s#%s': unknown version",
			    rd->path, rd->session);
	for (size_t at = 0; !r && at < list.len; at += strlen(list.p + at) + 1)
		r = give_message(rd, rd->own, list.p + at);
	buf_release(&list);
	return r;
}

static int read_session(struct reading *rd, struct database *db)
{
	struct rows *values;
	int r = database_ask(db,
			     "SELECT value FROM cursorDiskKV WHERE key = ?1",
			     &values, rd->e);

	rd->own = values;
	if (!r)
		r = database_each_row(rd, db,
				      "SELECT value FROM cursorDiskKV "
				      "WHERE key = 'composerData:' || ?1",
				      give_row);
	database_end(values);
	return r;
}

#define HAS_MESSAGES(id)                              \
	"EXISTS (SELECT 1 FROM cursorDiskKV b WHERE " \
	"b.key > 'bubbleId:' || " id " || ':' AND "   \
	"b.key < 'bubbleId:' || " id " || ';')"

/* The size of a session is not known: a database may have gigabytes. In one of a
 * release before 3, neither is its directory. */
static const char sessions[] =
	"SELECT h.composerId, CASE WHEN json_valid(h.value) THEN "
	"json_extract(h.value, '$.workspaceIdentifier.uri.fsPath') "
	"END, "
	"h.createdAt, coalesce(h.lastUpdatedAt, h.createdAt), 0 "
	"FROM composerHeaders h WHERE h.isSubagent IS NOT 1 "
	"AND " HAS_MESSAGES("h.composerId");
static const char old_sessions[] =
	"SELECT substr(s.key, 14), NULL, "
	"json_extract(s.value, '$.createdAt'), "
	"coalesce(json_extract(s.value, '$.lastUpdatedAt'), "
	"json_extract(s.value, '$.createdAt')), 0 "
	"FROM cursorDiskKV s WHERE s.key > 'composerData:' "
	"AND s.key < 'composerData;' AND json_valid(s.value) "
	"AND " HAS_MESSAGES("substr(s.key, 14)");

const struct reader reader_cursor = {"cursor", .read_session = read_session,
				     .sessions = sessions,
				     .old_sessions = old_sessions,
				     .probe = "SELECT value FROM cursorDiskKV"};
