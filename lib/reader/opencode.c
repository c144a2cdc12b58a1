/* opencode.c: a SQLite database with a row for each message and each part; or
 * one object, as `opencode export` prints it.
 */
#include "reader/reader.h"

/* The fields of a message. */
struct message {
	const char *role; /* NULL: neither the user's nor the model's */
	struct value time;
};

static void read_message(struct message *m, const struct value *data)
{
	const struct value *role = value_get(data, "role");
	const struct value *time = value_get(data, "time");
	const struct value *made = value_get(time, "created");

	*m = (struct message){0};
	if (value_is(role, TURN_USER))
		m->role = TURN_USER;
	else if (value_is(role, TURN_ASSISTANT) &&
		 !reading_is_true(data, "summary"))
		m->role = TURN_ASSISTANT;
	if (made && made->kind == VALUE_INT)
		m->time = *made;
}

/* Remove the quotes that `opencode run` puts around a prompt of several words,
 * and the backslashes before quotes in it. */
static struct value unquote(const struct value *text, struct arena *a)
{
	const char *p = text->u.s.p;
	const size_t len = text->u.s.len;
	struct value v = *text;
	size_t n = 0;
	char *out;

	if (len < 2 || p[0] != '"' || p[len - 1] != '"')
		return v;
	out = arena_alloc(a, len);
	for (size_t i = 1; i < len - 1; i++) {
		if (p[i] == '"')
			return v;
		i += p[i] == '\\' && p[i + 1] == '"' && i + 2 < len;
		out[n++] = p[i];
	}
	out[n] = '\0';
	v.u.s.p = out;
	v.u.s.len = n;
	return v;
}

/* Give the call V of a tool, and its error. */
static int give_tool(struct reading *rd, const struct message *m,
		     const struct value *v)
{
	const struct value *state = value_get(v, "state");
	const struct value *status =
		value_get(value_get(state, "metadata"), "exit");
	int r = reading_give_tool(rd, value_get(v, "tool"),
				  value_get(state, "input"), &m->time);

	if (r || !rd->errors)
		return r;
	if (value_is(value_get(state, "status"), "error"))
		return reading_give_error(rd, value_get(state, "error"),
					  &m->time);
	return status && status->kind == VALUE_INT && status->u.i
		       ? reading_give_error(rd, value_get(state, "output"),
					    &m->time)
		       : 0;
}

/* Give the part V of M. Parts that the program added are ignored. */
static int give_part(struct reading *rd, const struct message *m,
		     const struct value *v)
{
	const struct value *type = value_get(v, "type"), *text;
	struct value said;

	if (!m->role)
		return 0;
	if (value_is(type, "tool") && !strcmp(m->role, TURN_ASSISTANT))
		return give_tool(rd, m, v);
	if (!value_is(type, "text") || reading_is_true(v, "synthetic") ||
	    reading_is_true(v, "ignored"))
		return 0;
	text = value_get(v, "text");
	if (text && text->kind == VALUE_STR && !strcmp(m->role, TURN_USER)) {
		said = unquote(text, &rd->line);
		text = &said;
	}
	return reading_give_value(rd, m->role, text, NULL, &m->time);
}

/* Give the turns of the current row of MESSAGES. */
static int give_row(struct reading *rd, struct rows *messages)
{
	struct rows *parts = rd->own;
	const char *id = database_text(messages, 0, NULL);
	struct message m;
	struct value v;
	int r = 0, taken = 0;

	if (!id || !database_parse(messages, rd, 1, READING_LINE_MAX, &v))
		return 0;
	read_message(&m, &v);
	database_start(parts, id);
	while (!taken && (r = database_next(parts, rd->e)) > 0) {
		if (database_parse(parts, rd, 0, READING_LINE_MAX, &v))
			taken = give_part(rd, &m, &v);
	}
	return taken ? taken : r;
}

/* The session's row has the message from which on all was taken back. */
static const char messages_sql[] =
	"SELECT m.id, m.data FROM session s LEFT JOIN message m "
	"ON s.id = m.session_id WHERE s.id = ?1 AND "
	"(json_valid(s.revert) IS NOT 1 OR "
	"json_extract(s.revert, '$.messageID') IS NULL OR "
	"m.id IS NULL OR m.id < json_extract(s.revert, '$.messageID')) "
	"ORDER BY m.time_created, m.id";
static const char parts_sql[] =
	"SELECT data FROM part WHERE message_id = ?1 ORDER BY id";

static int read_session(struct reading *rd, struct database *db)
{
	struct rows *parts;
	int r = database_ask(db, parts_sql, &parts, rd->e);

	rd->own = parts;
	if (!r)
		r = database_each_row(rd, db, messages_sql, give_row);
	database_end(parts);
	return r;
}

/* Return true if the message INFO was taken back. */
static bool is_taken_back(const struct value *all, const struct value *info)
{
	const char *from = value_text(
		value_get(value_get(all, "info"), "revert"), "messageID");
	const char *id = value_text(info, "id");

	return from && id && strcmp(id, from) >= 0;
}

static int read_object(struct reading *rd)
{
	const struct value *messages, *one, *part;
	struct value v;
	int r = reading_parse_all(rd, &v);

	if (r < 0)
		return -1;
	messages = value_get(&v, "messages");
	if (!messages || messages->kind != VALUE_LIST)
		return err_set(rd->e, ERR_DATA, "'%s' has no messages",
			       rd->path);
	for (size_t i = 0; !r && (one = value_item(messages, i)); i++) {
		const struct value *info = value_get(one, "info");
		const struct value *parts = value_get(one, "parts");
		struct message m;

		read_message(&m, info);
		if (is_taken_back(&v, info))
			continue;
		for (size_t k = 0; !r && (part = value_item(parts, k)); k++)
			r = give_part(rd, &m, part);
	}
	return r;
}

static const char sessions[] =
	"SELECT s.id, s.directory, s.time_created, s.time_updated, "
	"(SELECT coalesce(sum(length(CAST(p.data AS BLOB))), 0) "
	"FROM part p WHERE p.session_id = s.id) FROM session s "
	"WHERE s.parent_id IS NULL";

static enum reader_match match_object(const struct value *v)
{
	return value_get(v, "info") && value_get(v, "messages") ? READER_SURE
								: READER_NO;
}

const struct reader reader_opencode = {
	"opencode",
	.resume = "opencode --session ",
	.match = match_object,
	.outside = "webfetch|websearch|codesearch|mcp__.*",
	.read = read_object,
	.read_session = read_session,
	.sessions = sessions,
	.probe = "SELECT data FROM part"};
