/* subscriptions.c: another process looks at the files: a disk may say nothing for
 * ever.
 */
#include "mcp/subscriptions.h"

#include "base/instant.h"
#include "format/json-write.h"
#include "mcp/context-stamp.h"
#include "mcp/tables.h"
#include "sys/deadline.h"

#define LOOK_MS 1000	/* from one look to the next */
#define LOOK_MAX_MS 500 /* that one may take */
#define AGAIN_MS 60000	/* at most, where some took longer */

/* Append whether the context has changed, and the stamp of it as it is. */
static void look(void *ctx, struct buf *out, const struct report *r)
{
	const struct mcp *m = ctx;
	struct buf stamp = {0};

	(void)r;
	buf_add(&stamp, buf_str(&m->stamp), m->stamp.len);
	buf_addc(out, context_stamp_look(&stamp));
	buf_add(out, stamp.p, stamp.len);
	buf_release(&stamp);
}

/* Take the stamp as it is now; true if it was another, or may have been, where no
 * look came to its end since somebody listens.  The next look is after
 * twice the time, for as long as none comes to its end: a machine may be busy
 * for a moment, or a disk be gone. */
static bool take_stamp(struct mcp *m)
{
	struct buf now = {0};
	bool changed = false;

	if (deadline_read(look, m, LOOK_MAX_MS, &now, NULL, NULL) == 0) {
		changed = now.p[0] && (m->stamp.len || m->looked);
		buf_cut(&m->stamp, 0);
		buf_add(&m->stamp, now.p + 1, now.len - 1);
		m->pause = LOOK_MS;
	} else {
		m->pause = m->pause ? 2 * m->pause : LOOK_MS;
		if (m->pause > AGAIN_MS)
			m->pause = AGAIN_MS;
	}
	m->looked = instant_monotonic_ms();
	buf_release(&now);
	return changed;
}

static bool watches(const struct mcp *m)
{
	const struct mcp_call *c = m->listens;

	while (c && !c->watches)
		c = c->next;
	return m->subscribed || c;
}

static bool is_context(struct mcp *m, struct mcp_call *c)
{
	const struct value *uri = value_get(c->params, "uri");

	if (value_is(uri, MCP_TABLES_CONTEXT))
		return true;
	mcp_call_refuse(m, c, RPC_PARAMS,
			"only " MCP_TABLES_CONTEXT " can be subscribed to",
			NULL);
	return false;
}

void mcp_subscriptions_subscribe(struct mcp *m, struct mcp_call *c)
{
	if (!is_context(m, c))
		return;
	if (!watches(m))
		take_stamp(m);
	m->subscribed = true;
	mcp_call_answer(m, c, "complete", "");
}

void mcp_subscriptions_unsubscribe(struct mcp *m, struct mcp_call *c)
{
	if (!is_context(m, c))
		return;
	m->subscribed = false;
	mcp_call_answer(m, c, "complete", "");
}

/* True if LIST, of URIs, names the context. */
static bool names_context(const struct value *list)
{
	for (size_t i = 0;
	     list && list->kind == VALUE_LIST && i < list->u.list.n; i++) {
		if (value_is(&list->u.list.items[i], MCP_TABLES_CONTEXT))
			return true;
	}
	return false;
}

/* Send METHOD to who listens by C; INSIDE is that of its params. */
static void tell(struct mcp *m, const struct mcp_call *c, const char *method,
		 const char *inside)
{
	struct buf params = {0}, line = {0};

	json_write_open(&params, NULL, '{');
	json_write_raw(&params, NULL, inside);
	if (c) {
		json_write_open(&params, "_meta", '{');
		mcp_add_subscription(&params, c);
		json_write_close(&params, '}');
	}
	json_write_close(&params, '}');
	rpc_send(&line, NULL, method, params.p);
	frame_put(&m->frame, line.p, line.len);
	buf_release(&params);
	buf_release(&line);
}

static size_t count(const struct mcp *m)
{
	size_t n = 0;

	for (const struct mcp_call *c = m->listens; c; c = c->next)
		n++;
	return n;
}

void mcp_subscriptions_listen(struct mcp *m, struct mcp_call *c)
{
	const struct value *wanted = value_get(c->params, "notifications");

	if (!wanted || wanted->kind != VALUE_MAP) {
		mcp_call_refuse(m, c, RPC_PARAMS,
				"'notifications' must be an object", NULL);
		return;
	}
	if (count(m) == MCP_ASIDE_MOST) {
		mcp_call_refuse(m, c, RPC_INTERNAL, "too many listen already",
				NULL);
		return;
	}
	c->watches = names_context(value_get(wanted, "resourceSubscriptions"));
	if (c->watches && !watches(m))
		take_stamp(m);
	mcp_listen(m, c);
	tell(m, c, "notifications/subscriptions/acknowledged",
	     c->watches ? "\"notifications\":{\"resourceSubscriptions\":"
			  "[\"" MCP_TABLES_CONTEXT "\"]}"
			: "\"notifications\":{}");
}

int mcp_subscriptions_patience(const struct mcp *m)
{
	int64_t left;

	if (!watches(m))
		return -1;
	left = m->looked + m->pause - instant_monotonic_ms();
	return left > 0 ? (int)left : 0;
}

void mcp_subscriptions_look(struct mcp *m)
{
	static const char updated[] = "notifications/resources/updated";
	static const char uri[] = "\"uri\":\"" MCP_TABLES_CONTEXT "\"";

	if (mcp_subscriptions_patience(m) != 0 || !take_stamp(m))
		return;
	if (m->subscribed)
		tell(m, NULL, updated, uri);
	for (const struct mcp_call *c = m->listens; c; c = c->next) {
		if (c->watches)
			tell(m, c, updated, uri);
	}
}
