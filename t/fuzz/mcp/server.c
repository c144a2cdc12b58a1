/* server.c: any bytes as lines of an agent, and as the output of programs.
 *
 * Properties: every line of output is one JSON-RPC message; at the end of a
 * session no request is open; a result made of records is JSON, keeps its
 * budget and cannot close the wrapper of a prompt. The programs of the suite
 * are missing, so every tool call fails at once.
 */
#include "../fuzz.h"

#include "mcp/server.h"

#define LINE_MOST 2048

static void must_be_message(const struct value *v)
{
	if (v->kind == VALUE_LIST) {
		must(v->u.list.n, "a list of answers is not empty");
		for (size_t i = 0; i < v->u.list.n; i++)
			must_be_message(&v->u.list.items[i]);
		return;
	}
	must(value_is(value_get(v, "jsonrpc"), "2.0"), "a message is JSON-RPC");
	must(value_get(v, "method") || value_get(v, "error") ||
		     value_get(v, "result"),
	     "a message has a method, a result or an error");
	must(!value_get(v, "error") || !value_get(v, "result"),
	     "a message has only one of these");
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
		must(got == FRAME_LONG || line <= LINE_MOST,
		     "the length of a line is limited");
		if (got == FRAME_LINE)
			mcp_server_line(&m, text, line);
		mcp_serve(&m);
	}
	mcp_end(&m, true);
	mcp_serve(&m);
	must(!m.queue && !m.asking && !m.listens,
	     "no request is open at the end");
	must_be_messages(m.frame.going.p, m.frame.going.len);
	mcp_release(&m);
}

static void must_be_result(struct mcp_result *r, int made, size_t max)
{
	struct arena a = {0};
	struct value v;
	struct err e;

	if (made == 0) {
		must(r->text.len <= max, "a text keeps its budget");
		must(r->object.len <= max, "an object keeps its budget");
		must(!strstr(buf_str(&r->text), "</system-reminder>"),
		     "no text closes the wrapper");
		must(!strstr(buf_str(&r->object), "</system-reminder>"),
		     "no object closes the wrapper");
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
	/* Use no store of the person who runs this. */
	if (unsetenv("HOME") || unsetenv("XDG_CONFIG_HOME"))
		abort();
	talk((const char *)data, size);
	answer((const char *)data, size);
	return 0;
}
