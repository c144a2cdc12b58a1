/* used.c: one session after the other: its memories, the record that its agent kept, and
 * the guesses for its events.
 */
#include "overview/why.h"

#include "agent/context.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "format/json-write.h"
#include "overview/usage.h"
#include "shown/shown.h"
#include "sys/file.h"
#include "transcript/listing.h"

#include <fcntl.h>

/* An event to mark. */
struct marked {
	struct value *event; /* the copy */
	struct value *items; /* those of its `memories`, copies too */
	const char *session; /* "": not known */
	struct instant at;
	bool guessed;
};

/* The current state of a memory in an item. */
struct known {
	int64_t id;
	enum scope scope;
	enum { UNREADABLE, GONE, THERE } state;
	char sum[SHA256_HEX]; /* of its file */
	const char *content;
	size_t len;
	size_t number; /* in the usage; NONE */
};

#define NEVER_MAX 12  /* ids in a line */
#define NONE SIZE_MAX /* a memory without a number */

struct used {
	struct marked *events;
	size_t n;
	struct store stores[2]; /* by scope */
	bool open[2];
	struct known *known; /* each memory once */
	size_t nknown, cap;
	struct sessions sessions;
	const struct used_ask *ask;
	struct arena *a;
	/* The conversation that is read. */
	struct usage *usage;
	struct instant now; /* of its last turn */
	bool timed;
};

/* Return a copy of MAP, in A, with room for two more pairs. */
static struct value copy_map(const struct value *map, struct arena *a)
{
	struct value copy = *map;

	copy.u.map.pairs =
		arena_alloc(a, (map->u.map.n + 2) * sizeof(*copy.u.map.pairs));
	memcpy(copy.u.map.pairs, map->u.map.pairs,
	       map->u.map.n * sizeof(*copy.u.map.pairs));
	return copy;
}

/* Return the session of EVENT; if it has none, the last one of its agent that had begun
 * by then; "": none. */
static const char *session_of(const struct used_ask *ask,
			      const struct value *event)
{
	const char *agent = value_text(event, "agent");
	const char *session = value_text(event, "session");

	for (size_t i = 0; !*session && i < ask->nall; i++) {
		const struct value *one = &ask->all[i];

		if (one > event && !strcmp(value_text(one, "agent"), agent))
			session = value_text(one, "session");
	}
	return session;
}

/* Copy EVENT into M. */
static void copy_event(struct used *u, struct marked *m,
		       const struct value *event)
{
	const struct value *list = value_get(event, "memories");
	const size_t n = list->u.list.n;
	const char *at = value_text(event, "at");

	*m = (struct marked){.session = session_of(u->ask, event)};
	instant_parse(at, strlen(at), &m->at);
	m->event = arena_alloc(u->a, sizeof(*m->event));
	*m->event = copy_map(event, u->a);
	m->items = arena_alloc(u->a, (n + 1) * sizeof(*m->items));
	for (size_t i = 0; i < n; i++) {
		const struct value *item = &list->u.list.items[i];

		m->items[i] =
			item->kind == VALUE_MAP ? copy_map(item, u->a) : *item;
	}
	for (size_t i = 0; i < m->event->u.map.n; i++) {
		struct value_pair *pair = &m->event->u.map.pairs[i];

		if (value_is(&pair->key, "memories"))
			pair->val.u.list.items = m->items;
	}
}

/* Read the memory K. */
static void read_memory(struct used *u, struct known *k)
{
	char operand[32];
	struct record r;
	struct err none;
	int found;

	if (!u->open[k->scope])
		return;
	snprintf(operand, sizeof(operand), "%lld", (long long)k->id);
	found = store_find(&u->stores[k->scope], AREA_ANY, operand, u->a, &r,
			   &none);
	if (found > 0 && shown_hash(r.path, k->sum)) {
		k->state = THERE;
		k->content = r.content;
		k->len = r.content_len;
	} else if (!found) {
		k->state = GONE;
	}
}

/* Return the memory of ITEM, or NULL if it is not one of this project or of the user. */
static struct known *find_memory(struct used *u, const struct value *item)
{
	const int64_t id = value_positive(item, "id");
	const bool global = value_is(value_get(item, "scope"), "global");
	const enum scope scope = global ? SCOPE_GLOBAL : SCOPE_PROJECT;
	struct known *k;

	if (!id || value_get(item, "project"))
		return NULL;
	for (size_t i = 0; i < u->nknown; i++) {
		if (u->known[i].id == id && u->known[i].scope == scope)
			return &u->known[i];
	}
	k = MEM_ADD(u->known, u->nknown, u->cap);
	*k = (struct known){.id = id, .scope = scope, .number = NONE};
	read_memory(u, k);
	return k;
}

/* Return true if K is what ITEM has. */
static bool is_same(const struct known *k, const struct value *item)
{
	return k && k->state == THERE &&
	       value_is(value_get(item, "sha256"), k->sum);
}

/* Return what became of the file of ITEM, a context: "same", "changed" or "gone"; NULL if
 * that is not known. */
static const char *state_of_context(struct used *u, const struct value *item)
{
	const bool global = value_is(value_get(item, "scope"), "global");
	const enum scope scope = global ? SCOPE_GLOBAL : SCOPE_PROJECT;
	char sum[SHA256_HEX];
	struct buf path = {0};
	const char *state = NULL;

	if (!u->open[scope] || value_get(item, "project"))
		return NULL;
	context_path(&path, &u->stores[scope]);
	if (shown_hash(path.p, sum))
		state = value_is(value_get(item, "sha256"), sum) ? "same"
								 : "changed";
	else if (file_is_gone(AT_FDCWD, path.p, false))
		state = "gone";
	buf_release(&path);
	return state;
}

/* Add to the items of M whether their files are still as they were shown. */
static void mark_files(struct used *u, struct marked *m)
{
	const size_t n = value_get(m->event, "memories")->u.list.n;

	for (size_t i = 0; i < n; i++) {
		struct value *item = &m->items[i];
		const struct known *k = find_memory(u, item);
		const char *state = NULL;

		if (item->kind != VALUE_MAP)
			continue;
		if (k && k->state == GONE)
			state = "gone";
		else if (k && k->state == THERE && value_text(item, "sha256"))
			state = is_same(k, item) ? "same" : "changed";
		else if (value_is(value_get(item, "why"), "context") &&
			 value_text(item, "sha256"))
			state = state_of_context(u, item);
		value_put(item, "file",
			  state ? value_str(state)
				: (struct value){.kind = VALUE_NULL});
	}
}

/* Add the memories of the events of SESSION to the usage. Return true if there are
 * any. */
static bool add_memories(struct used *u, const char *session)
{
	bool any = false;

	for (size_t i = 0; i < u->nknown; i++)
		u->known[i].number = NONE;
	for (size_t i = 0; i < u->n; i++) {
		const struct marked *m = &u->events[i];
		const size_t n = value_get(m->event, "memories")->u.list.n;

		if (strcmp(m->session, session) != 0)
			continue;
		for (size_t j = 0; j < n; j++) {
			struct known *k = find_memory(u, &m->items[j]);

			if (!is_same(k, &m->items[j]))
				continue;
			if (k->number == NONE)
				k->number = usage_add_memory(
					u->usage, k->content, k->len);
			any = true;
		}
	}
	return any;
}

static int add_turn(void *ctx, const struct turn *t, struct err *e)
{
	struct used *u = ctx;
	const bool agent = t->role && strcmp(t->role, TURN_USER) != 0;

	(void)e;
	u->timed =
		(t->time && instant_parse(t->time, strlen(t->time), &u->now)) ||
		u->timed;
	if (t->text)
		usage_add_turn(u->usage, agent, u->now, t->text, t->len);
	if (t->command)
		usage_add_turn(u->usage, agent, u->now, t->command,
			       t->command_len);
	for (size_t i = 0; i < t->nwritten; i++)
		usage_add_turn(u->usage, agent, u->now, t->written[i].u.s.p,
			       t->written[i].u.s.len);
	return 0;
}

/* Read the turns of SESSION. Return false if there is no record of it that can be read,
 * or none with times. */
static bool read_session(struct used *u, const char *session)
{
	const struct session *found = NULL;
	struct transcript t;
	struct err e;
	bool read;

	for (size_t i = 0; i < u->sessions.n && !found; i++) {
		const struct session *one = &u->sessions.items[i];

		if (one->id && !strcmp(one->id, session))
			found = one;
	}
	if (!found)
		return false;
	if (transcript_open(&t, found->path, &e) < 0) {
		err_report(u->ask->report, &e);
		return false;
	}
	t.format = found->agent;
	u->timed = false;
	u->now = (struct instant){0};
	read = transcript_each(&t, add_turn, u, &e) == 0;
	if (!read)
		err_report(u->ask->report, &e);
	transcript_close(&t);
	return read && u->timed;
}

/* Add GUESS to MAP. */
static void set_used(struct value *map, enum usage_guess guess)
{
	struct value v = {.kind = guess == USAGE_UNKNOWN ? VALUE_NULL
							 : VALUE_BOOL};

	v.u.b = guess == USAGE_USED;
	value_put(map, "used", v);
}

/* Set the guesses of M; READ: the record of its session was. */
static void set_guesses(struct used *u, struct marked *m, bool read)
{
	const size_t n = value_get(m->event, "memories")->u.list.n;
	enum usage_guess all = USAGE_UNKNOWN;

	for (size_t i = 0; i < n; i++) {
		struct value *item = &m->items[i];
		const struct known *k = read ? find_memory(u, item) : NULL;
		const enum usage_guess one =
			is_same(k, item) ? usage_of(u->usage, k->number, m->at)
					 : USAGE_UNKNOWN;

		if (item->kind == VALUE_MAP)
			set_used(item, one);
		all = one > all ? one : all;
	}
	set_used(m->event, all);
	m->guessed = true;
}

/* Set the guesses of all events of SESSION; "": of those without one. */
static void mark_session(struct used *u, const char *session)
{
	bool read;

	u->usage = usage_new();
	read = *session && add_memories(u, session) && read_session(u, session);
	for (size_t i = 0; i < u->n; i++) {
		if (!strcmp(u->events[i].session, session))
			set_guesses(u, &u->events[i], read);
	}
	usage_free(u->usage);
}

static void open_stores(struct used *u)
{
	struct err e;

	for (enum scope at = SCOPE_PROJECT; at <= SCOPE_GLOBAL; at++) {
		u->open[at] =
			store_open(&u->stores[at], at, u->ask->report, &e) == 0;
		if (!u->open[at])
			err_report(u->ask->report, &e);
	}
}

int why_mark_used(const struct value **events, size_t n,
		  const struct used_ask *ask, struct arena *a, struct err *e)
{
	struct used u = {.n = n, .ask = ask, .a = a, .sessions.a = a};
	const struct listing all = {.all = true};

	if (ask->guess && listing_find(&u.sessions, &all, ask->report, e) < 0)
		return -1;
	open_stores(&u);
	u.events = mem_alloc((n + 1) * sizeof(*u.events));
	for (size_t i = 0; i < n; i++)
		copy_event(&u, &u.events[i], events[i]);
	for (size_t i = 0; i < n; i++) {
		progress_step(ask->progress, "events", i, n);
		if (ask->files)
			mark_files(&u, &u.events[i]);
		if (ask->guess && !u.events[i].guessed)
			mark_session(&u, u.events[i].session);
		events[i] = u.events[i].event;
	}
	for (size_t i = 0; i < ARRAY_LEN(u.stores); i++) {
		if (u.open[i])
			store_close(&u.stores[i]);
	}
	listing_release(&u.sessions);
	free(u.events);
	free(u.known);
	return 0;
}

/* Counting: the ids that the events have, ascending. */
struct counting {
	int64_t *ids;
	size_t nids, cap;
	struct used_counts *out;
	size_t never_cap;
};

static int compare_ids(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void count_item(struct counting *c, const struct value *item)
{
	const int64_t id = value_positive(item, "id");

	if (!id || value_get(item, "project") ||
	    !value_is(value_get(item, "scope"), "project"))
		return;
	c->out->times++;
	c->out->used += value_is_true(value_get(item, "used"));
	*MEM_ADD(c->ids, c->nids, c->cap) = id;
}

static int count_memory(void *ctx, const struct record *r)
{
	struct counting *c = ctx;
	struct used_counts *out = c->out;

	if (c->nids &&
	    bsearch(&r->id, c->ids, c->nids, sizeof(r->id), compare_ids)) {
		out->given++;
		return 0;
	}
	*MEM_ADD(out->never, out->nnever, c->never_cap) = r->id;
	return 0;
}

int why_count_used(struct store *s, const struct used_ask *ask,
		   struct used_counts *out, struct err *e)
{
	struct used_ask whole = *ask;
	struct counting c = {.out = out};
	const struct value **events;
	struct arena a = {0};
	int r = 0;

	*out = (struct used_counts){.guessed = ask->guess};
	if (shown_list_all(&whole.all, &whole.nall, &a, e) < 0) {
		err_report(ask->report, e);
		arena_release(&a);
		return 0;
	}
	events = arena_alloc(&a, (whole.nall + 1) * sizeof(struct value *));
	for (size_t i = 0; i < whole.nall; i++)
		events[i] = &whole.all[i];
	if (ask->guess)
		r = why_mark_used(events, whole.nall, &whole, &a, e);
	for (size_t i = 0; i < whole.nall; i++) {
		const struct value *list = value_get(events[i], "memories");

		for (size_t k = 0; k < list->u.list.n; k++)
			count_item(&c, &list->u.list.items[k]);
	}
	MEM_SORT(c.ids, c.nids, compare_ids);
	if (!r && out->times)
		r = store_each(s, AREA_MEMORIES, count_memory, &c, e);
	MEM_SORT(out->never, out->nnever, compare_ids);
	free(c.ids);
	arena_release(&a);
	return r < 0 ? -1 : 0;
}

void why_used_text(struct buf *out, const struct used_counts *c)
{
	if (!c->times)
		return;
	buf_addf(out, "given to agents: %zu times, %zu memories", c->times,
		 c->given);
	if (c->guessed)
		buf_addf(out, "; used, as a guess: %zu", c->used);
	buf_addf(out, "\nnever given: %zu", c->nnever);
	for (size_t i = 0; i < c->nnever && i < NEVER_MAX; i++)
		buf_addf(out, "%s%lld", i ? ", " : " (",
			 (long long)c->never[i]);
	if (c->nnever)
		buf_adds(out, c->nnever > NEVER_MAX ? ", ...)" : ")");
	buf_addc(out, '\n');
}

void why_used_json(struct buf *out, const char *key,
		   const struct used_counts *c)
{
	if (!c->times)
		return;
	json_write_open(out, key, '{');
	json_write_size(out, "times", c->times);
	if (c->guessed)
		json_write_size(out, "used", c->used);
	json_write_size(out, "memories", c->given);
	json_write_open(out, "never", '[');
	for (size_t i = 0; i < c->nnever; i++)
		json_write_int(out, NULL, c->never[i]);
	buf_adds(out, "]}");
}
