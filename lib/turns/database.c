/* database.c: how a database is opened depends on its program.
 *
 * A rollback journal needs only a lock on the database. A write-ahead log needs
 * an index in shared memory, the file "-shm". A program that is running has
 * made it, and we share its index and its locks. If it is missing, no program
 * has the database open. Then the log, if it has anything, is indexed in our
 * own memory, and nothing is locked.
 */
#include "turns/database.h"

#include "sys/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "SQLite format 3" /* and a NUL */
#define HEADER 20		/* bytes that are looked at */
#define READ_VERSION 19		/* offset of a byte: 2 for a write-ahead log */
#define BUSY_MS 2000

/* No query needs more instructions. A hostile one would never end. */
#define PROGRESS_STEPS 1000000
#define PROGRESS_MAX 2000

struct database {
	sqlite3 *sql;
	char *path;
	int steps; /* of the current query */
};

struct rows {
	struct database *db;
	sqlite3_stmt *stmt;
};

static enum err_code code_of(int rc)
{
	switch (rc & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
	case SQLITE_READONLY: /* a journal must be rolled back first */
		return ERR_BUSY;
	case SQLITE_CANTOPEN:
	case SQLITE_INTERRUPT:
	case SQLITE_IOERR:
	case SQLITE_PERM:
		return ERR_SYSTEM;
	default:
		return ERR_DATA;
	}
}

static int set_sql_error(const struct database *db, int rc, struct err *e)
{
	if (rc == SQLITE_NOMEM)
		mem_none();
	return err_set(e, code_of(rc), "'%s': %s%s", db->path,
		       rc == SQLITE_ERROR ? "unknown version: " : "",
		       db->sql ? sqlite3_errmsg(db->sql) : sqlite3_errstr(rc));
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

/* The files of a write-ahead log next to a database. */
struct neighbours {
	off_t log, shm; /* size, or -1 if there is none */
};

/* Set *SIZE to the size of the file PATH with SUFFIX, or to -1 if there is none. Fail
 * if it is not a regular file: SQLite would wait for a FIFO. */
static int size_beside(const char *path, const char *suffix, off_t *size,
		       struct err *e)
{
	struct buf name = {0};
	struct stat st = {.st_mode = S_IFREG};
	int r = 0;

	buf_addf(&name, "%s%s", path, suffix);
	*size = lstat(name.p, &st) == 0 ? st.st_size : -1;
	if (!S_ISREG(st.st_mode))
		r = err_set(e, ERR_DATA,
			    "refusing '%s': it is not a regular file", name.p);
	buf_release(&name);
	return r;
}

static int find_neighbours(const char *path, struct neighbours *n,
			   struct err *e)
{
	off_t journal;

	return size_beside(path, "-wal", &n->log, e) < 0 ||
			       size_beside(path, "-shm", &n->shm, e) < 0 ||
			       size_beside(path, "-journal", &journal, e) < 0
		       ? -1
		       : 0;
}

/* The options of the address of a database. */
#define LOCKED "?mode=ro&readonly_shm=1"
#define UNUSED "?immutable=1"
#define LOG_ONLY "?mode=ro&vfs=unix-none"

static const char *choose_options(const struct neighbours *n,
				  const char *header)
{
	if (header[READ_VERSION] != 2)
		return LOCKED;
	if (n->log >= 0 && n->shm >= 0)
		return LOCKED;
	return n->log > 0 ? LOG_ONLY : UNUSED;
}

bool database_is(int fd)
{
	char start[sizeof(MAGIC)];

	return pread(fd, start, sizeof(start), 0) == (ssize_t)sizeof(start) &&
	       !memcmp(start, MAGIC, sizeof(start));
}

/* Read the start of the regular file at PATH into HEADER, which is zeroed. */
static int read_header(const char *path, char *header, struct err *e)
{
	const int fd =
		file_open(AT_FDCWD, path,
			  O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
	struct stat st;
	int r = 0;

	if (fd < 0 && errno == ELOOP)
		return err_set(e, ERR_DATA, "refusing '%s': it is a link",
			       path);
	if (fd < 0)
		return err_sys(e, "cannot open '%s'", path);
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		r = err_set(e, ERR_DATA,
			    "refusing '%s': it is not a regular file", path);
	else if (pread(fd, header, HEADER, 0) < 0)
		r = err_sys(e, "cannot read '%s'", path);
	close(fd);
	return r;
}

/* Allow only to read tables. FROM is the view that a query reads, or NULL. */
static int authorize(void *ctx, int action, const char *what,
		     const char *detail, const char *name, const char *from)
{
	(void)ctx;
	(void)what;
	(void)detail;
	(void)name;
	return !from && (action == SQLITE_SELECT || action == SQLITE_READ ||
			 action == SQLITE_FUNCTION)
		       ? SQLITE_OK
		       : SQLITE_DENY;
}

static int count_steps(void *ctx)
{
	struct database *db = ctx;

	return ++db->steps > PROGRESS_MAX;
}

static int open_address(struct database *db, const char *options)
{
	struct buf address = {0};
	int rc;

	buf_adds(&address, "file:");
	if (*db->path != '/')
		buf_adds(&address, "./");
	add_escaped(&address, db->path);
	buf_adds(&address, options);
	rc = sqlite3_open_v2(address.p, &db->sql,
			     SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
	buf_release(&address);
	return rc;
}

static void close_database(struct database *db)
{
	if (!db)
		return;
	sqlite3_close(db->sql);
	free(db->path);
	free(db);
}

static int open_database(struct database **out, const char *path, struct err *e)
{
	char header[HEADER] = {0};
	struct neighbours files;
	const char *options;
	struct database *db;
	int rc;

	*out = NULL;
	if (read_header(path, header, e) < 0 ||
	    find_neighbours(path, &files, e) < 0)
		return -1;
	options = choose_options(&files, header);
	db = mem_alloc(sizeof(*db));
	*db = (struct database){.path = mem_strdup(path)};
	rc = open_address(db, options);
	if (rc == SQLITE_OK && !strcmp(options, LOG_ONLY))
		rc = sqlite3_exec(db->sql, "PRAGMA locking_mode = EXCLUSIVE",
				  NULL, NULL, NULL);
	if (rc != SQLITE_OK) {
		set_sql_error(db, rc, e);
		close_database(db);
		return -1;
	}
	sqlite3_busy_timeout(db->sql, BUSY_MS);
	sqlite3_db_config(db->sql, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db->sql, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db->sql, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	sqlite3_limit(db->sql, SQLITE_LIMIT_LENGTH, DATABASE_ROW_MAX);
	sqlite3_progress_handler(db->sql, PROGRESS_STEPS, count_steps, db);
	sqlite3_set_authorizer(db->sql, authorize, NULL);
	*out = db;
	return 0;
}

int database_ask(struct database *db, const char *sql, struct rows **rows,
		 struct err *e)
{
	sqlite3_stmt *stmt;
	const int rc = sqlite3_prepare_v2(db->sql, sql, -1, &stmt, NULL);

	*rows = NULL;
	if (rc != SQLITE_OK)
		return set_sql_error(db, rc, e);
	*rows = mem_alloc(sizeof(**rows));
	**rows = (struct rows){db, stmt};
	return 0;
}

void database_start(struct rows *r, const char *arg)
{
	sqlite3_reset(r->stmt);
	sqlite3_bind_text(r->stmt, 1, arg, -1, SQLITE_STATIC);
}

int database_next(struct rows *r, struct err *e)
{
	int rc;

	r->db->steps = 0;
	rc = sqlite3_step(r->stmt);
	if (rc == SQLITE_ROW)
		return 1;
	if (rc == SQLITE_DONE)
		return 0;
	return set_sql_error(r->db, rc, e);
}

const char *database_text(struct rows *r, int col, size_t *len)
{
	const char *p = (const char *)sqlite3_column_text(r->stmt, col);

	if (len)
		*len = p ? (size_t)sqlite3_column_bytes(r->stmt, col) : 0;
	return p;
}

int64_t database_number(struct rows *r, int col)
{
	return sqlite3_column_int64(r->stmt, col);
}

bool database_parse(struct rows *r, struct reading *rd, int col, size_t max,
		    struct value *v)
{
	size_t len;
	const char *p = database_text(r, col, &len);
	struct err why;

	if (p && len && len <= max && !reading_parse(rd, p, len, v, &why))
		return true;
	rd->skipped++;
	return false;
}

void database_end(struct rows *r)
{
	if (!r)
		return;
	sqlite3_finalize(r->stmt);
	free(r);
}

int database_read(struct reading *rd,
		  int (*read)(struct reading *rd, struct database *db))
{
	struct database *db;
	int r;

	if (!rd->session)
		return err_set(rd->e, ERR_USAGE,
			       "'%s' has many sessions: name one, as "
			       "'%s#SESSION'; co-transcript-list names them",
			       rd->path, rd->path);
	r = open_database(&db, rd->path, rd->e);
	if (!r)
		r = read(rd, db);
	close_database(db);
	return r;
}

bool database_answers(const char *path, const char *sql)
{
	struct database *db;
	struct rows *rows = NULL;
	struct err why;
	const bool answers = open_database(&db, path, &why) == 0 &&
			     database_ask(db, sql, &rows, &why) == 0;

	database_end(rows);
	close_database(db);
	return answers;
}

int database_each_row(struct reading *rd, struct database *db, const char *sql,
		      int (*fn)(struct reading *rd, struct rows *row))
{
	struct rows *rows;
	size_t n = 0;
	int r = database_ask(db, sql, &rows, rd->e), taken = 0;

	if (r < 0)
		return -1;
	database_start(rows, rd->session);
	while (!taken && (r = database_next(rows, rd->e)) > 0) {
		n++;
		taken = fn(rd, rows);
	}
	if (!r && !n)
		r = err_set(rd->e, ERR_NO, "'%s' has no session '%s'", rd->path,
			    rd->session);
	database_end(rows);
	return taken ? taken : r;
}

int database_each_session(const char *path, const char *sql,
			  stored_session_fn *fn, void *ctx, struct err *e)
{
	struct database *db;
	struct rows *rows = NULL;
	int r = open_database(&db, path, e), taken = 0;

	if (!r)
		r = database_ask(db, sql, &rows, e);
	while (!r && !taken && (r = database_next(rows, e)) > 0) {
		const struct stored_session s = {
			database_text(rows, 0, NULL),
			database_text(rows, 1, NULL), database_number(rows, 2),
			database_number(rows, 3),
			(uint64_t)database_number(rows, 4)};

		if (s.id)
			taken = fn(ctx, &s);
		r = 0;
	}
	database_end(rows);
	close_database(db);
	return taken ? taken : r;
}
