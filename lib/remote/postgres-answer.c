/* postgres-answer.c: the verbs, and all of those that are one statement. */
#if __has_include(<libpq-fe.h>)
#include "remote/postgres-answer.h"

#include "format/json-write.h"
#include "postgres-schema.h"
#include "rank/terms.h"
#include "remote/postgres-push.h"
#include "remote/postgres-query.h"

#define SCHEMA_VERSION 1

struct verb {
	const char *name;
	int (*answer)(struct postgres_request *r, struct buf *last,
		      struct err *e);
	int64_t ms; /* what it usually takes at most */
};

/* Append the members commit, at, digest, documents and basis of ROW. A project that was pushed
 * with other terms has no digest, and so is pushed anew. */
static void write_origin(struct buf *out, const struct postgres_rows *rows,
			 size_t row)
{
	const bool known = postgres_number(rows, row, 6) == TERMS_VERSION;

	if (known) {
		json_write_text(out, "commit",
				postgres_bytes(rows, row, 2, NULL));
		json_write_text(out, "at", postgres_bytes(rows, row, 3, NULL));
	}
	json_write_text(out, "digest",
			known ? postgres_bytes(rows, row, 4, NULL) : "");
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
		json_write_int(out, "schema", SCHEMA_VERSION);
		json_write_int(out, "terms_version", TERMS_VERSION);
		json_write_text(out, "role", postgres_role(&r->pg));
		postgres_request_end_line(out);
	}
	for (size_t i = 0; i < rows.n && !result; i++) {
		json_write_open(out, NULL, '{');
		json_write_text(out, "project",
				postgres_bytes(&rows, i, 1, NULL));
		write_origin(out, &rows, i);
		json_write_bool(out, "write", postgres_flag(&rows, i, 7));
		postgres_request_end_line(out);
	}
	postgres_rows_release(&rows);
	postgres_array_release(&names);
	return result;
}

/* Append a line for each hash of the project NUMBER. */
static int list_hashes(struct postgres_request *r, int64_t number,
		       struct err *e)
{
	struct postgres_args args = {0};
	struct postgres_rows rows = {0};
	int result;

	postgres_arg_number(&args, number);
	result = postgres_run(&r->pg, "SELECT * FROM co_1.hashes($1)", &args,
			      &rows, e);
	for (size_t i = 0; i < rows.n && !result; i++) {
		json_write_open(&r->out, NULL, '{');
		json_write_text(&r->out, "hash",
				postgres_bytes(&rows, i, 0, NULL));
		postgres_request_end_line(&r->out);
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
			write_origin(&r->out, &rows, 0);
		} else {
			json_write_text(&r->out, "digest", "");
			json_write_int(&r->out, "documents", 0);
		}
		postgres_request_end_line(&r->out);
		result = 0;
	}
	if (!result && list && rows.n &&
	    postgres_number(&rows, 0, 6) == TERMS_VERSION)
		result = list_hashes(r, postgres_number(&rows, 0, 0), e);
	postgres_rows_release(&rows);
	return result;
}

/* Let the role that V names read or write its project, which is made if it is missing. */
static int grant(struct postgres_request *r, const struct value *v,
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

static int init(struct postgres_request *r, struct buf *last, struct err *e)
{
	const struct value *given = value_get(&r->v, "grant");
	struct postgres_rows rows = {0};
	int result;

	(void)last;
	result = postgres_run(&r->pg,
			      "SELECT pg_catalog.current_setting("
			      "'server_encoding') = 'UTF8',"
			      " pg_catalog.to_regnamespace('co_1') IS NOT NULL,"
			      " pg_catalog.to_regproc('co_1.origins') IS NULL",
			      NULL, &rows, e);
	if (!result && !postgres_flag(&rows, 0, 0))
		result = postgres_fail(&r->pg, POSTGRES_SCHEMA, e,
				       "the encoding of the database is not "
				       "UTF8");
	if (!result && !postgres_flag(&rows, 0, 1))
		result = postgres_script(&r->pg, postgres_schema_sql, e);
	else if (!result && postgres_flag(&rows, 0, 2))
		result = postgres_fail(&r->pg, POSTGRES_SCHEMA, e,
				       "the schema co_1 is of another version "
				       "of co: drop it, and push each project "
				       "again");
	postgres_rows_release(&rows);
	return result || !given ? result : grant(r, given, e);
}

static int push(struct postgres_request *r, struct buf *last, struct err *e)
{
	const char *project;

	(void)last;
	return postgres_request_project(r, &r->v, &project, e) < 0
		       ? -1
		       : postgres_push(r, project, e);
}

static int purge(struct postgres_request *r, struct buf *last, struct err *e)
{
	const char *id = value_text(&r->v, "id"), *project;

	(void)last;
	if (!id || *id < '1' || *id > '9' ||
	    strspn(id, "0123456789") != strlen(id) || strlen(id) > 18)
		return postgres_fail(&r->pg, POSTGRES_INVALID, e,
				     "a purge names the id of a memory");
	return postgres_request_project(r, &r->v, &project, e) < 0
		       ? -1
		       : postgres_push_purge(r, project, e);
}

static const struct verb verbs[] = {
	{"describe", describe, REMOTE_COMMAND_MS},
	{"init", init, REMOTE_COMMAND_MS},
	{"digest", digest, REMOTE_COMMAND_MS},
	{"push", push, REMOTE_PUSH_MS},
	{"query", postgres_query, REMOTE_COMMAND_MS},
	{"purge", purge, REMOTE_PUSH_MS},
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

static int run_verb(struct postgres_request *r, const struct verb *verb,
		    struct buf *last, struct err *e)
{
	if (verb->answer == init && value_is_true(value_get(&r->v, "print"))) {
		json_write_open(&r->out, NULL, '{');
		json_write_text(&r->out, "sql", postgres_schema_sql);
		postgres_request_end_line(&r->out);
		return 0;
	}
	if (!r->url || !*r->url)
		return postgres_fail(&r->pg, POSTGRES_INVALID, e,
				     "CO_REMOTE_URL is not set");
	if (postgres_open(&r->pg, r->url, r->ms ? r->ms : verb->ms, e) < 0)
		return -1;
	return verb->answer(r, last, e);
}

int postgres_answer(struct postgres_request *r)
{
	struct buf last = {0};
	struct err e = {.code = ERR_NONE};
	const struct verb *verb = find_verb(r, &e);
	int result = verb ? run_verb(r, verb, &last, &e) : -1;

	postgres_close(&r->pg);
	if (result) {
		postgres_request_fail(r, &e);
	} else {
		json_write_open(&r->out, NULL, '{');
		json_write_bool(&r->out, "ok", true);
		if (last.len) {
			buf_addc(&r->out, ',');
			buf_add(&r->out, last.p, last.len);
		}
		postgres_request_end_line(&r->out);
	}
	buf_release(&last);
	return result;
}

#endif
