/* opencode.c: a SQLite database with a row for each message and each part; or
 * one object, as `opencode export` prints it. The database belongs to another
 * program, which may be writing it. So it is opened read-only, and without a
 * lock if no write is under way, so that no file is created next to it.
 */
#include "transcript/opencode.h"

#include "base/mem.h"
#include "format/json-read.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUSY_MS 2000

/* The fields of a message. */
struct message {
	const char *role; /* NULL: neither the user's nor the model's */
	struct value time;
};

static int set_sql_error(struct reading *rd, sqlite3 *db, int rc)
{
	if (rc == SQLITE_NOMEM)
		mem_none();
	return err_set(rd->e,
		       (rc & 0xff) == SQLITE_BUSY	? ERR_BUSY
		       : (rc & 0xff) == SQLITE_CANTOPEN ? ERR_SYSTEM
							: ERR_DATA,
		       "'%s': %s", rd->path,
		       db ? sqlite3_errmsg(db) : sqlite3_errstr(rc));
}

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

/* Give the part V of M. Parts that the program added are ignored. */
static int give_part(struct reading *rd, const struct message *m,
		     const struct value *v)
{
	const struct value *type = value_get(v, "type"), *text;
	struct value said;

	if (!m->role)
		return 0;
	if (value_is(type, "tool") && !strcmp(m->role, TURN_ASSISTANT))
		return reading_give_tool(rd, value_get(v, "tool"), &m->time);
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

/* Parse the column COL of Q. If it is no JSON, count it and return false. */
static bool parse_column(struct reading *rd, sqlite3_stmt *q, int col,
			 struct value *v)
{
	const char *p = (const char *)sqlite3_column_text(q, col);
	const int len = sqlite3_column_bytes(q, col);
	struct err why;

	if (p && len > 0 && (size_t)len <= READING_LINE_MAX &&
	    !reading_parse(rd, p, (size_t)len, v, &why))
		return true;
	rd->skipped++;
	return false;
}

/* Give the turns of the current row of MESSAGES. PARTS selects its parts. */
static int give_row(struct reading *rd, sqlite3 *db, sqlite3_stmt *messages,
		    sqlite3_stmt *parts)
{
	const char *id = (const char *)sqlite3_column_text(messages, 0);
	struct message m;
	struct value v;
	int rc, r = 0;

	if (!id || !parse_column(rd, messages, 1, &v))
		return 0;
	read_message(&m, &v);
	sqlite3_bind_text(parts, 1, id, -1, SQLITE_TRANSIENT);
	while (!r && (rc = sqlite3_step(parts)) == SQLITE_ROW) {
		if (parse_column(rd, parts, 0, &v))
			r = give_part(rd, &m, &v);
	}
	if (!r && rc != SQLITE_DONE)
		r = set_sql_error(rd, db, rc);
	sqlite3_reset(parts);
	return r;
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

static int read_session(struct reading *rd, sqlite3 *db)
{
	sqlite3_stmt *messages = NULL, *parts = NULL;
	size_t found = 0;
	int rc = sqlite3_prepare_v2(db, messages_sql, -1, &messages, NULL);
	int r = 0;

	if (rc == SQLITE_OK)
		rc = sqlite3_prepare_v2(db, parts_sql, -1, &parts, NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_bind_text(messages, 1, rd->session, -1,
				       SQLITE_STATIC);
	while (rc == SQLITE_OK && !r &&
	       (rc = sqlite3_step(messages)) == SQLITE_ROW) {
		found++;
		r = give_row(rd, db, messages, parts);
		rc = SQLITE_OK;
	}
	if (!r && rc != SQLITE_OK && rc != SQLITE_DONE)
		r = set_sql_error(rd, db, rc);
	else if (!r && !found)
		r = err_set(rd->e, ERR_NO, "'%s' has no session '%s'", rd->path,
			    rd->session);
	sqlite3_finalize(messages);
	sqlite3_finalize(parts);
	return r;
}

/* Append P, escaped for a URI. */
static void add_escaped(struct buf *out, const char *p)
{
	for (; *p; p++) {
		if (strchr("%?#", *p))
			buf_addf(out, "%%%02X", (unsigned)*p);
		else
			buf_addc(out, *p);
	}
}

/* Return true if the latest writes are in the log next to the database. */
static bool has_log(const char *path)
{
	struct buf log = {0};
	struct stat st;
	bool has;

	buf_addf(&log, "%s-wal", path);
	has = stat(log.p, &st) == 0 && st.st_size > 0;
	buf_release(&log);
	return has;
}

static int open_database(const char *path, sqlite3 **db)
{
	struct buf address = {0};
	int rc;

	buf_adds(&address, "file:");
	if (*path != '/')
		buf_adds(&address, "./");
	add_escaped(&address, path);
	buf_adds(&address, has_log(path) ? "?mode=ro" : "?immutable=1");
	rc = sqlite3_open_v2(address.p, db,
			     SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
	buf_release(&address);
	if (rc == SQLITE_OK) {
		sqlite3_busy_timeout(*db, BUSY_MS);
		sqlite3_db_config(*db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
		sqlite3_db_config(*db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	}
	return rc;
}

static int read_database(struct reading *rd)
{
	sqlite3 *db = NULL;
	int rc, r;

	if (!rd->session)
		return err_set(rd->e, ERR_USAGE,
			       "'%s' holds many sessions: name one, as "
			       "'%s#SESSION'; co-transcript-list names them",
			       rd->path, rd->path);
	rc = open_database(rd->path, &db);
	r = rc == SQLITE_OK ? read_session(rd, db) : set_sql_error(rd, db, rc);
	sqlite3_close(db);
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
	const struct value *messages;
	struct value v;
	int r = reading_parse_all(rd, &v);

	if (r < 0)
		return -1;
	messages = value_get(&v, "messages");
	if (!messages || messages->kind != VALUE_LIST)
		return err_set(rd->e, ERR_DATA, "'%s' holds no messages",
			       rd->path);
	for (size_t i = 0; i < messages->u.list.n && !r; i++) {
		const struct value *one = &messages->u.list.items[i];
		const struct value *info = value_get(one, "info");
		const struct value *parts = value_get(one, "parts");
		struct message m;

		read_message(&m, info);
		if (!parts || parts->kind != VALUE_LIST ||
		    is_taken_back(&v, info))
			continue;
		for (size_t k = 0; k < parts->u.list.n && !r; k++)
			r = give_part(rd, &m, &parts->u.list.items[k]);
	}
	return r;
}

bool opencode_is_database(int fd)
{
	char start[sizeof(OPENCODE_MAGIC) - 1];

	return pread(fd, start, sizeof(start), 0) == (ssize_t)sizeof(start) &&
	       !memcmp(start, OPENCODE_MAGIC, sizeof(start));
}

int opencode_read(struct reading *rd)
{
	return opencode_is_database(rd->fd) ? read_database(rd)
					    : read_object(rd);
}

int opencode_each(const char *path, opencode_fn *fn, void *ctx, struct err *e)
{
	struct reading rd = {.path = path, .e = e};
	sqlite3_stmt *q = NULL;
	sqlite3 *db = NULL;
	int rc = open_database(path, &db), r = 0;

	if (rc == SQLITE_OK)
		rc = sqlite3_prepare_v2(
			db,
			"SELECT s.id, s.directory, s.time_created, "
			"s.time_updated, (SELECT coalesce(sum(length("
			"CAST(p.data AS BLOB))), 0) FROM part p "
			"WHERE p.session_id = s.id) FROM session s "
			"WHERE s.parent_id IS NULL",
			-1, &q, NULL);
	while (rc == SQLITE_OK && !r && (rc = sqlite3_step(q)) == SQLITE_ROW) {
		const struct opencode_session s = {
			(const char *)sqlite3_column_text(q, 0),
			(const char *)sqlite3_column_text(q, 1),
			sqlite3_column_int64(q, 2), sqlite3_column_int64(q, 3),
			(uint64_t)sqlite3_column_int64(q, 4)};

		if (s.id && s.directory)
			r = fn(ctx, &s);
		rc = SQLITE_OK;
	}
	if (!r && rc != SQLITE_OK && rc != SQLITE_DONE)
		r = set_sql_error(&rd, db, rc);
	sqlite3_finalize(q);
	sqlite3_close(db);
	return r;
}
