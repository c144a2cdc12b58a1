/* postgres-answer.c: the verbs, and all of those that are one statement. */
#if __has_include(<libpq-fe.h>)
#include "remote/postgres-request.h"

#include "base/instant.h"
#include "format/json-write.h"
#include "postgres-schema.h"
#include "rank/terms.h"
#include "remote/remote-document.h"
#include "sys/sandbox.h"

/* Bytes of memory of all but a push: a server may answer without end. */
#define MEMORY_MAX ((size_t)2 << 30)

struct verb {
	const char *name;
	int (*answer)(struct postgres_request *r, struct buf *last,
		      struct err *e);
	int64_t ms; /* what it usually takes at most */
	/* In place of ANSWER, for a verb that changes one project. */
	int (*change)(struct postgres_request *r, const char *project,
		      struct err *e);
};

/* Write the hash in COLUMN of ROW to HEX; "" if it is none. */
static const char *read_hash(const struct postgres_rows *rows, size_t row,
			     int column, char hex[SHA256_HEX])
{
	struct remote_digest d;
	size_t len;
	const char *p = postgres_bytes(rows, row, column, &len);

	if (len != sizeof(d.bytes))
		return "";
	memcpy(d.bytes, p, len);
	return remote_digest_text(&d, hex);
}

/* Append the members commit, at, digest, documents and basis of ROW. A project that was
 * pushed with other terms has no digest, and so is pushed anew. */
static void write_origin(struct postgres_request *r,
			 const struct postgres_rows *rows, size_t row)
{
	const bool known = postgres_number(rows, row, 6) == TERMS_VERSION;
	struct buf *out = &r->out;
	char hex[SHA256_HEX];

	if (known) {
		json_write_text(out, "commit",
				postgres_bytes(rows, row, 2, NULL));
		json_write_text(out, "at",
				postgres_time(rows, row, 3, &r->arena));
	}
	json_write_text(out, "digest",
			known ? read_hash(rows, row, 4, hex) : "");
	json_write_int(out, "documents",
		       known ? postgres_number(rows, row, 5) : 0);
	json_write_text(out, "basis",
			known ? postgres_bytes(rows, row, 8, NULL) : "");
}

static int describe(struct postgres_request *r, struct buf *last, struct err *e)
{
	const struct value *projects = value_get(&r->v, "projects");
	struct postgres_array names = {0};
	struct postgres_args args = {0};
	struct postgres_rows rows = {0};
	struct buf *out = &r->out;
	int result;

	(void)last;
	if (projects && !value_is_texts(projects))
		return postgres_fail(&r->pg, POSTGRES_INVALID, e,
				     "the projects are no list of names");
	for (size_t i = 0; projects && i < projects->u.list.n; i++)
		postgres_array_add(&names, projects->u.list.items[i].u.s.p,
				   projects->u.list.items[i].u.s.len);
	if (projects)
		postgres_arg_array(&args, &names, POSTGRES_TEXT);
	result = postgres_run(&r->pg,
			      projects ? "SELECT * FROM co_1.origins($1)"
				       : "SELECT * FROM co_1.origins(NULL)",
			      &args, &rows, e);
	if (!result) {
		json_write_open(out, NULL, '{');
		json_write_text(out, "server",
				arena_printf(&r->arena, "PostgreSQL %s",
					     postgres_version(&r->pg)));
		json_write_int(out, "schema", POSTGRES_SCHEMA_VERSION);
		json_write_int(out, "terms_version", TERMS_VERSION);
		json_write_text(out, "role", postgres_role(&r->pg));
		json_write_end(out);
	}
	for (size_t i = 0; i < rows.n && !result; i++) {
		json_write_open(out, NULL, '{');
		json_write_text(out, "project",
				postgres_bytes(&rows, i, 1, NULL));
		write_origin(r, &rows, i);
		json_write_bool(out, "write", postgres_flag(&rows, i, 7));
		json_write_end(out);
	}
	postgres_rows_release(&rows);
	postgres_array_release(&names);
	return result;
}

/* Append a line for each hash of PROJECT. */
static int list_hashes(struct postgres_request *r, const char *project,
		       struct err *e)
{
	struct postgres_args args = {0};
	struct postgres_rows rows = {0};
	char hex[SHA256_HEX];
	int result;

	postgres_arg_text(&args, project);
	result = postgres_run(&r->pg, "SELECT * FROM co_1.hashes($1)", &args,
			      &rows, e);
	for (size_t i = 0; i < rows.n && !result; i++) {
		json_write_open(&r->out, NULL, '{');
		json_write_text(&r->out, "hash", read_hash(&rows, i, 0, hex));
		json_write_end(&r->out);
	}
	postgres_rows_release(&rows);
	return result;
}

static int digest(struct postgres_request *r, struct buf *last, struct err *e)
{
	const bool list = value_is_true(value_get(&r->v, "list"));
	struct postgres_args args = {0};
	struct postgres_rows rows = {0};
	const char *project;
	int result = -1;

	(void)last;
	if (postgres_request_project(r, &r->v, &project, e) < 0)
		return -1;
	postgres_arg_text(&args, project);
	if (list && postgres_run(&r->pg,
				 "BEGIN ISOLATION LEVEL REPEATABLE READ READ"
				 " ONLY",
				 NULL, NULL, e) < 0)
		return -1;
	if (postgres_run(&r->pg, "SELECT * FROM co_1.origins(ARRAY[$1])", &args,
			 &rows, e) == 0) {
		json_write_open(&r->out, NULL, '{');
		if (rows.n) {
			write_origin(r, &rows, 0);
			if (value_is_true(value_get(&r->v, "vectors")))
				json_write_int(
					&r->out, "lacking",
					postgres_vectors_lacking(
						r, postgres_number(&rows, 0, 5),
						postgres_bytes(&rows, 0, 9,
							       NULL),
						postgres_number(&rows, 0, 10)));
		} else {
			json_write_text(&r->out, "digest", "");
			json_write_int(&r->out, "documents", 0);
		}
		json_write_end(&r->out);
		result = 0;
	}
	if (!result && list && rows.n &&
	    postgres_number(&rows, 0, 6) == TERMS_VERSION)
		result = list_hashes(r, project, e);
	if (!result && list)
		result = postgres_commit(&r->pg, e);
	postgres_rows_release(&rows);
	return result;
}

/* Let the role that V names read or write its project, which is made if it is missing. */
static int grant_rights(struct postgres_request *r, const struct value *v,
			struct err *e)
{
	const bool write = value_is_true(value_get(v, "write"));
	const char *role = value_text(v, "role"), *project;
	struct postgres_args args = {0};

	if (postgres_request_project(r, v, &project, e) < 0)
		return -1;
	if (!role || !*role)
		return postgres_fail(&r->pg, POSTGRES_INVALID, e,
				     "a grant names a role");
	postgres_arg_text(&args, role);
	postgres_arg_text(&args, project);
	postgres_arg_text(&args, write ? "true" : "false");
	return postgres_run(
		&r->pg, "SELECT co_1.grant_project($1, $2, $3::text::boolean)",
		&args, NULL, e);
}

/* Return the number in the NAME of a schema of ours; 0: it is none. */
static long version_in(const char *name)
{
	static const char begin[] = "co_";
	const char *digits = name + strlen(begin);

	if (strncmp(name, begin, strlen(begin)) != 0 || strlen(digits) > 8 ||
	    strspn(digits, "0123456789") != strlen(digits))
		return 0;
	return strtol(digits, NULL, 10);
}

/* Set *VERSION to that of the newest schema in the database; 0: there is none. */
static int read_version(struct postgres_request *r, long *version,
			struct err *e)
{
	struct postgres_rows rows = {0};
	int result;

	*version = 0;
	result = postgres_run(&r->pg,
			      "SELECT nspname, pg_catalog.current_setting("
			      "'server_encoding') FROM pg_catalog.pg_namespace",
			      NULL, &rows, e);
	for (size_t i = 0; i < rows.n && !result; i++) {
		const long n = version_in(postgres_bytes(&rows, i, 0, NULL));

		*version = n > *version ? n : *version;
	}
	if (!result && rows.n &&
	    strcmp(postgres_bytes(&rows, 0, 1, NULL), "UTF8") != 0)
		result = postgres_fail(&r->pg, POSTGRES_SCHEMA, e,
				       "the encoding of the database is not "
				       "UTF8");
	postgres_rows_release(&rows);
	return result;
}

/* Set E to that the database has the schema of VERSION, which is not ours. */
static int fail_version(struct postgres_request *r, long version, struct err *e)
{
	if (!version)
		return postgres_fail(&r->pg, POSTGRES_SCHEMA, e,
				     "the database has no schema co_%d: 'co "
				     "remote --init' of an administrator makes "
				     "it",
				     POSTGRES_SCHEMA_VERSION);
	return postgres_fail(&r->pg, POSTGRES_SCHEMA, e,
			     "the database has the schema co_%ld, and this co "
			     "needs co_%d",
			     version, POSTGRES_SCHEMA_VERSION);
}

/* Create the schema. Return 0 as well if another run has done so meanwhile. */
static int create_schema(struct postgres_request *r, struct err *e)
{
	struct err other;
	enum postgres_kind kind;
	long version;

	if (postgres_script(&r->pg, postgres_schema_sql, e) == 0)
		return 0;
	kind = r->pg.kind;
	if (postgres_run(&r->pg, "ROLLBACK", NULL, NULL, &other) == 0 &&
	    read_version(r, &version, &other) == 0 &&
	    version == POSTGRES_SCHEMA_VERSION)
		return 0;
	r->pg.kind = kind;
	return -1;
}

static int init(struct postgres_request *r, struct buf *last, struct err *e)
{
	const struct value *given = value_get(&r->v, "grant");
	long version;

	(void)last;
	if (read_version(r, &version, e) < 0)
		return -1;
	if (version && version != POSTGRES_SCHEMA_VERSION)
		return fail_version(r, version, e);
	if (!version && create_schema(r, e) < 0)
		return -1;
	return given ? grant_rights(r, given, e) : 0;
}

static const struct verb verbs[] = {
	{"describe", describe, REMOTE_COMMAND_MS, NULL},
	{"init", init, REMOTE_COMMAND_MS, NULL},
	{"digest", digest, REMOTE_COMMAND_MS, NULL},
	{"push", NULL, REMOTE_PUSH_MS, postgres_push},
	{"query", postgres_query, REMOTE_COMMAND_MS, NULL},
	{"purge", NULL, REMOTE_PUSH_MS, postgres_push_purge},
	{"vectors", NULL, REMOTE_PUSH_MS, postgres_vectors_make},
};

/* Return the verb of R; NULL: E is set. */
static const struct verb *find_verb(struct postgres_request *r, struct err *e)
{
	const char *name;

	if (postgres_request_read(r, e) < 0)
		return NULL;
	name = value_text(&r->v, "verb");
	for (size_t i = 0; name && i < ARRAY_LEN(verbs); i++) {
		if (!strcmp(verbs[i].name, name))
			return &verbs[i];
	}
	postgres_fail(&r->pg, POSTGRES_INVALID, e, "the verb is unknown");
	return NULL;
}

/* If the failure E is that the schema is missing, say which one there is. The transaction
 * has failed, so this is another connection. Returns -1. */
static int explain(struct postgres_request *r, struct err *e)
{
	const int64_t left = r->pg.until - instant_monotonic_ms();
	struct err other;
	long version;

	if (!r->pg.no_schema)
		return -1;
	postgres_close(&r->pg);
	if (postgres_open(&r->pg, r->url, left, &other) == 0 &&
	    read_version(r, &version, &other) == 0 &&
	    version != POSTGRES_SCHEMA_VERSION)
		return fail_version(r, version, e);
	r->pg.kind = POSTGRES_SCHEMA;
	return -1;
}

static int run_verb(struct postgres_request *r, const struct verb *verb,
		    struct buf *last, struct err *e)
{
	const char *project;
	int result;

	if (verb->answer == init && value_is_true(value_get(&r->v, "print"))) {
		json_write_open(&r->out, NULL, '{');
		json_write_text(&r->out, "sql", postgres_schema_sql);
		json_write_end(&r->out);
		return 0;
	}
	if (verb->ms == REMOTE_COMMAND_MS)
		sandbox_limit(REMOTE_COMMAND_MS / 1000, MEMORY_MAX);
	if (!r->url || !*r->url)
		return postgres_fail(&r->pg, POSTGRES_INVALID, e,
				     "CO_REMOTE_URL is not set");
	if (postgres_open(&r->pg, r->url, r->ms ? r->ms : verb->ms, e) < 0)
		return -1;
	if (!verb->change)
		result = verb->answer(r, last, e);
	else if ((result = postgres_request_project(r, &r->v, &project, e)) ==
		 0)
		result = verb->change(r, project, e);
	return result < 0 ? explain(r, e) : 0;
}

int remote_answer_postgres(int fd, const char *url, const char *argv0,
			   int64_t ms, struct buf *out)
{
	struct postgres_request r = {.url = url,
				     .argv0 = argv0,
				     .ms = ms,
				     .in = {.fd = fd,
					    .path = "standard input",
					    .max = POSTGRES_REQUEST_MAX}};
	struct buf last = {0};
	struct err e = {.code = ERR_NONE};
	const struct verb *verb = find_verb(&r, &e);
	int result = verb ? run_verb(&r, verb, &last, &e) : -1;

	postgres_close(&r.pg);
	if (result) {
		postgres_request_fail(&r, &e);
	} else {
		json_write_open(&r.out, NULL, '{');
		json_write_bool(&r.out, "ok", true);
		if (last.len) {
			buf_addc(&r.out, ',');
			buf_add(&r.out, last.p, last.len);
		}
		json_write_end(&r.out);
	}
	buf_add(out, r.out.p, r.out.len);
	buf_release(&last);
	postgres_request_release(&r);
	return result;
}

#endif
