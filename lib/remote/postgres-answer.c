/* postgres-answer.c: the verbs, and all of those that are one statement. */
#if __has_include(<libpq-fe.h>)
#include "remote/postgres-answer.h"

#include "format/json-write.h"
#include "rank/terms.h"

#define SCHEMA_VERSION 1
#define QUICK_MS 10000

struct verb {
	const char *name;
	int (*answer)(struct postgres_request *r, struct buf *last,
		      struct err *e);
	int64_t ms; /* what it usually takes at most */
};

static int describe(struct postgres_request *r, struct buf *last, struct err *e)
{
	struct buf *out = &r->out;

	(void)last;
	(void)e;
	json_write_open(out, NULL, '{');
	json_write_text(out, "server",
			arena_printf(&r->arena, "PostgreSQL %s",
				     postgres_version(&r->pg)));
	json_write_int(out, "schema", SCHEMA_VERSION);
	json_write_int(out, "terms_version", TERMS_VERSION);
	json_write_text(out, "role", postgres_role(&r->pg));
	postgres_request_end_line(out);
	return 0;
}

static const struct verb verbs[] = {
	{"describe", describe, QUICK_MS},
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
