/* kiro.c: a line for each message. Releases before 2 have a database with one
 * object for each session, whose history has pairs of a message and a reply.
 *
 * Kiro does not document the lines. They are known from programs that read them,
 * up to release 2.14. The object is that of Amazon Q's command, whose source is
 * public.
 */
#include "reader/reader.h"

#define VERSION "v1"

static bool may_hold_turn(const char *p, size_t len)
{
	return reading_holds(p, len, "\"Prompt\"") ||
	       reading_holds(p, len, "\"AssistantMessage\"") ||
	       !reading_holds(p, len, "\"" VERSION "\"");
}

/* Set OUT to V, a time in seconds, in ms. */
static const struct value *to_ms(const struct value *v, struct value *out)
{
	if (!v || (v->kind != VALUE_INT && v->kind != VALUE_FLOAT))
		return NULL;
	if (v->kind == VALUE_FLOAT && !(v->u.f >= 0 && v->u.f < 1e12))
		return NULL;
	if (v->kind == VALUE_INT && (v->u.i < 0 || v->u.i > 1000000000000))
		return NULL;
	*out = value_int(1000 *
			 (v->kind == VALUE_INT ? v->u.i : (int64_t)v->u.f));
	return out;
}

static int give_line(struct reading *rd, const struct value *v)
{
	const struct value *version = value_get(v, "version");
	const struct value *kind = value_get(v, "kind");
	const struct value *data = value_get(v, "data");
	const struct value *content = value_get(data, "content");
	const char *role = value_is(kind, "Prompt")		? TURN_USER
			   : value_is(kind, "AssistantMessage") ? TURN_ASSISTANT
								: NULL;
	const struct value *part;
	struct value ms;
	const struct value *time =
		to_ms(value_get(value_get(data, "meta"), "timestamp"), &ms);
	int r = 0;

	if (version && !value_is(version, VERSION))
		return err_set(rd->e, ERR_DATA, "'%s': unknown version: %s",
			       rd->path,
			       version->kind == VALUE_STR ? version->u.s.p
							  : "a number");
	for (size_t i = 0; role && !r && (part = value_item(content, i)); i++) {
		const struct value *form = value_get(part, "kind");

		if (value_is(form, "text"))
			r = reading_give_value(
				rd, role, value_get(part, "data"), NULL, time);
		else if (value_is(form, "toolUse"))
			r = reading_give_tool(
				rd, value_get(value_get(part, "data"), "name"),
				value_get(value_get(part, "data"), "input"),
				time);
	}
	return r;
}

/* Give the message and the reply of ENTRY. */
static int give_pair(struct reading *rd, const struct value *entry)
{
	const struct value *user = value_get(entry, "user");
	const struct value *content = value_get(user, "content");
	const struct value *assistant = value_get(entry, "assistant");
	const struct value *said = value_get(content, "Prompt");
	const struct value *reply = value_get(assistant, "Response");
	int r;

	if (!said)
		said = value_get(content, "CancelledToolUses");
	if (!reply)
		reply = value_get(assistant, "ToolUse");
	r = reading_give_value(rd, TURN_USER, value_get(said, "prompt"), NULL,
			       value_get(user, "timestamp"));
	if (!r)
		r = reading_give_value(rd, TURN_ASSISTANT,
				       value_get(reply, "content"), NULL, NULL);
	return r ? r
		 : reading_give_tools(rd, value_get(reply, "tool_uses"), "name",
				      "args", NULL);
}

static int give_row(struct reading *rd, struct rows *row)
{
	struct value v;
	const struct value *history, *pair;
	int r = 0;

	if (!database_parse(row, rd, 0, DATABASE_ROW_MAX, &v))
		return 0;
	history = value_get(&v, "history");
	if (!history || history->kind != VALUE_LIST)
		return err_set(rd->e, ERR_DATA, "'%s#%s': unknown version",
			       rd->path, rd->session);
	for (size_t i = 0; !r && (pair = value_item(history, i)); i++)
		r = give_pair(rd, pair);
	return r;
}

static int read_session(struct reading *rd, struct database *db)
{
	return database_each_row(rd, db,
				 "SELECT value FROM conversations_v2 "
				 "WHERE conversation_id = ?1",
				 give_row);
}

static int read_kiro(struct reading *rd)
{
	static const struct reading_lines how = {.matters = may_hold_turn,
						 .take = give_line};

	return reading_each_line(rd, &how);
}

static const char sessions[] =
	"SELECT conversation_id, key, created_at, updated_at, "
	"length(CAST(value AS BLOB)) FROM conversations_v2";

static enum reader_match match_kiro(const struct value *v)
{
	return value_get(v, "kind") && value_get(v, "data") ? READER_SURE
							    : READER_NO;
}

const struct reader reader_kiro = {
	"kiro",
	.match = match_kiro,
	.read = read_kiro,
	.read_session = read_session,
	.sessions = sessions,
	.probe = "SELECT value FROM conversations_v2"};
