#include "agent/collect.h"

#include "agent/remember.h"
#include "reader/reader.h"
#include "shown/reads.h"
#include "store/save.h"
#include "text/injected.h"
#include "transcript/transcript.h"
#include "transcript/unsaved.h"

#define DRAFTS_MAX 200 /* per session; a person would not review more */
#define TRIES 20       /* if the store is locked; each waits half a minute */

struct collecting {
	struct collected *c;
	struct store *store; /* NULL: it could not be opened */
	const char *source;
	const struct value *extra; /* keys of the drafts, or NULL */
	const struct report *report;
	struct unsaved kept;
	struct arena *a;
	struct err *e; /* the error for which texts are kept */
};

/* Save the LEN bytes of P as a draft, but wait long for a store that is locked: no person
 * waits for the answer, and the person would not repeat the request. Return as
 * save_memory(). */
static int save_patiently(struct collecting *ing, const char *p, size_t len,
			  struct err *why)
{
	const struct store_new n = {.content = p,
				    .len = len,
				    .source = ing->source,
				    .extra = ing->extra,
				    .draft = true,
				    .when = SAVE_UNLESS_KNOWN};
	struct record r;
	bool made;
	int known = -1;

	/* Make the store first: a store that does not exist cannot be locked. */
	if (store_make(ing->store, &made, why) < 0)
		return -1;
	for (int i = 0; i < TRIES; i++) {
		known = save_memory(ing->store, &n, ing->a, &r, why);
		if (known >= 0 || why->code != ERR_BUSY)
			break;
	}
	return known;
}

/* Keep the LEN bytes of P for a later session. */
static void keep_unsaved(struct collecting *ing, const char *p, size_t len)
{
	if (unsaved_add(&ing->kept, p, len))
		ing->c->kept++;
	else
		ing->c->refused++;
}

/* A remember_fn: save the LEN bytes of P as a draft unless they are known. If
 * that fails, keep them for a later session. */
static int save_request(void *ctx, const char *p, size_t len)
{
	struct collecting *ing = ctx;
	struct err why;
	int known;

	if (ing->c->saved + ing->c->kept == DRAFTS_MAX)
		return 1;
	ing->c->asked++;
	/* If the store has failed once, do not wait for it again. */
	if (!ing->store || ing->c->kept) {
		keep_unsaved(ing, p, len);
		return 0;
	}
	known = save_patiently(ing, p, len, &why);
	if (known < 0 && why.code == ERR_DATA) {
		ing->c->refused++;
		err_report(ing->report, &why);
	} else if (known < 0) {
		*ing->e = why;
		keep_unsaved(ing, p, len);
	}
	ing->c->saved += known == 0;
	return 0;
}

/* A turn_fn: save the requests of a person in the turn T. */
static int find_requests(void *ctx, const struct turn *t, struct err *e)
{
	struct collecting *ing = ctx;

	(void)e; /* errors go to ing->e */
	if (!t->text || !t->role || strcmp(t->role, TURN_USER) != 0 ||
	    injected_is_request(t->text, t->len))
		return 0;
	ing->c->said++;
	return remember_each(t->text, t->len, save_request, ing);
}

/* Open the project's store, or the user's if there is no project. */
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

/* Set IS, in A, to the identity of the store of open_store(), even if it cannot
 * be opened. Return false if there is none. */
static bool find_identity(struct identity *is, struct arena *a)
{
	struct root root;

	if (root_find(&root, SCOPE_PROJECT, NULL) < 0)
		return false;
	if (root.fd < 0) {
		root_release(&root);
		if (root_find(&root, SCOPE_GLOBAL, NULL) < 0)
			return false;
	}
	identity_of(is, &root, NULL); /* without an id, its directory identifies
				       * it */
	is->path = arena_strdup(a, is->path);
	root_release(&root);
	return true;
}

/* Store on disk the texts that could not be saved. Return -1 if there are any. */
static int store_kept(struct collecting *ing)
{
	struct identity store;
	const bool known = find_identity(&store, ing->a);
	struct err why;
	int r = 0;

	if (ing->c->kept) {
		ing->kept.store = &store;
		ing->kept.source = ing->source;
		ing->kept.why = ing->e->text;
		r = -1;
		if (!known || unsaved_keep(&ing->kept, &why) < 0) {
			ing->c->kept = 0;
			if (known)
				err_report(ing->report, &why);
		}
	}
	buf_release(&ing->kept.texts);
	return r;
}

/* Open the record of EV's session. */
static int open_record(struct transcript *t, const struct event *ev,
		       struct err *e)
{
	if (transcript_open(t, ev->transcript, e) < 0)
		return -1;
	transcript_format_find(ev->agent->name, &t->format);
	return 0;
}

struct outside {
	struct strings *from;
	struct arena *a;
};

/* A turn_fn: add the tool of T if it brought text from outside. */
static int add_outside(void *ctx, const struct turn *t, struct err *e)
{
	struct outside *o = ctx;

	(void)e;
	if (t->tool && reader_is_outside_tool(t->tool) &&
	    o->from->n < READS_MAX && !strings_has(o->from, t->tool))
		strings_add(o->from, arena_strdup(o->a, t->tool));
	return 0;
}

/* Add to FROM, in A, where EV's session has read text from outside: what hooks have
 * noted, else what the record of the session names. */
static void find_outside(struct strings *from, const struct event *ev,
			 struct arena *a)
{
	struct outside o = {from, a};
	struct transcript t;
	struct err none; /* the caller reads the record again */

	reads_find(from, ev->agent->name, ev->session, reads_recent(), a, NULL);
	if (from->n || open_record(&t, ev, &none) < 0)
		return;
	transcript_each(&t, add_outside, &o, &none);
	transcript_close(&t);
}

int collect_drafts(struct collected *c, const struct event *ev,
		   const struct report *r, struct err *e)
{
	struct arena a = {0};
	struct transcript t;
	struct store store;
	struct strings from = {0};
	struct err failure;
	struct collecting ing = {
		.c = c, .store = &store, .report = r, .a = &a, .e = &failure};
	int result = -1;

	memset(c, 0, sizeof(*c));
	find_outside(&from, ev, &a);
	ing.extra = compose_read_keys(&from, &a);
	ing.source = *ev->session ? arena_printf(&a, "%s/%s", ev->agent->name,
						 ev->session)
				  : ev->agent->name;
	if (open_record(&t, ev, e) < 0)
		goto out;
	if (open_store(&store, r, &failure) < 0)
		ing.store = NULL;
	result = transcript_each(&t, find_requests, &ing, e);
	c->skipped = t.skipped;
	if (ing.store)
		store_close(&store);
	/* collect_again() has no record of the session, and runs later than reads
	 * without a session count. */
	for (size_t i = 0; c->kept && i < from.n; i++)
		reads_note(ev->agent->name, ev->session, from.items[i]);
	if (store_kept(&ing) < 0) {
		*e = failure;
		result = -1;
	}
	transcript_close(&t);
out:
	free(from.items);
	arena_release(&a);
	return result < 0 ? -1 : 0;
}

size_t collect_waiting(const char **why, struct arena *a)
{
	struct unsaved_found found = {0};
	struct identity store;

	if (find_identity(&store, a))
		unsaved_look(&found, &store, a);
	*why = found.why;
	return found.n;
}

/* An unsaved_fn: save a text that was kept as a draft. */
static int save_again(void *ctx, const char *source, const char *p, size_t len,
		      struct err *e)
{
	struct collecting *ing = ctx;
	const char *slash = strchr(source, '/');
	struct strings from = {0};
	int known;

	/* SOURCE is AGENT/SESSION, see collect_drafts(). */
	reads_find(&from,
		   slash ? arena_copy(ing->a, source, (size_t)(slash - source))
			 : source,
		   slash ? slash + 1 : "", slash ? reads_recent() : 0, ing->a,
		   NULL);
	ing->extra = compose_read_keys(&from, ing->a);
	ing->source = source;
	ing->c->asked++;
	known = save_patiently(ing, p, len, e);
	free(from.items);
	if (known < 0 && e->code != ERR_DATA)
		return -1;
	if (known < 0) {
		ing->c->refused++;
		err_report(ing->report, e);
	}
	ing->c->saved += known == 0;
	return 0;
}

int collect_again(struct collected *c, const struct report *r, struct err *e)
{
	struct arena a = {0};
	struct store store;
	struct collecting ing = {
		.c = c, .store = &store, .report = r, .a = &a, .e = e};
	struct unsaved_found found = {0};
	struct identity is;
	int result = 0;

	*c = (struct collected){0};
	if (find_identity(&is, &a))
		unsaved_look(&found, &is, &a);
	if (found.n) {
		result = open_store(&store, r, e);
		if (!result) {
			result = unsaved_each(&is, save_again, &ing, e);
			store_close(&store);
		}
	}
	arena_release(&a);
	return result;
}

/* A turn_fn: set *CTX to true at a turn of the person, and to false at a
 * proposal of the model. Commands of the agent itself are ignored. */
static int find_news(void *ctx, const struct turn *t, struct err *e)
{
	static const char tool[] = SAVE_TOOL;
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
	r = transcript_each(&t, find_news, news, e);
	transcript_close(&t);
	return r;
}
