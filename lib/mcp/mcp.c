/* mcp.c: the first call of the queue runs until it needs a program or the user.
 * Then the loop waits, and continues the call when there is a result. */
#include "mcp/mcp.h"

#include "base/utf8.h"
#include "sys/deadline.h"

#include <inttypes.h>

#define QUESTION "co-"		 /* prefix of the ids of our own calls */
#define NOTE_MS 1000		 /* for a line of the ledger */
#define UNREAD_MAX ((size_t)400) /* bytes of a note; the budgets leave 500 */

bool mcp_era_has(const struct mcp_era *era, const char *version)
{
	return strcmp(era->version, version) >= 0;
}

struct mcp_call *mcp_call_new(struct mcp_batch *batch)
{
	struct mcp_call *c = mem_alloc(sizeof(*c));

	c->batch = batch;
	if (batch)
		batch->open++;
	return c;
}

void mcp_batch_drop(struct mcp *m, struct mcp_batch *b)
{
	if (!b || --b->open)
		return;
	if (b->out.len > 1) {
		json_write_close(&b->out, ']');
		frame_put(&m->frame, b->out.p, b->out.len);
	}
	buf_release(&b->out);
	free(b);
}

void mcp_call_free(struct mcp *m, struct mcp_call *c)
{
	mcp_batch_drop(m, c->batch);
	arena_release(&c->arena);
	free(c);
}

/* Return the buffer for the answer to C; finish_answer() hands it over. */
static struct buf *answer_to(struct mcp_call *c, struct buf *line)
{
	return c->batch ? &c->batch->out : line;
}

static void finish_answer(struct mcp *m, struct mcp_call *c, struct buf *line)
{
	if (!c->batch)
		frame_put(&m->frame, buf_str(line), line->len);
	buf_release(line);
	c->done = true;
}

void mcp_about(struct buf *out, const char *key, const struct mcp_era *era)
{
	json_write_open(out, key, '{');
	json_write_text(out, "name", "co");
	if (mcp_era_has(era, "2025-06-18"))
		json_write_text(out, "title", "co: memory for agents");
	json_write_text(out, "version", CO_VERSION);
	json_write_close(out, '}');
}

void mcp_add_subscription(struct buf *out, const struct mcp_call *c)
{
	rpc_id(out, MCP_META "subscriptionId", c->id);
}

static void add_meta(struct buf *out, const struct mcp_call *c)
{
	json_write_open(out, "_meta", '{');
	if (c->listens)
		mcp_add_subscription(out, c);
	mcp_about(out, MCP_META "serverInfo", &c->era);
	json_write_close(out, '}');
}

void mcp_call_answer(struct mcp *m, struct mcp_call *c, const char *type,
		     struct buf *inside)
{
	struct buf object = {0}, line = {0};

	c->done = true;
	if (c->cancelled)
		goto out;
	json_write_open(&object, NULL, '{');
	if (c->era.modern)
		json_write_text(&object, "resultType", type);
	if (inside)
		json_write_raw(&object, NULL, inside->p);
	if (c->era.modern)
		add_meta(&object, c);
	json_write_close(&object, '}');
	rpc_result(answer_to(c, &line), c->id, object.p);
	buf_release(&object);
	finish_answer(m, c, &line);
out:
	if (inside)
		buf_release(inside);
}

void mcp_call_refuse(struct mcp *m, struct mcp_call *c, int code,
		     const char *text, const char *data)
{
	struct buf line = {0};

	c->done = true;
	if (c->cancelled)
		return;
	rpc_error(answer_to(c, &line), c->id, code, text, data);
	finish_answer(m, c, &line);
}

/* What note_shown() notes. */
struct noted {
	const char *client;
	struct shown shown;
};

/* A deadline_read_fn: the disk of the ledger may not answer. */
static void note_shown(void *ctx, struct buf *out, const struct report *r)
{
	const struct noted *n = ctx;

	(void)out;
	(void)r;
	mcp_shown_note(n->client, &n->shown);
}

void mcp_call_note(const struct mcp_call *c, const char *event,
		   const struct mcp_result *r)
{
	struct noted n = {.client = c->era.client,
			  .shown = {.event = event,
				    .words = shown_words_of(&r->words),
				    .bytes = r->text.len,
				    .items = &r->items}};
	struct buf none = {0};

	/* A conversation may have text that its agent read from outside. */
	if (r->conversation) {
		n.shown.event = SHOWN_READ;
		n.shown.read = "a conversation";
	}
	if ((r->items.json.len || r->conversation) && !c->cancelled)
		deadline_read(note_shown, &n, NOTE_MS, &none, NULL, NULL);
	buf_release(&none);
}

void mcp_call_reply(struct mcp *m, struct mcp_call *c, struct mcp_result *r)
{
	struct buf inside = {0};

	mcp_result_json(&inside, r, mcp_era_has(&c->era, "2025-06-18"));
	mcp_call_answer(m, c, "complete", &inside);
	mcp_result_release(r);
}

void mcp_call_fail(struct mcp *m, struct mcp_call *c, const char *what)
{
	struct mcp_result r = {0};

	if (m->ended.late)
		buf_adds(&m->ended.errors, "it took too long");
	if (m->ended.flooded)
		buf_adds(&m->ended.errors, "there is too much of it");
	if (!m->ended.errors.len)
		buf_addf(&m->ended.errors, "its program ended with status %d",
			 m->ended.status);
	mcp_result_failure(&r, what, buf_str(&m->ended.errors),
			   m->ended.errors.len);
	if (c->tool)
		mcp_call_reply(m, c, &r);
	else
		mcp_call_refuse(m, c, RPC_INTERNAL, buf_str(&r.text), NULL);
	mcp_result_release(&r);
}

bool mcp_call_has_nothing(const struct mcp *m)
{
	return m->ended.status > ERR_NO && !m->ended.output.len;
}

void mcp_call_add_unread(const struct mcp *m, struct mcp_result *r)
{
	struct mcp_result why = {0};

	if (m->ended.status <= ERR_NO)
		return;
	mcp_result_failure(&why,
			   "Not all could be read: ", buf_str(&m->ended.errors),
			   m->ended.errors.len);
	if (why.text.len > UNREAD_MAX) {
		buf_cut(&why.text,
			utf8_cut(why.text.p, why.text.len, UNREAD_MAX));
		buf_adds(&why.text, " [cut; 'co knowledge --check' names all]");
	}
	if (r->text.len && r->text.p[r->text.len - 1] != '\n')
		buf_addc(&r->text, '\n');
	buf_add(&r->text, why.text.p, why.text.len);
	mcp_result_release(&why);
}

const struct value *mcp_call_arg(const struct mcp_call *c, const char *name)
{
	const struct value *v =
		value_get(value_get(c->params, "arguments"), name);

	return v && v->kind != VALUE_NULL ? v : NULL;
}

void mcp_call_run(struct mcp *m, struct mcp_call *c, const char **argv,
		  const char *input, size_t len, int ms, mcp_call_fn *then)
{
	struct err e;

	argv[0] = arena_printf(&c->arena, "%s%s", m->folder, argv[0]);
	c->then = then;
	if (process_start(&m->child, argv, input, len, ms, &e) == 0)
		return;
	m->child.status = ERR_HELPER;
	buf_adds(&m->child.errors, e.text);
}

void mcp_call_serve(struct mcp *m, struct mcp_call *c, const char **argv,
		    const char *line, size_t len, int ms, mcp_call_fn *then)
{
	struct err e;

	argv[0] = arena_printf(&c->arena, "%s%s", m->folder, argv[0]);
	c->then = then;
	m->child = m->recalls;
	m->recalls = (struct process){0};
	/* If it has ended meanwhile, another one is started. */
	if (m->child.pid && process_ask(&m->child, line, len, ms, &e) < 0)
		process_release(&m->child);
	if (m->child.pid)
		return;
	if (process_serve(&m->child, argv, &e) < 0) {
		m->child.status = ERR_HELPER;
		buf_adds(&m->child.errors, e.text);
		return;
	}
	/* If it has ended already, its error is reported by the call. */
	process_ask(&m->child, line, len, ms, NULL);
}

void mcp_call_ask(struct mcp *m, struct mcp_call *c, const char *message,
		  mcp_call_fn *then)
{
	struct buf params = {0}, line = {0};
	char id[32];

	c->then = then;
	c->asks = true;
	c->question = ++m->questions;
	c->asked = instant_monotonic_ms();
	snprintf(id, sizeof(id), QUESTION "%" PRId64, c->question);
	json_write_open(&params, NULL, '{');
	mcp_question(&params, &c->era, message);
	json_write_close(&params, '}');
	rpc_send(&line, id, "elicitation/create", params.p);
	frame_put(&m->frame, line.p, line.len);
	buf_release(&params);
	buf_release(&line);
}

void mcp_question(struct buf *out, const struct mcp_era *era,
		  const char *message)
{
	if (mcp_era_has(era, "2025-11-25"))
		json_write_text(out, "mode", "form");
	json_write_text(out, "message", message);
	json_write_raw(out, "requestedSchema",
		       "{\"type\":\"object\",\"properties\":{}}");
}

void mcp_call_progress(struct mcp *m, struct mcp_call *c, int step, int steps,
		       const char *message)
{
	const struct value *meta = value_get(c->params, "_meta");
	const struct value *token = value_get(meta, "progressToken");
	struct buf params = {0}, line = {0};

	if (c->cancelled || !token ||
	    (token->kind != VALUE_INT && token->kind != VALUE_STR))
		return;
	json_write_open(&params, NULL, '{');
	rpc_id(&params, "progressToken", token);
	json_write_int(&params, "progress", step);
	json_write_int(&params, "total", steps);
	if (mcp_era_has(&c->era, "2025-03-26"))
		json_write_text(&params, "message", message);
	json_write_close(&params, '}');
	rpc_send(&line, NULL, "notifications/progress", params.p);
	frame_put(&m->frame, line.p, line.len);
	buf_release(&params);
	buf_release(&line);
}

size_t mcp_asking(const struct mcp *m)
{
	size_t n = 0;

	for (const struct mcp_call *c = m->asking; c; c = c->next)
		n++;
	return n;
}

static void append(struct mcp_call **list, struct mcp_call *c)
{
	while (*list)
		list = &(*list)->next;
	c->next = NULL;
	*list = c;
}

/* Remove C from its list. */
static void unlink_call(struct mcp_call **list, struct mcp_call *c)
{
	while (*list && *list != c)
		list = &(*list)->next;
	if (*list)
		*list = c->next;
	c->next = NULL;
}

void mcp_queue(struct mcp *m, struct mcp_call *c, mcp_call_fn *then)
{
	c->then = then;
	append(&m->queue, c);
}

void mcp_listen(struct mcp *m, struct mcp_call *c)
{
	c->listens = true;
	append(&m->listens, c);
}

/* Report the errors that the ended program printed, for the user. */
static void report_errors(struct mcp *m)
{
	const char *p = buf_str(&m->ended.errors);

	while (*p) {
		const size_t len = strcspn(p, "\n");
		struct err e;

		err_set(&e, ERR_HELPER, "%.*s", (int)(len < 4000 ? len : 4000),
			p);
		if (len)
			err_report(m->report, &e);
		p += len + (p[len] == '\n');
	}
}

/* Continue C, the first of the queue. */
static void continue_call(struct mcp *m, struct mcp_call *c)
{
	c->then(m, c);
	if (!c->done && !c->asks)
		return;
	unlink_call(&m->queue, c);
	if (c->done)
		mcp_call_free(m, c);
	else
		append(&m->asking, c);
}

void mcp_worked(struct mcp *m)
{
	process_part(&m->child, &m->recalls);
	mcp_serve(m);
}

void mcp_serve(struct mcp *m)
{
	while (m->queue && !m->child.pid) {
		m->ended = m->child;
		m->child = (struct process){0};
		report_errors(m);
		continue_call(m, m->queue);
		process_release(&m->ended);
	}
}

/* Return the number of the question in the ID of an answer, or 0 if it is not one
 * of ours. */
static int64_t question_of(const struct value *id)
{
	const size_t len = strlen(QUESTION);

	if (id->kind != VALUE_STR || strncmp(id->u.s.p, QUESTION, len) != 0)
		return 0;
	return strtoll(id->u.s.p + len, NULL, 10);
}

static void resume(struct mcp *m, struct mcp_call *c, const char *action)
{
	unlink_call(&m->asking, c);
	c->asks = false;
	c->action = arena_strdup(&c->arena, action ? action : "cancel");
	append(&m->queue, c);
}

void mcp_answered(struct mcp *m, const struct rpc *answer)
{
	const int64_t number = question_of(answer->id);
	struct mcp_call *c = m->asking;

	while (c && c->question != number)
		c = c->next;
	if (c)
		resume(m, c, value_text(answer->result, "action"));
}

static struct mcp_call *find_call(struct mcp_call *list, const struct value *id)
{
	while (list && !value_equal(list->id, id))
		list = list->next;
	return list;
}

static void drop_call(struct mcp *m, struct mcp_call **list, struct mcp_call *c)
{
	unlink_call(list, c);
	c->cancelled = true;
	mcp_call_free(m, c);
}

void mcp_cancel(struct mcp *m, const struct value *id)
{
	struct mcp_call **const lists[] = {&m->queue, &m->asking, &m->listens};

	for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
		struct mcp_call *c = find_call(*lists[i], id);

		if (!c)
			continue;
		if (c == m->queue && m->child.pid && c->keeps) {
			c->cancelled = true;
			return;
		}
		if (c == m->queue)
			process_release(&m->child);
		drop_call(m, lists[i], c);
		return;
	}
}

/* Drop the calls that change nothing. */
static void drop_readers(struct mcp *m)
{
	struct mcp_call *c = m->queue, *next;

	if (c && !c->keeps)
		process_release(&m->child);
	for (; c; c = next) {
		next = c->next;
		if (!c->keeps)
			drop_call(m, &m->queue, c);
	}
}

void mcp_end(struct mcp *m, bool answer)
{
	struct mcp_call *c;

	m->ending = true;
	while (m->asking)
		resume(m, m->asking, NULL);
	while ((c = m->listens)) {
		unlink_call(&m->listens, c);
		mcp_call_answer(m, c, "complete", NULL);
		mcp_call_free(m, c);
	}
	if (!answer)
		drop_readers(m);
}

void mcp_release(struct mcp *m)
{
	while (m->queue)
		drop_call(m, &m->queue, m->queue);
	while (m->asking)
		drop_call(m, &m->asking, m->asking);
	while (m->listens)
		drop_call(m, &m->listens, m->listens);
	process_release(&m->child);
	process_release(&m->recalls);
	process_release(&m->maker);
	buf_release(&m->stamp);
	frame_release(&m->frame);
}
