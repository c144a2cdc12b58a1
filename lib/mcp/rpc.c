/* rpc.c: see rpc.h. */
#include "mcp/rpc.h"

#include "format/json-write.h"

static bool is_id(const struct value *v)
{
	return v->kind == VALUE_STR || v->kind == VALUE_INT;
}

/* A missing member, or one of the wrong type, makes a call or an answer broken. A
 * note needs only a method, since no error could be sent for it. */
static enum rpc_kind kind_of(const struct rpc *m, bool any_id, bool params)
{
	const bool named = m->method && m->method->kind == VALUE_STR;

	if (m->method)
		return !named || !params ? RPC_BROKEN
		       : m->id		 ? RPC_CALL
		       : any_id		 ? RPC_BROKEN
					 : RPC_NOTE;
	return m->id && (m->result || m->error) ? RPC_ANSWER : RPC_BROKEN;
}

void rpc_read(struct rpc *m, const struct value *v)
{
	const struct value *id = value_get(v, "id");
	const struct value *params = value_get(v, "params");
	const bool ours = value_is(value_get(v, "jsonrpc"), "2.0");

	*m = (struct rpc){.kind = RPC_BROKEN};
	m->id = id && is_id(id) ? id : NULL;
	m->method = value_get(v, "method");
	m->params = params && params->kind == VALUE_MAP ? params : NULL;
	m->result = value_get(v, "result");
	m->error = value_get(v, "error");
	if (ours)
		m->kind = kind_of(m, id != NULL, !params || m->params);
}

int rpc_parse(char *p, size_t len, struct arena *a, struct value *out)
{
	struct err e;

	if (!json_within(p, len, RPC_VALUES_MAX))
		return RPC_REQUEST;
	json_mend(p, len);
	if (memchr(p, '\0', len) || json_parse(p, len, a, out, &e) < 0)
		return RPC_PARSE;
	return 0;
}

void rpc_id(struct buf *out, const char *key, const struct value *id)
{
	if (id->kind == VALUE_INT)
		json_write_int(out, key, id->u.i);
	else
		json_write_bytes(out, key, id->u.s.p, id->u.s.len);
}

static void begin_message(struct buf *out, const struct value *id)
{
	json_write_open(out, NULL, '{');
	json_write_text(out, "jsonrpc", "2.0");
	if (id)
		rpc_id(out, "id", id);
}

void rpc_result(struct buf *out, const struct value *id, const char *result)
{
	begin_message(out, id);
	json_write_raw(out, "result", result);
	json_write_close(out, '}');
}

void rpc_error(struct buf *out, const struct value *id, int code,
	       const char *text, const char *data)
{
	begin_message(out, id);
	json_write_open(out, "error", '{');
	json_write_int(out, "code", code);
	json_write_text(out, "message", text);
	if (data)
		json_write_raw(out, "data", data);
	json_write_close(out, '}');
	json_write_close(out, '}');
}

void rpc_send(struct buf *out, const char *id, const char *method,
	      const char *params)
{
	begin_message(out, NULL);
	json_write_given(out, "id", id);
	json_write_text(out, "method", method);
	json_write_raw(out, "params", params);
	json_write_close(out, '}');
}
