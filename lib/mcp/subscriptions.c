/* subscriptions.c: tell clients that the always-loaded context has changed.
 *
 * The lists that co mcp offers never change, and a memory is read when it is
 * needed. So co://context is the only resource to subscribe to. Its files are
 * looked at once a second while a client listens: a child process checks them, since
 * a disk may never respond.
 *
 * The context of a store is its context.md and the rules, which are memories
 * (see agent/rules.h). The rules are read again if a directory of memories, or
 * the file of a rule, has changed since the last check. A memory that becomes a
 * rule in place, in an unchanged directory, is noticed at the next change.
 *
 * The stamp of a context is a string of bytes, since another process makes it:
 * for each scope a struct mark, then the paths of its rules, each ending in a
 * NUL.
 */
#include "mcp/mcp.h"

#include "agent/context.h"
#include "base/hash.h"
#include "cache/cache.h"
#include "mcp/server.h"
#include "sys/deadline.h"

#define LOOK_MS 1000	/* between two checks */
#define LOOK_MAX_MS 500 /* time limit of a check */
#define AGAIN_MS 60000	/* the longest time between two checks */

struct mark {
	uint64_t context; /* the stat of context.md */
	uint64_t rules;	  /* hash of the text of the rules */
	uint64_t places;  /* hash of the stats of the directories of memories
			   * and of the rules' files; 0: one of them was changed
			   * just now */
	size_t len;	  /* length of the paths of the rules, which follow */
};

/* A check of one store. */
struct look {
	struct store store;
	uint64_t hash;
	int64_t sure;
	bool unsure; /* something was changed just now */
};

static void add_stat(struct look *l, const struct stat *st)
{
	const struct filestat f = filestat_of(st);

	l->hash = hash_bytes(&f, sizeof(f), l->hash);
	l->unsure = l->unsure || !filestat_is_sure(&f, l->sure);
}

static uint64_t hash_context(struct look *l)
{
	struct stat st;

	l->hash = 1;
	if (!fstatat(l->store.repo.fd, "context.md", &st, 0))
		add_stat(l, &st);
	return l->hash;
}

/* Return a hash of the stats of the directories of memories and of the rules, whose
 * paths are the LEN bytes of PATHS; 0 if one was changed just now. */
static uint64_t hash_places(struct look *l, const char *paths, size_t len)
{
	char folder[] = LAYOUT_MEMORIES "/00";
	struct stat st;

	l->hash = 1;
	l->unsure = false;
	if (layout_stat(&l->store.repo, LAYOUT_MEMORIES, &st) == 1)
		add_stat(l, &st);
	for (int n = 0; n < 100; n++) {
		folder[9] = (char)('0' + n / 10);
		folder[10] = (char)('0' + n % 10);
		if (layout_stat(&l->store.repo, folder, &st) == 1)
			add_stat(l, &st);
	}
	for (const char *p = paths; p < paths + len; p += strlen(p) + 1) {
		if (!stat(p, &st))
			add_stat(l, &st);
	}
	return l->unsure ? 0 : l->hash;
}

/* Read the rules into M, and append their paths to OUT. */
static void read_rules(struct look *l, struct mark *m, struct buf *out)
{
	const size_t start = out->len;
	struct rules rules;
	struct buf text = {0};
	struct err e;

	rules_find(&rules, &l->store, &e);
	rules_text(&text, &rules);
	for (size_t i = 0; i < rules.n; i++)
		buf_add(out, rules.items[i].path,
			strlen(rules.items[i].path) + 1);
	m->rules = hash_bytes(buf_str(&text), text.len, 1);
	m->len = out->len - start;
	m->places = hash_places(l, buf_str(out) + start, m->len);
	rules_release(&rules);
	buf_release(&text);
}

/* Update M, whose rules have the paths PATHS, from the open store of L. Append the
 * paths of its rules now to OUT. */
static void update_mark(struct look *l, struct mark *m, const char *paths,
			struct buf *out)
{
	/* A later change has a stat that is not sure, so it is noticed by the
	 * next check. */
	l->sure = filestat_sure(l->store.repo.fd);
	m->context = hash_context(l);
	if (m->places && hash_places(l, paths, m->len) == m->places)
		buf_add(out, paths, m->len);
	else
		read_rules(l, m, out);
}

/* Append the mark of SCOPE, which was WAS with PATHS. Return true if it changed. */
static bool add_mark(struct buf *out, enum scope scope, const struct mark *was,
		     const char *paths)
{
	const size_t start = out->len;
	struct mark m = *was;
	struct look l = {.hash = 0};
	struct err e;

	buf_add(out, (const char *)&m, sizeof(m));
	if (store_open(&l.store, scope, NULL, &e) < 0) {
		buf_add(out, paths, m.len);
		return false;
	}
	if (l.store.repo.fd >= 0)
		update_mark(&l, &m, paths, out);
	else
		m = (struct mark){.context = 0};
	store_close(&l.store);
	memcpy(out->p + start, &m, sizeof(m));
	return m.context != was->context || m.rules != was->rules;
}

/* Set STAMP, empty or from an earlier look, from the files. Return true if the
 * context has changed. */
static bool read_stamp(struct buf *stamp)
{
	static const struct mark none;
	const char *p = stamp->p;
	struct buf now = {0};
	bool changed = false;

	for (enum scope scope = SCOPE_PROJECT; scope <= SCOPE_GLOBAL; scope++) {
		struct mark was = none;

		if (stamp->len)
			memcpy(&was, p, sizeof(was));
		p += stamp->len ? sizeof(was) : 0;
		changed = add_mark(&now, scope, &was, p) || changed;
		p += was.len;
	}
	buf_release(stamp);
	*stamp = now;
	return changed;
}

/* A deadline_read_fn: append a byte that is 1 if the context has changed, and
 * its new stamp. */
static void look_at_context(void *ctx, struct buf *out, const struct report *r)
{
	const struct mcp *m = ctx;
	struct buf stamp = {0};

	(void)r;
	buf_add(&stamp, buf_str(&m->stamp), m->stamp.len);
	buf_addc(out, read_stamp(&stamp));
	buf_add(out, stamp.p, stamp.len);
	buf_release(&stamp);
}

/* Update the stamp. Return true if the context has changed, or may have changed
 * because no check has ended since a client began to listen. If a check does
 * not end in time, the time to the next one doubles: a machine may be busy for
 * a moment, or a disk may be gone. */
static bool update_stamp(struct mcp *m)
{
	struct buf now = {0};
	bool changed = false;

	if (deadline_read(look_at_context, m, LOOK_MAX_MS, &now, NULL, NULL) ==
	    0) {
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

	if (value_is(uri, MCP_SERVER_CONTEXT))
		return true;
	mcp_call_refuse(m, c, RPC_PARAMS,
			"only " MCP_SERVER_CONTEXT " can be subscribed to",
			NULL);
	return false;
}

void mcp_subscriptions_subscribe(struct mcp *m, struct mcp_call *c)
{
	if (!is_context(m, c))
		return;
	if (!watches(m))
		update_stamp(m);
	m->subscribed = true;
	mcp_call_answer(m, c, "complete", NULL);
}

void mcp_subscriptions_unsubscribe(struct mcp *m, struct mcp_call *c)
{
	if (!is_context(m, c))
		return;
	m->subscribed = false;
	mcp_call_answer(m, c, "complete", NULL);
}

/* Return true if LIST, of URIs, has the context. */
static bool names_context(const struct value *list)
{
	const struct value context = value_str(MCP_SERVER_CONTEXT);

	return value_has_item(list, &context);
}

/* Send METHOD to the client that listens by C. INSIDE is the text in its params. */
static void send_update(struct mcp *m, const struct mcp_call *c,
			const char *method, const char *inside)
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

static size_t count_listeners(const struct mcp *m)
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
	if (count_listeners(m) == MCP_ASIDE_MOST) {
		mcp_call_refuse(m, c, RPC_INTERNAL, "too many listen already",
				NULL);
		return;
	}
	c->watches = names_context(value_get(wanted, "resourceSubscriptions"));
	if (c->watches && !watches(m))
		update_stamp(m);
	mcp_listen(m, c);
	send_update(m, c, "notifications/subscriptions/acknowledged",
		    c->watches ? "\"notifications\":{\"resourceSubscriptions\":"
				 "[\"" MCP_SERVER_CONTEXT "\"]}"
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
	static const char uri[] = "\"uri\":\"" MCP_SERVER_CONTEXT "\"";

	if (mcp_subscriptions_patience(m) != 0 || !update_stamp(m))
		return;
	if (m->subscribed)
		send_update(m, NULL, updated, uri);
	for (const struct mcp_call *c = m->listens; c; c = c->next) {
		if (c->watches)
			send_update(m, c, updated, uri);
	}
}
