/* server.c: one loop waits for the client, the working program, room in the
 * output, and a signal. The table of methods says in which eras each one
 * exists. The modern era has no session: each call has all that it needs. Of a
 * legacy session, only the data of initialize is stored. */
#include "mcp/server.h"

#include "mcp/mcp.h"
#include "sys/process.h"

#include <errno.h>

#define OUTPUT_MOST ((size_t)4 * 1024 * 1024) /* with more, no input is read */
#define QUEUE_MOST 1000
#define QUEUE_BYTES ((size_t)64 * 1024 * 1024)
#define LAST_MS 10000  /* for the client to read the last answers */
#define HURRIED_MS 500 /* for the client to read them after a signal */
#define LAST_STEP_MS 10
#define SPEC_MS 20000	  /* for a program to describe itself */
#define SIGNALLED_MS 5000 /* for calls that save, after a signal */

static const char *const versions[] = {MCP_MODERN,   "2025-11-25", "2025-06-18",
				       "2025-03-26", "2024-11-05", NULL};

/* The methods. */

static void add_versions(struct buf *out, const char *key)
{
	json_write_open(out, key, '[');
	for (size_t i = 0; versions[i]; i++)
		json_write_text(out, NULL, versions[i]);
	json_write_close(out, ']');
}

static void add_instructions(struct buf *out, struct mcp *m,
			     const struct mcp_era *era)
{
	struct buf text = {0};

	if (process_is_inside())
		buf_adds(&text, "co started this session itself: it has no "
				"memory and no tools here.\n");
	else
		mcp_instructions(&text, era->client ? era->client : "",
				 m->report);
	json_write_text(out, "instructions", buf_str(&text));
	buf_release(&text);
}

static void add_capabilities(struct buf *out, const struct mcp_era *era)
{
	if (!process_is_inside()) {
		mcp_server_capabilities(out, era);
		return;
	}
	json_write_open(out, "capabilities", '{');
	json_write_close(out, '}');
}

static void discover(struct mcp *m, struct mcp_call *c)
{
	struct buf inside = {0};

	add_versions(&inside, "supportedVersions");
	add_capabilities(&inside, &c->era);
	add_instructions(&inside, m, &c->era);
	mcp_server_ttl(&inside, &c->era, 0);
	mcp_call_answer(m, c, "complete", &inside);
}

/* Write the name of the client in INFO to OUT, with other characters than
 * [a-z0-9._] as hyphens. */
static void read_client(char *out, size_t max, const struct value *info)
{
	const char *name = value_text(info, "name");
	size_t n = 0;

	for (; name && *name && n < max - 1; name++) {
		char ch = *name;

		if (ch >= 'A' && ch <= 'Z')
			ch = (char)(ch - 'A' + 'a');
		if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789._", ch))
			ch = '-';
		if (ch != '-' || (n && out[n - 1] != '-'))
			out[n++] = ch;
	}
	out[n] = '\0';
}

/* Return true if CAPABILITIES has the form of elicitation, explicitly or by
 * default. */
static bool can_elicit(const struct value *capabilities)
{
	const struct value *v = value_get(capabilities, "elicitation");

	return v && v->kind == VALUE_MAP &&
	       (!v->u.map.n || value_get(v, "form"));
}

static void initialize(struct mcp *m, struct mcp_call *c)
{
	const char *asked = value_text(c->params, "protocolVersion");
	const struct value *can = value_get(c->params, "capabilities");
	struct buf inside = {0};

	if (!asked) {
		mcp_call_refuse(m, c, RPC_PARAMS,
				"'protocolVersion' is required", NULL);
		return;
	}
	m->legacy.version = MCP_LEGACY_NEWEST;
	for (size_t i = 1; versions[i]; i++) {
		if (!strcmp(versions[i], asked))
			m->legacy.version = versions[i];
	}
	read_client(m->client, sizeof(m->client),
		    value_get(c->params, "clientInfo"));
	m->legacy.client = m->client;
	m->legacy.elicits =
		can_elicit(can) && mcp_era_has(&m->legacy, "2025-06-18");
	c->era = m->legacy;
	json_write_text(&inside, "protocolVersion", m->legacy.version);
	add_capabilities(&inside, &c->era);
	mcp_about(&inside, "serverInfo", &c->era);
	add_instructions(&inside, m, &c->era);
	mcp_call_answer(m, c, "complete", &inside);
}

static void ping(struct mcp *m, struct mcp_call *c)
{
	mcp_call_answer(m, c, "complete", NULL);
}

/* Answer with the list that LIST appends, on one page. */
static void answer_page(struct mcp *m, struct mcp_call *c,
			void (*list)(struct buf *, const struct mcp_era *))
{
	struct buf inside = {0};

	list(&inside, &c->era);
	mcp_call_answer(m, c, "complete", &inside);
}

static void list_templates(struct mcp *m, struct mcp_call *c)
{
	answer_page(m, c, mcp_server_list_templates);
}

static void list_prompts(struct mcp *m, struct mcp_call *c)
{
	answer_page(m, c, mcp_server_list_prompts);
}

static void call_tool(struct mcp *m, struct mcp_call *c)
{
	const struct value none = {.kind = VALUE_MAP};
	const struct value *arguments = value_get(c->params, "arguments");
	const char *name = value_text(c->params, "name");
	struct mcp_result r = {0};
	struct buf why = {0};

	c->tool = name ? mcp_server_tool(name) : NULL;
	if (!c->tool || (arguments && arguments->kind != VALUE_MAP)) {
		mcp_call_refuse(m, c, RPC_PARAMS,
				c->tool ? "arguments must be an object"
					: "no such tool; tools/list names them",
				NULL);
		return;
	}
	if (mcp_tool_fault(&why, c->tool, arguments ? arguments : &none)) {
		mcp_result_failure(&r, "", why.p, why.len);
		mcp_call_reply(m, c, &r);
		buf_release(&why);
		return;
	}
	c->keeps = !c->tool->reads;
	m->saved = m->saved || c->keeps;
	mcp_queue(m, c, c->tool->serve);
}

/* The --spec of the programs of the tools that were asked so far. */
struct specs {
	const char **text; /* of each tool */
	size_t n;
};

static void ask_program(struct mcp *m, struct mcp_call *c);

static void add_spec(struct mcp *m, struct mcp_call *c)
{
	struct specs *s = c->state;

	if (!m->ended.status)
		s->text[s->n] = arena_copy(&c->arena, buf_str(&m->ended.output),
					   m->ended.output.len);
	s->n++;
	ask_program(m, c);
}

/* Ask the program of the next tool, or answer. */
static void ask_program(struct mcp *m, struct mcp_call *c)
{
	struct specs *s = c->state;
	const char *argv[3] = {mcp_server_tools[s->n].command[0], "--spec"};
	struct buf inside = {0};

	if (argv[0]) {
		mcp_call_run(m, c, argv, NULL, 0, SPEC_MS, add_spec);
		return;
	}
	mcp_server_list_tools(&inside, &c->era, s->text,
			      mcp_save_approving(m, &c->era));
	mcp_call_answer(m, c, "complete", &inside);
}

static void list_tools(struct mcp *m, struct mcp_call *c)
{
	struct specs *s = arena_alloc(&c->arena, sizeof(*s));

	s->text = arena_alloc(&c->arena, mcp_server_count() * sizeof(*s->text));
	c->state = s;
	mcp_queue(m, c, ask_program);
}

enum { LEGACY = 1, MODERN = 2, LIST = 4, FIRST = 8 };

static const struct {
	const char *name;
	int when; /* LIST: a list on one page; FIRST: also before initialize */
	mcp_call_fn *serve;
} methods[] = {
	{"tools/call", LEGACY | MODERN, call_tool},
	{"tools/list", LEGACY | MODERN | LIST, list_tools},
	{"initialize", LEGACY | FIRST, initialize},
	{"server/discover", MODERN, discover},
	{"ping", LEGACY | FIRST, ping},
	{"resources/list", LEGACY | MODERN, mcp_resources_list},
	{"resources/templates/list", LEGACY | MODERN | LIST, list_templates},
	{"resources/read", LEGACY | MODERN, mcp_resources_read},
	{"resources/subscribe", LEGACY, mcp_subscriptions_subscribe},
	{"resources/unsubscribe", LEGACY, mcp_subscriptions_unsubscribe},
	{"subscriptions/listen", MODERN, mcp_subscriptions_listen},
	{"prompts/list", LEGACY | MODERN | LIST, list_prompts},
	{"prompts/get", LEGACY | MODERN, mcp_resources_prompt},
	{"completion/complete", LEGACY | MODERN, mcp_resources_complete},
};

/* The messages. */

static void refuse_version(struct mcp *m, struct mcp_call *c, const char *asked)
{
	struct buf data = {0};

	json_write_open(&data, NULL, '{');
	add_versions(&data, "supported");
	json_write_text(&data, "requested", asked);
	json_write_close(&data, '}');
	mcp_call_refuse(m, c, RPC_VERSION, "unsupported protocol version",
			data.p);
	buf_release(&data);
}

/* Set the era of C from its META, whose VERSION says that it is modern. Return
 * false if C was refused. */
static bool set_modern_era(struct mcp *m, struct mcp_call *c,
			   const struct value *meta,
			   const struct value *version)
{
	const struct value *can =
		value_get(meta, MCP_META "clientCapabilities");
	char *client = arena_alloc(&c->arena, sizeof(m->client));

	c->era = (struct mcp_era){MCP_MODERN, true, can_elicit(can), client};
	read_client(client, sizeof(m->client),
		    value_get(meta, MCP_META "clientInfo"));
	if (version->kind != VALUE_STR || !can || can->kind != VALUE_MAP)
		mcp_call_refuse(m, c, RPC_PARAMS,
				"_meta lacks " MCP_META
				"protocolVersion or " MCP_META
				"clientCapabilities",
				NULL);
	else if (!value_is(version, MCP_MODERN))
		refuse_version(m, c, version->u.s.p);
	return !c->done;
}

/* Set the era of C. FIRST: the method needs no initialize. Return false if C
 * was refused. */
static bool set_era(struct mcp *m, struct mcp_call *c, bool first)
{
	const struct value *meta = value_get(c->params, "_meta");
	const struct value *version =
		value_get(meta, MCP_META "protocolVersion");

	c->era = m->legacy;
	if (version)
		return set_modern_era(m, c, meta, version);
	if (!m->legacy.version)
		c->era.version = MCP_LEGACY_NEWEST;
	if (m->legacy.version || first)
		return true;
	mcp_call_refuse(m, c, RPC_PARAMS,
			"_meta lacks " MCP_META
			"protocolVersion, and there was "
			"no initialize",
			NULL);
	return false;
}

/* Return true if C has a cursor: lists on one page never give one out. */
static bool has_bad_cursor(const struct mcp_call *c)
{
	const struct value *cursor = value_get(c->params, "cursor");

	return cursor && !value_is(cursor, "");
}

static void serve_call(struct mcp *m, struct mcp_call *c,
		       const struct value *method)
{
	size_t i = 0;

	while (i < ARRAY_LEN(methods) && !value_is(method, methods[i].name))
		i++;
	if (!set_era(m, c, i < ARRAY_LEN(methods) && methods[i].when & FIRST))
		return;
	if (i == ARRAY_LEN(methods) ||
	    !(methods[i].when & (c->era.modern ? MODERN : LEGACY)) ||
	    (process_is_inside() && !(methods[i].when & FIRST) &&
	     methods[i].serve != discover))
		mcp_call_refuse(m, c, RPC_METHOD, "no such method", NULL);
	else if (methods[i].when & LIST && has_bad_cursor(c))
		mcp_call_refuse(m, c, RPC_PARAMS, "no such cursor", NULL);
	else
		methods[i].serve(m, c);
}

/* Process a notification. Those that have no meaning here are ignored. */
static void serve_note(struct mcp *m, const struct rpc *note)
{
	const struct value *id = value_get(note->params, "requestId");

	if (value_is(note->method, "notifications/cancelled") && id)
		mcp_cancel(m, id);
}

/* Refuse a line or a member of B that is not a message, with its id if it has
 * one. */
static void refuse(struct mcp *m, struct mcp_batch *b, const struct value *id,
		   int code)
{
	struct buf line = {0};

	rpc_error(b ? &b->out : &line, id, code,
		  code == RPC_PARSE ? "the line is not valid JSON"
				    : "not a JSON-RPC message, or too large",
		  NULL);
	if (!b)
		frame_put(&m->frame, line.p, line.len);
	buf_release(&line);
}

/* Process the message V of SIZE bytes, which is allocated in A. A call takes
 * over A, which is then empty. */
static void serve_message(struct mcp *m, struct mcp_batch *b, struct arena *a,
			  const struct value *v, size_t size)
{
	struct mcp_call *c;
	struct rpc rpc;

	rpc_read(&rpc, v);
	if (rpc.kind == RPC_NOTE)
		serve_note(m, &rpc);
	if (rpc.kind == RPC_ANSWER)
		mcp_answered(m, &rpc);
	if (rpc.kind == RPC_BROKEN)
		refuse(m, b, rpc.id, RPC_REQUEST);
	if (rpc.kind != RPC_CALL)
		return;
	c = mcp_call_new(b);
	c->size = size;
	c->id = rpc.id;
	c->params = rpc.params;
	c->arena = *a;
	*a = (struct arena){0};
	serve_call(m, c, rpc.method);
	if (c->done)
		mcp_call_free(m, c);
}

/* Process the list V. Each of its messages needs an arena of its own. */
static void serve_batch(struct mcp *m, const struct value *v)
{
	struct mcp_batch *b = mem_alloc(sizeof(*b));

	b->open = 1;
	buf_addc(&b->out, '[');
	for (size_t i = 0; i < v->u.list.n; i++) {
		struct arena a = {0};
		struct buf text = {0};
		struct value one;

		json_write_value(&text, &v->u.list.items[i], NULL);
		if (json_parse(buf_str(&text), text.len, &a, &one, NULL) == 0)
			serve_message(m, b, &a, &one, text.len);
		buf_release(&text);
		arena_release(&a);
	}
	mcp_batch_drop(m, b);
}

static bool takes_batches(const struct mcp *m)
{
	return m->legacy.version && !strcmp(m->legacy.version, "2025-03-26");
}

void mcp_server_line(struct mcp *m, char *p, size_t len)
{
	struct arena a = {0};
	struct value v;
	int code;

	if (strspn(p, " \t\r\n") >= len)
		return;
	code = rpc_parse(p, len, &a, &v);
	if (code)
		refuse(m, NULL, NULL, code);
	else if (v.kind == VALUE_LIST && v.u.list.n && takes_batches(m))
		serve_batch(m, &v);
	else
		serve_message(m, NULL, &a, &v, len);
	arena_release(&a);
}

/* The loop. */

/* Process the lines that have been read. */
static void serve_lines(struct mcp *m)
{
	enum frame_got got;
	size_t len;
	char *p;

	while ((got = frame_next(&m->frame, &p, &len)) != FRAME_NONE) {
		if (got == FRAME_LINE)
			mcp_server_line(m, p, len);
		else
			refuse(m, NULL, NULL, RPC_REQUEST);
		mcp_serve(m);
	}
}

/* Return true if so much is queued or not yet read by the client that no input
 * must be read. */
static bool is_busy(const struct mcp *m)
{
	const struct mcp_call *c = m->queue;
	size_t n = 0, bytes = 0;

	for (; c && n < QUEUE_MOST; c = c->next, n++)
		bytes += c->size;
	return n == QUEUE_MOST || bytes > QUEUE_BYTES ||
	       frame_waiting(&m->frame) > OUTPUT_MOST;
}

/* Return the lesser of two times in ms; -1, which is without a limit, is the
 * largest unsigned number. */
static int min_wait(int a, int b)
{
	return (unsigned)a < (unsigned)b ? a : b;
}

/* Return how long to wait at most, in ms; -1 without a limit. */
static int patience(const struct mcp *m)
{
	const int child = m->child.pid ? process_patience(&m->child) : -1;

	return min_wait(child, min_wait(mcp_subscriptions_patience(m),
					mcp_idle_patience(m)));
}

/* Wait until something happens, LONGEST ms at most, and process it. Return true
 * if SIGNALS is readable. */
static bool wait_once(struct mcp *m, int signals, int longest)
{
	struct pollfd fds[2 * PROCESS_FDS + 3];
	const bool reads = !m->frame.ended && !m->ending && !is_busy(m);
	const int wait = min_wait(patience(m), longest);
	nfds_t n = process_wait(&m->child, fds);

	n += process_wait(&m->maker, fds + n);
	fds[n] = (struct pollfd){signals, POLLIN, 0};
	fds[n + 1] = (struct pollfd){reads ? m->frame.in : -1, POLLIN, 0};
	fds[n + 2] = (struct pollfd){
		frame_waiting(&m->frame) ? m->frame.out : -1, POLLOUT, 0};
	if (poll(fds, n + 3, wait) < 0)
		return false;
	if (m->child.pid && process_work(&m->child))
		mcp_worked(m);
	if (fds[n + 2].revents)
		frame_flush(&m->frame);
	if (fds[n + 1].revents) {
		m->heard = instant_monotonic_ms();
		frame_fill(&m->frame);
		serve_lines(m);
	}
	mcp_subscriptions_look(m);
	mcp_idle_look(m);
	return fds[n].revents;
}

/* Send the rest of the output, until the client has read nothing for MS. */
static void send_rest(struct mcp *m, int ms)
{
	size_t before = 0;
	int left = ms;

	while (frame_waiting(&m->frame) && !m->frame.lost && left > 0) {
		if (frame_waiting(&m->frame) != before)
			left = ms;
		before = frame_waiting(&m->frame);
		wait_once(m, -1, LAST_STEP_MS);
		if (frame_waiting(&m->frame) == before)
			left -= LAST_STEP_MS;
	}
}

/* Limit the time of the working program to LAST. */
static void limit_program(struct mcp *m, int64_t last)
{
	if (m->child.pid && m->child.deadline > last)
		m->child.deadline = last;
}

int mcp_server_run(struct mcp *m, int signals)
{
	bool signalled = false;
	int64_t last;

	m->heard = instant_monotonic_ms();
	while (!m->frame.ended && !m->frame.lost && !signalled)
		signalled = wait_once(m, signals, -1);
	last = signalled ? instant_monotonic_ms() + SIGNALLED_MS : INT64_MAX;
	serve_lines(m);
	mcp_end(m, !signalled && !m->frame.lost);
	mcp_serve(m);
	while (m->queue) {
		limit_program(m, last);
		if (!wait_once(m, signalled ? -1 : signals, -1))
			continue;
		signalled = true;
		last = instant_monotonic_ms() + SIGNALLED_MS;
		mcp_end(m, false);
		mcp_serve(m);
	}
	send_rest(m, signalled ? HURRIED_MS : LAST_MS);
	return m->frame.lost ? -1 : 0;
}
