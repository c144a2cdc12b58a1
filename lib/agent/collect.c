/* collect.c: see collect.h. */
#include "agent/collect.h"

#include "agent/remember.h"
#include "agent/transcript.h"
#include "store/save.h"

#define DRAFTS_MAX 200 /* of one session; nobody reviews more */
#define TRIES 20       /* at a store that is locked, half a minute each */

struct collecting {
	struct collected *c;
	struct store *store;
	const char *source;
	const struct report *report;
	struct arena *a;
	struct err *e;
};

/* Save N unless it is known, as save_unknown().  Nobody waits for it, and
 * nobody would say it again: a store that is locked is waited for. */
static int save_patiently(struct collecting *ing, const struct store_new *n,
			  struct err *why)
{
	enum area where;
	struct record r;
	int known = -1;

	for (int i = 0; i < TRIES; i++) {
		known = save_unknown(ing->store, n, ing->a, &r, &where, why);
		if (known >= 0 || why->code != ERR_BUSY)
			break;
	}
	return known;
}

/* Save the LEN bytes of P as a draft, unless they are known. */
static int save(void *ctx, const char *p, size_t len)
{
	struct collecting *ing = ctx;
	struct store_new n = {
		.content = p, .len = len, .source = ing->source, .draft = true};
	struct err why;
	bool made;
	int known;

	if (ing->c->saved == DRAFTS_MAX)
		return 1;
	ing->c->asked++;
	/* Made first: what is not there cannot be locked. */
	if (store_make(ing->store, &made, ing->e) < 0)
		return -1;
	known = save_patiently(ing, &n, &why);
	if (known < 0 && why.code != ERR_DATA) {
		*ing->e = why;
		return -1;
	}
	if (known < 0) {
		ing->c->refused++;
		err_report(ing->report, &why);
	}
	ing->c->saved += known == 0;
	return 0;
}

/* The project's store, if there is a project. */
static int open_store(struct store *s, const struct report *r, struct err *e)
{
	if (store_open(s, SCOPE_PROJECT, r, e) < 0)
		return -1;
	if (s->repo.root.fd >= 0)
		return 0;
	store_close(s);
	return store_open(s, SCOPE_GLOBAL, r, e);
}

int collect_drafts(struct collected *c, const struct event *ev,
		   const struct report *r, struct err *e)
{
	struct arena a = {0};
	struct transcript t = {0};
	struct store store;
	struct collecting ing = {
		.c = c, .store = &store, .report = r, .a = &a, .e = e};
	int result = -1;

	memset(c, 0, sizeof(*c));
	ing.source = *ev->session
			     ? arena_printf(&a, "%s/%s", agent_name(ev->agent),
					    ev->session)
			     : agent_name(ev->agent);
	if (transcript_read(&t, ev->agent, ev->transcript, &a, e) < 0 ||
	    open_store(&store, r, e) < 0)
		goto out;
	c->said = t.n;
	c->skipped = t.skipped;
	result = 0;
	for (size_t i = 0; i < t.n && !result; i++)
		result = remember_each(t.items[i].text, t.items[i].len, save,
				       &ing);
	store_close(&store);
out:
	transcript_release(&t);
	arena_release(&a);
	return result < 0 ? -1 : 0;
}
