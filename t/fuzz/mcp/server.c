/* server.c: any bytes as what an agent sends, and as what programs print.
 *
 * Holds: every line that goes out is one message of JSON-RPC; a session ends
 * with nothing left to serve; an answer made of records is JSON, keeps within
 * its budget and cannot close the wrapper of a prompt.  The programs of the
 * suite are not there, so that every call of a tool fails at once.
 */
#include "../fuzz.h"

#include "mcp/server.h"

#define LINE_MOST 2048

static void must_be_message(const struct value *v)
{
	if (v->kind == VALUE_LIST) {
		must(v->u.list.n, "a list of answers has some");
		for (size_t i = 0; i < v->u.list.n; i++)
			must_be_message(&v->u.list.items[i]);
		return;
	}
	must(value_is(value_get(v, "jsonrpc"), "2.0"), "it is JSON-RPC");
	must(value_get(v, "method") || value_get(v, "error") ||
		     value_get(v, "result"),
	     "it says something");
	must(!value_get(v, "error") || !value_get(v, "result"),
	     "it says one thing");
}

static void must_be_messages(const char *p, size_t len)
{
	struct arena a = {0};
	struct value v;
	struct err e;
	size_t line;

	while (len) {
		const char *text = fuzz_line(&p, &len, &line, &a);

		must(json_parse(text, line, &a, &v, &e) == 0, "it is JSON");
		must_be_message(&v);
	}
	arena_release(&a);
}

static void talk(const char *p, size_t len)
{
	struct mcp m = {.frame = {.in = -1, .out = -1, .max = LINE_MOST},
			.folder = "/no/such/folder/"};
	enum frame_got got;
	size_t line;
	char *text;

	buf_add(&m.frame.held, p, len);
	m.frame.ended = true;
	while ((got = frame_next(&m.frame, &text, &line)) != FRAME_NONE) {
		must(got == FRAME_LONG || line <= LINE_MOST, "a line is short");
		if (got == FRAME_LINE)
			mcp_server_line(&m, text, line);
		mcp_serve(&m);
	}
	mcp_end(&m, true);
	mcp_serve(&m);
	must(!m.queue && !m.asking && !m.listens, "nothing is left");
	must_be_messages(m.frame.going.p, m.frame.going.len);
	mcp_release(&m);
}

static void must_be_result(struct mcp_result *r, int made, size_t max)
{
	struct arena a = {0};
	struct value v;
	struct err e;

	if (made == 0) {
		must(r->text.len <= max, "a text keeps within its budget");
		must(r->object.len <= max, "and so does its object");
		must(!strstr(buf_str(&r->text), "</system-reminder>"),
		     "no wrapper is closed by a text");
		must(!strstr(buf_str(&r->object), "</system-reminder>"),
		     "nor by an object");
		must(json_parse(buf_str(&r->object), r->object.len, &a, &v,
				&e) == 0,
		     "an object is JSON");
	}
	arena_release(&a);
	mcp_result_release(r);
}

static void answer(const char *p, size_t len)
{
	struct mcp_result r = {0};
	struct err e;
	int made;

	made = mcp_result_recall(&r, p, len, "query", &e);
	must_be_result(&r, made, MCP_RESULT_RECALL_MAX);
	made = mcp_result_list(&r, p, len, NULL, &e);
	must_be_result(&r, made, MCP_RESULT_LIST_MAX);
	made = mcp_result_show(&r, p, len, 7, NULL, true, &e);
	must_be_result(&r, made, 2 * MCP_RESULT_SHOW_MAX);
	mcp_result_failure(&r, "", p, len);
	must_be_result(&r, -1, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* No store of whoever runs this. */
	if (unsetenv("HOME") || unsetenv("XDG_CONFIG_HOME"))
		abort();
	talk((const char *)data, size);
	answer((const char *)data, size);
	return 0;
}
