/* subscriptions.c: files are compared by what stat() says of them, to another
 * process: it may say nothing for ever.
 */
#include "mcp/subscriptions.h"

#include "base/compat.h"
#include "base/instant.h"
#include "format/json-write.h"
#include "mcp/tables.h"
#include "repo/root.h"
#include "sys/deadline.h"

#include <sys/stat.h>

#define LOOK_MS 1000
#define STAT_MS 500    /* that a look may take */
#define AGAIN_MS 60000 /* until the next, where one took longer */

static void add_file(struct mcp_stamp *stamp, enum scope scope)
{
	struct mcp_stamp one = {0};
	struct buf path = {0};
	struct root root;
	struct stat st;
	struct err e;

	if (root_find(&root, scope, &e) < 0)
		return;
	buf_addf(&path, "%s/knowledge/context.md", root.path);
	if (!stat(path.p, &st)) {
		const struct timespec t = compat_ctime(&st);

		one.size = (int64_t)st.st_size;
		one.inode = (int64_t)st.st_ino;
		one.changed = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
	}
	stamp[scope] = one;
	buf_release(&path);
	root_release(&root);
}

static void stat_files(void *ctx, struct buf *out, const struct report *r)
{
	struct mcp_stamp now[2] = {{0}};

	(void)ctx;
	(void)r;
	add_file(now, SCOPE_PROJECT);
	add_file(now, SCOPE_GLOBAL);
	buf_add(out, (const char *)now, sizeof(now));
}

/* Take the files as they are now; true if they were others. */
static bool take_stamp(struct mcp *m)
{
	struct buf now = {0};
	bool changed = false;

	if (deadline_read(stat_files, NULL, STAT_MS, &now, NULL, NULL) == 0 &&
	    now.len == sizeof(m->stamp)) {
		changed = memcmp(now.p, m->stamp, now.len) != 0;
		memcpy(m->stamp, now.p, now.len);
		m->looked = instant_monotonic_ms();
	} else {
		m->looked = instant_monotonic_ms() + AGAIN_MS - LOOK_MS;
	}
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
	left = m->looked + LOOK_MS - instant_monotonic_ms();
	return left > AGAIN_MS ? AGAIN_MS : left > 0 ? (int)left : 0;
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
