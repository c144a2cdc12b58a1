/* postgres-request.c: see postgres-request.h. */
#if __has_include(<libpq-fe.h>)
#include "remote/postgres-request.h"

#include "format/json-read.h"
#include "format/json-write.h"

int postgres_request_read(struct postgres_request *r, struct err *e)
{
	const char *line;
	size_t len;
	struct err why;
	const int more = io_lines_next(&r->in, &line, &len, &why);

	if (more == 1 && json_parse(line, len, &r->arena, &r->v, &why) == 0)
		return 0;
	return postgres_fail(&r->pg, POSTGRES_INVALID, e, "%s",
			     more ? why.text : "there is no request");
}

int postgres_request_project(struct postgres_request *r,
			     const struct value *map, const char **name,
			     struct err *e)
{
	const char *text = value_text(map, "project");
	const size_t len = text ? strlen(text) : 0;

	*name = text;
	if (len && len <= REMOTE_NAME_MAX)
		return 0;
	return postgres_fail(&r->pg, POSTGRES_INVALID, e,
			     "the name of a project is missing, over %d bytes "
			     "long, or has a NUL",
			     REMOTE_NAME_MAX);
}

void postgres_request_fail(struct postgres_request *r, const struct err *e)
{
	buf_cut(&r->out, 0);
	json_write_open(&r->out, NULL, '{');
	json_write_bool(&r->out, "ok", false);
	json_write_open(&r->out, "error", '{');
	json_write_text(&r->out, "kind", postgres_kind_names[r->pg.kind]);
	json_write_text(&r->out, "message", e->text);
	json_write_close(&r->out, '}');
	json_write_end(&r->out);
}

void postgres_request_release(struct postgres_request *r)
{
	io_lines_release(&r->in);
	buf_release(&r->out);
	arena_release(&r->arena);
}
#endif
