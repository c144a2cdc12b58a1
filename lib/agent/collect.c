/* collect.c: see collect.h. */
#include "agent/collect.h"

#include "agent/remember.h"
#include "store/save.h"
#include "text/request-mark.h"
#include "transcript/transcript.h"

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

/* See remember.h: what a person asks for in the turn T. */
static int take_turn(void *ctx, const struct turn *t, struct err *e)
{
	struct collecting *ing = ctx;

	(void)e; /* that is ing->e */
	if (!t->text || !t->role || strcmp(t->role, TURN_USER) != 0 ||
	    request_mark_is_in(t->text, t->len))
		return 0;
	ing->c->said++;
	return remember_each(t->text, t->len, save, ing);
}

/* The project's store, if there is a project. */
static int open_store(struct store *s, const struct report *r, struct err *e)
{
	int result = store_open(s, SCOPE_PROJECT, r, e);

	if (result == 0 && s->repo.root.fd < 0) {
		store_close(s);
		result = store_open(s, SCOPE_GLOBAL, r, e);
	}
	s->command = "co-hook";
	return result;
}

/* Open the record of EV's session. */
static int open_record(struct transcript *t, const struct event *ev,
		       struct err *e)
{
	if (transcript_open(t, ev->transcript, e) < 0)
		return -1;
	transcript_format_find(agent_name(ev->agent), &t->format);
	return 0;
}

int collect_drafts(struct collected *c, const struct event *ev,
		   const struct report *r, struct err *e)
{
	struct arena a = {0};
	struct transcript t;
	struct store store;
	struct collecting ing = {
		.c = c, .store = &store, .report = r, .a = &a, .e = e};
	int result = -1;

	memset(c, 0, sizeof(*c));
	ing.source = *ev->session
			     ? arena_printf(&a, "%s/%s", agent_name(ev->agent),
					    ev->session)
			     : agent_name(ev->agent);
	if (open_record(&t, ev, e) < 0)
		goto out;
	if (open_store(&store, r, e) < 0)
		goto close;
	result = transcript_each(&t, take_turn, &ing, e);
	c->skipped = t.skipped;
	store_close(&store);
close:
	transcript_close(&t);
out:
	arena_release(&a);
	return result < 0 ? -1 : 0;
}

/* A turn that is news, or the end of it; a command of the agent's is neither. */
static int weigh(void *ctx, const struct turn *t, struct err *e)
{
	static const char tool[] = "save_memory";
	const size_t n = t->tool ? strlen(t->tool) : 0;
	bool *news = ctx;

	(void)e;
	if (n >= sizeof(tool) - 1 &&
	    !strcmp(t->tool + n + 1 - sizeof(tool), tool))
		*news = false;
	else if (t->text && t->len && t->role && !strcmp(t->role, TURN_USER) &&
		 *t->text != '/' && *t->text != '!')
		*news = true;
	return 0;
}

int collect_news(bool *news, const struct event *ev, struct err *e)
{
	struct transcript t;
	int r;

	*news = false;
	if (open_record(&t, ev, e) < 0)
		return -1;
	r = transcript_each(&t, weigh, news, e);
	transcript_close(&t);
	return r;
}
