/* opencode.c: a database of SQLite, with a row a message and a row a part; or an
 * object, as `opencode export` prints one.  It is another program's, which may
 * write it at the same time: it is opened for reading alone, and where nothing
 * is under way, without a lock, so that no file of ours comes to lie beside it.
 */
#include "transcript/opencode.h"

#include "base/mem.h"
#include "format/json-read.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUSY_MS 2000

/* A message, and the text of its parts. */
struct message {
	const char *role; /* NULL: nobody's that counts */
	struct value time;
};

static int fail(struct reading *rd, sqlite3 *db, int rc)
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

static void begin_message(struct message *m, const struct value *data)
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

/* `opencode run` puts a prompt of several words between quotes, and a backslash
 * in front of those that are in it: take them off again. */
static struct value unquoted(const struct value *text, struct arena *a)
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

/* Take the part V of M: what the program added itself is no words. */
static int take_part(struct reading *rd, const struct message *m,
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
		said = unquoted(text, &rd->line);
		text = &said;
	}
	return reading_give_value(rd, m->role, text, NULL, &m->time);
}

/* Parse the column COL of Q; false where it is no JSON, which is counted. */
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

/* Give the turns of the message at hand of MESSAGES; PARTS asks for its parts. */
static int take_row(struct reading *rd, sqlite3 *db, sqlite3_stmt *messages,
		    sqlite3_stmt *parts)
{
	const char *id = (const char *)sqlite3_column_text(messages, 0);
	struct message m;
	struct value v;
	int rc, r = 0;

	if (!id || !parse_column(rd, messages, 1, &v))
		return 0;
	begin_message(&m, &v);
	sqlite3_bind_text(parts, 1, id, -1, SQLITE_TRANSIENT);
	while (!r && (rc = sqlite3_step(parts)) == SQLITE_ROW) {
		if (parse_column(rd, parts, 0, &v))
			r = take_part(rd, &m, &v);
	}
	if (!r && rc != SQLITE_DONE)
		r = fail(rd, db, rc);
	sqlite3_reset(parts);
	return r;
}

/* The message from which on all was taken back stands in the session's row. */
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
		r = take_row(rd, db, messages, parts);
		rc = SQLITE_OK;
	}
	if (!r && rc != SQLITE_OK && rc != SQLITE_DONE)
		r = fail(rd, db, rc);
	else if (!r && !found)
		r = err_set(rd->e, ERR_NO, "'%s' has no session '%s'", rd->path,
			    rd->session);
	sqlite3_finalize(messages);
	sqlite3_finalize(parts);
	return r;
}

/* Append P as a part of an address. */
static void add_escaped(struct buf *out, const char *p)
{
	for (; *p; p++) {
		if (strchr("%?#", *p))
			buf_addf(out, "%%%02X", (unsigned)*p);
		else
			buf_addc(out, *p);
	}
}

/* True if what was written last is in the log beside the database. */
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
	r = rc == SQLITE_OK ? read_session(rd, db) : fail(rd, db, rc);
	sqlite3_close(db);
	return r;
}

/* True if the message INFO comes behind that from which on all was taken back. */
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

		begin_message(&m, info);
		if (!parts || parts->kind != VALUE_LIST ||
		    is_taken_back(&v, info))
			continue;
		for (size_t k = 0; k < parts->u.list.n && !r; k++)
			r = take_part(rd, &m, &parts->u.list.items[k]);
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
		r = fail(&rd, db, rc);
	sqlite3_finalize(q);
	sqlite3_close(db);
	return r;
}
