/* used.c: one session after the other: its memories, the record that its agent kept, and
 * the guesses for its events.
 */
#include "overview/used.h"

#include "base/mem.h"
#include "format/json-write.h"
#include "overview/usage.h"
#include "shown/shown.h"
#include "shown/shown-list.h"
#include "transcript/listing.h"

/* An event to mark. */
struct marked {
	struct value *event; /* the copy */
	struct value *items; /* those of its `memories`, copies too */
	const char *session; /* NULL: not known */
	size_t *memories;    /* the number of each item in the usage */
	struct instant at;
};

#define NEVER_MAX 12  /* ids in a line */
#define NONE SIZE_MAX /* an item without a number */

struct used {
	struct marked *events;
	size_t n;
	struct store stores[2]; /* by scope */
	bool open[2];
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
 * by then; NULL: none. */
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
	return *session ? session : NULL;
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
	m->memories = arena_alloc(u->a, (n + 1) * sizeof(*m->memories));
	for (size_t i = 0; i < n; i++) {
		const struct value *item = &list->u.list.items[i];

		m->items[i] =
			item->kind == VALUE_MAP ? copy_map(item, u->a) : *item;
		m->memories[i] = NONE;
	}
	for (size_t i = 0; i < m->event->u.map.n; i++) {
		struct value_pair *pair = &m->event->u.map.pairs[i];

		if (value_is(&pair->key, "memories"))
			pair->val.u.list.items = m->items;
	}
}

/* Read the memory of ITEM into R, in A. Return "same" or "changed" since it was given,
 * "gone", or NULL if that is not known: it is of another project, or cannot be read. */
static const char *read_memory(struct used *u, const struct value *item,
			       struct arena *a, struct record *r)
{
	const struct value *id = value_get(item, "id");
	const char *sum = value_text(item, "sha256");
	const bool global = value_is(value_get(item, "scope"), "global");
	const enum scope scope = global ? SCOPE_GLOBAL : SCOPE_PROJECT;
	char operand[32];
	struct err none;
	int found;

	if (!id || id->kind != VALUE_INT || id->u.i <= 0 || !sum ||
	    value_get(item, "project") || !u->open[scope])
		return NULL;
	snprintf(operand, sizeof(operand), "%lld", (long long)id->u.i);
	found = store_find(&u->stores[scope], AREA_ANY, operand, a, r, &none);
	if (found <= 0)
		return found ? NULL : "gone";
	return shown_is_file(r->path, sum) ? "same" : "changed";
}

/* Let the items of M say whether their files are what was given. */
static void mark_files(struct used *u, struct marked *m)
{
	const size_t n = value_get(m->event, "memories")->u.list.n;
	struct arena a = {0};

	for (size_t i = 0; i < n; i++) {
		struct record r;
		const char *now = read_memory(u, &m->items[i], &a, &r);
		const struct value none = {.kind = VALUE_NULL};

		if (m->items[i].kind == VALUE_MAP)
			value_put(&m->items[i], "file",
				  now ? value_str(now) : none);
		arena_reset(&a);
	}
	arena_release(&a);
}

/* A memory that was added to the usage, and its number there. */
struct added {
	int64_t id;
	bool global;
	size_t number;
};

/* Return the number of the memory R, which has been added to the N ADDED or is added now. */
static size_t add_memory(struct used *u, struct added *added, size_t *n,
			 const struct record *r)
{
	const bool global = r->scope == SCOPE_GLOBAL;

	for (size_t i = 0; i < *n; i++) {
		if (added[i].id == r->id && added[i].global == global)
			return added[i].number;
	}
	added[*n] = (struct added){
		r->id, global,
		usage_add_memory(u->usage, r->content, r->content_len)};
	return added[(*n)++].number;
}

/* Add the memories of the events of SESSION to the usage. Return how many they are. */
static size_t add_memories(struct used *u, const char *session)
{
	struct added *added = NULL;
	struct arena a = {0};
	size_t nadded = 0, cap = 0;

	for (size_t i = 0; i < u->n; i++) {
		struct marked *m = &u->events[i];
		const size_t n = value_get(m->event, "memories")->u.list.n;

		if (!m->session || strcmp(m->session, session) != 0)
			continue;
		for (size_t k = 0; k < n; k++) {
			struct record r;

			const char *now = read_memory(u, &m->items[k], &a, &r);

			if (!now || strcmp(now, "same") != 0)
				continue;
			added = mem_grow(added, nadded, &cap, sizeof(*added));
			m->memories[k] = add_memory(u, added, &nadded, &r);
		}
		arena_reset(&a);
	}
	arena_release(&a);
	free(added);
	return nadded;
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
	read = transcript_each(&t, add_turn, u, &e) == 0;
	if (!read)
		err_report(u->ask->report, &e);
	transcript_close(&t);
	return read && u->timed;
}

/* Let MAP say the GUESS. */
static void set_used(struct value *map, enum usage_guess guess)
{
	struct value v = {.kind = guess == USAGE_UNKNOWN ? VALUE_NULL
							 : VALUE_BOOL};

	v.u.b = guess == USAGE_USED;
	value_put(map, "used", v);
}

/* Set the guesses of M; KNOWN: the record of its session was read. */
static void set_guesses(const struct used *u, struct marked *m, bool known)
{
	const size_t n = value_get(m->event, "memories")->u.list.n;
	enum usage_guess all = USAGE_UNKNOWN;

	for (size_t i = 0; i < n; i++) {
		const enum usage_guess one =
			known && m->memories[i] != NONE
				? usage_of(u->usage, m->memories[i], m->at)
				: USAGE_UNKNOWN;

		if (m->items[i].kind == VALUE_MAP)
			set_used(&m->items[i], one);
		all = one > all ? one : all;
	}
	set_used(m->event, all);
}

/* Set the guesses of all events of SESSION, NULL: of those without a session. They have
 * no session afterwards, and a copy of their own is marked once. */
static void mark_session(struct used *u, const char *session, bool *done)
{
	bool known = false;

	u->usage = usage_new();
	if (session && add_memories(u, session))
		known = read_session(u, session);
	for (size_t i = 0; i < u->n; i++) {
		struct marked *m = &u->events[i];

		if (!done[i] &&
		    (session ? m->session && !strcmp(m->session, session)
			     : !m->session)) {
			set_guesses(u, m, known);
			done[i] = true;
		}
	}
	usage_free(u->usage);
}

static void open_stores(struct used *u)
{
	static const enum scope scopes[] = {SCOPE_PROJECT, SCOPE_GLOBAL};
	struct err e;

	for (size_t i = 0; i < ARRAY_LEN(scopes); i++) {
		u->open[scopes[i]] =
			store_open(&u->stores[scopes[i]], scopes[i],
				   u->ask->report, &e) == 0;
		if (!u->open[scopes[i]])
			err_report(u->ask->report, &e);
	}
}

int used_mark(const struct value **events, size_t n, const struct used_ask *ask,
	      struct arena *a, struct err *e)
{
	struct used u = {.n = n, .ask = ask, .a = a, .sessions.a = a};
	const struct listing all = {.all = true};
	bool *done;

	if (ask->guess && listing_find(&u.sessions, &all, ask->report, e) < 0)
		return -1;
	open_stores(&u);
	done = mem_alloc(n + 1);
	u.events = mem_alloc((n + 1) * sizeof(*u.events));
	for (size_t i = 0; i < n; i++)
		copy_event(&u, &u.events[i], events[i]);
	for (size_t i = 0; i < n; i++) {
		progress_step(ask->progress, "events", i, n);
		if (ask->files)
			mark_files(&u, &u.events[i]);
		if (ask->guess && !done[i])
			mark_session(&u, u.events[i].session, done);
		events[i] = u.events[i].event;
	}
	for (size_t i = 0; i < ARRAY_LEN(u.stores); i++) {
		if (u.open[i])
			store_close(&u.stores[i]);
	}
	sessions_release(&u.sessions);
	free(u.events);
	free(done);
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
	const struct value *id = value_get(item, "id");

	if (!id || id->kind != VALUE_INT || value_get(item, "project") ||
	    !value_is(value_get(item, "scope"), "project"))
		return;
	c->out->times++;
	c->out->used += value_is_true(value_get(item, "used"));
	c->ids = mem_grow(c->ids, c->nids, &c->cap, sizeof(*c->ids));
	c->ids[c->nids++] = id->u.i;
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
	out->never = mem_grow(out->never, out->nnever, &c->never_cap,
			      sizeof(*out->never));
	out->never[out->nnever++] = r->id;
	return 0;
}

int used_count(struct store *s, const struct used_ask *ask,
	       struct used_counts *out, struct err *e)
{
	struct used_ask whole = *ask;
	struct counting c = {.out = out};
	const struct value **events;
	struct arena a = {0};
	int r = 0;

	*out = (struct used_counts){0};
	whole.nall = shown_list_all(&whole.all, &a);
	events = arena_alloc(&a, (whole.nall + 1) * sizeof(struct value *));
	for (size_t i = 0; i < whole.nall; i++)
		events[i] = &whole.all[i];
	if (ask->guess)
		r = used_mark(events, whole.nall, &whole, &a, e);
	for (size_t i = 0; i < whole.nall; i++) {
		const struct value *list = value_get(events[i], "memories");

		for (size_t k = 0; k < list->u.list.n; k++)
			count_item(&c, &list->u.list.items[k]);
	}
	if (c.nids)
		qsort(c.ids, c.nids, sizeof(*c.ids), compare_ids);
	if (!r && out->times)
		r = store_each(s, AREA_MEMORIES, count_memory, &c, e);
	if (out->nnever)
		qsort(out->never, out->nnever, sizeof(*out->never),
		      compare_ids);
	free(c.ids);
	arena_release(&a);
	return r < 0 ? -1 : 0;
}

void used_text(struct buf *out, const struct used_counts *c, bool guess)
{
	if (!c->times)
		return;
	buf_addf(out, "shown: %zu times, of %zu memories", c->times, c->given);
	if (guess)
		buf_addf(out, "; used, as a guess: %zu", c->used);
	buf_addf(out, "\nnever shown: %zu", c->nnever);
	for (size_t i = 0; i < c->nnever && i < NEVER_MAX; i++)
		buf_addf(out, "%s%lld", i ? ", " : " (",
			 (long long)c->never[i]);
	if (c->nnever)
		buf_adds(out, c->nnever > NEVER_MAX ? ", ...)" : ")");
	buf_addc(out, '\n');
}

void used_json(struct buf *out, const char *key, const struct used_counts *c,
	       bool guess)
{
	if (!c->times)
		return;
	json_write_open(out, key, '{');
	json_write_size(out, "times", c->times);
	if (guess)
		json_write_size(out, "used", c->used);
	json_write_size(out, "memories", c->given);
	json_write_open(out, "never", '[');
	for (size_t i = 0; i < c->nnever; i++)
		json_write_int(out, NULL, c->never[i]);
	buf_adds(out, "]}");
}
