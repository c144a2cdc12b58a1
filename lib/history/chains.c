/* chains.c: each archived memory is a link, as is each other memory that says
 * that it was replaced. To follow a chain, links are found by id. */
#include "history/history.h"

#include "repo/marks.h"
#include "store/ids.h"
#include "store/journal.h"

/* A replaced memory and its replacement. NEXT is 0 if the memory is in the
 * archive without naming one. */
struct link {
	int64_t id, next;
	bool stays; /* it is in memories/ */
	const char *path;
	/* Set by find_rings(). */
	size_t walk;
	bool ring;    /* its chain returns to it */
	bool endless; /* its chain leads into a ring */
};

/* A memory in memories/ says that it supersedes ID. */
struct claim {
	int64_t id;
	const char *path;
};

struct chains {
	struct store *s;
	history_fault_fn *fn;
	void *ctx;
	struct link *links;
	size_t n, cap;
	struct claim *claims;
	size_t nclaims, capclaims;
	struct arena arena; /* of the paths */
	const struct ids *memories, *archive, *trash;
	/* The last error of the system while reading memories. */
	struct err why;
	bool refused;
};

static bool is_known(const struct chains *c, int64_t id)
{
	return ids_find(c->memories, id, NULL) ||
	       ids_find(c->archive, id, NULL) || ids_find(c->trash, id, NULL);
}

static void add_fault(struct chains *c, const char *kind, const char *path,
		      const char *what, int64_t id, const char *why,
		      const char *remedy)
{
	struct buf text = {0};

	buf_addf(&text, "'%s': %s %lld, %s", path, what, (long long)id, why);
	c->fn(c->ctx, kind, path, text.p, remedy);
	buf_release(&text);
}

static void add_link(struct chains *c, const struct record *r, int64_t next,
		     bool stays)
{
	*MEM_ADD(c->links, c->n, c->cap) =
		(struct link){.id = r->id,
			      .next = next,
			      .stays = stays,
			      .path = arena_strdup(&c->arena, r->path)};
}

/* Add what the memory R says that it supersedes. */
static void add_claims(struct chains *c, const struct record *r,
		       struct arena *a)
{
	const struct value *id;
	struct value v;

	if (r->conflict || record_keys_find(&r->keys, "supersedes", a, &v) != 1)
		return;
	for (size_t i = 0; (id = value_item_or_self(&v, i)); i++) {
		if (id->kind == VALUE_INT)
			*MEM_ADD(c->claims, c->nclaims, c->capclaims) =
				(struct claim){id->u.i, arena_strdup(&c->arena,
								     r->path)};
	}
}

/* For store_each(): add the memory R if it names its replacement, and if there are faults
 * to report, what it supersedes. */
static int add_memory(void *ctx, const struct record *r)
{
	struct chains *c = ctx;
	struct arena a = {0};
	struct value v;

	if (c->fn)
		add_claims(c, r, &a);
	if (marks_now(&r->keys) & MARK_REPLACED &&
	    record_keys_find(&r->keys, "superseded", &a, &v) == 1)
		add_link(ctx, r,
			 v.kind == VALUE_LIST ? v.u.list.items[0].u.i : v.u.i,
			 true);
	arena_release(&a);
	return 0;
}

/* For store_each(): add the archived memory R if it names its replacement, or
 * if it is to be checked for one. */
static int add_archived(void *ctx, const struct record *r)
{
	struct chains *c = ctx;
	struct arena a = {0};
	struct value v;
	const int said = record_keys_find(&r->keys, "superseded", &a, &v);
	const bool silent = !said && c->fn && !r->conflict &&
			    !(marks_now(&r->keys) & MARK_ARCHIVED);

	if (silent || (said == 1 && v.kind == VALUE_INT))
		add_link(c, r, silent ? 0 : v.u.i, false);
	arena_release(&a);
	return 0;
}

/* For store_each(): report each id that the draft R wants to replace if it is
 * not a memory's. */
static int check_draft(void *ctx, const struct record *r)
{
	struct chains *c = ctx;
	struct arena a = {0};
	struct value v;
	const struct value *id;
	const bool says = record_keys_find(&r->keys, "replaces", &a, &v) == 1;

	for (size_t i = 0; says && (id = value_item_or_self(&v, i)); i++) {
		if (id->kind == VALUE_INT && !is_known(c, id->u.i))
			add_fault(c, "chain", r->path, "replaces", id->u.i,
				  "which does not exist",
				  arena_printf(&a,
					       "correct it with 'co edit "
					       "PATH', or reject "
					       "it: see 'co review%s'",
					       record_scope_option(
						       c->s->repo.root.scope)));
	}
	arena_release(&a);
	return 0;
}

static int by_id(const void *x, const void *y)
{
	const struct link *a = x, *b = y;

	return a->id != b->id ? (a->id > b->id) - (a->id < b->id)
			      : strcmp(a->path, b->path);
}

/* Return the first of the sorted links of C that has ID, or the one after it. */
static struct link *find_link(const struct chains *c, int64_t id)
{
	size_t low = 0, high = c->n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (c->links[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return c->links + low;
}

/* Return true if ID is that of a memory that is not replaced. */
static bool is_current(const struct chains *c, int64_t id)
{
	const struct id_entry *entry = NULL;
	const struct link *l = find_link(c, id), *end = c->links + c->n;
	size_t n = 0;

	while ((entry = ids_find(c->memories, id, entry)))
		n++;
	for (; l < end && l->id == id; l++)
		n -= l->stays;
	return n > 0;
}

/* Return the link after LINK in its chain, or NULL at the end. Of several with one id it
 * is the first, but a link that names itself is its own next one. */
static struct link *next_link(const struct chains *c, struct link *link)
{
	struct link *next =
		link->next == link->id ? link : find_link(c, link->next);

	return next < c->links + c->n && next->id == link->next &&
			       !is_current(c, link->next)
		       ? next
		       : NULL;
}

/* Find the links in rings, and those that lead into one. Each link is walked over
 * once, so a chain of any length takes linear time. */
static void find_rings(struct chains *c)
{
	for (size_t i = 0; i < c->n; i++) {
		struct link *l = &c->links[i];
		const size_t walk = i + 1;

		while (l && !l->walk) {
			l->walk = walk;
			l = next_link(c, l);
		}
		for (; l && l->walk == walk && !l->ring; l = next_link(c, l))
			l->ring = l->endless = true;
		if (!l || !l->endless)
			continue;
		for (l = &c->links[i]; !l->endless; l = next_link(c, l))
			l->endless = true;
	}
}

/* Return true if LINK, which names no replacement, was never replaced: no
 * memory has its id, no earlier archived one either, and no writer is about to
 * add its replacement. */
static bool is_lost(const struct chains *c, const struct link *link)
{
	const struct id_entry *other = NULL;

	if (ids_find(c->memories, link->id, NULL))
		return false;
	while ((other = ids_find(c->archive, link->id, other))) {
		const int order = strcmp(other->path, link->path);

		if (order &&
		    (order < 0 || store_replaced_by(c->s, other->path)))
			return false;
	}
	return !journal_is_pending(c->s) &&
	       !store_replaced_by(c->s, link->path);
}

/* Report faults of all links. */
static void check_links(struct chains *c)
{
	static const char remedy[] =
		"'co-memory-restore PATH' brings it back as a memory";
	static const char there[] =
		"correct 'superseded', or take it out, with 'co edit PATH'";
	const char *lost = arena_printf(
		&c->arena,
		"'co knowledge --check --fix%s' moves it back; with "
		"'archive: true' in it, it stays",
		record_scope_option(c->s->repo.root.scope));

	MEM_SORT(c->links, c->n, by_id);
	find_rings(c);
	for (size_t i = 0; i < c->n; i++) {
		const struct link *l = &c->links[i];

		if (!l->next && is_lost(c, l))
			add_fault(c, HISTORY_LOST, l->path, "archived with id",
				  l->id, "though nothing replaced it", lost);
		else if (l->next && !is_known(c, l->next))
			add_fault(c, "chain", l->path, "superseded by", l->next,
				  "which does not exist",
				  l->stays ? there : remedy);
		else if (l->ring)
			add_fault(c, "chain", l->path, "superseded by", l->next,
				  "which it superseded itself",
				  l->stays ? there : remedy);
		else if (l->stays && l->endless)
			add_fault(c, "chain", l->path, "superseded by", l->next,
				  "which leads into a ring", there);
	}
}

/* Report each current memory that another one supersedes. If the archive has it, too, its
 * id is double, which is reported elsewhere. */
static void check_claims(struct chains *c)
{
	for (size_t i = 0; i < c->nclaims; i++) {
		const struct claim *claim = &c->claims[i];

		if (is_current(c, claim->id) &&
		    !ids_find(c->archive, claim->id, NULL))
			add_fault(c, "chain", claim->path, "supersedes",
				  claim->id, "which is current",
				  "'co forget ID' forgets one of them; or take "
				  "'supersedes' out with 'co edit PATH'");
	}
}

static void save_refusal(void *ctx, const struct err *e)
{
	struct chains *c = ctx;

	if (e->code != ERR_SYSTEM)
		return; /* malformed files are reported elsewhere */
	c->why = *e;
	c->refused = true;
}

static int load_links(struct chains *c, struct err *e)
{
	const int r = store_each(c->s, AREA_ARCHIVE, add_archived, c, e);

	return r < 0 ? r : store_each(c->s, AREA_MEMORIES, add_memory, c, e);
}

int history_check_chains(struct store *s, history_fault_fn *fn, void *ctx,
			 struct err *e)
{
	const struct report *report = s->report;
	struct chains c = {.s = s, .fn = fn, .ctx = ctx};
	const struct report refusals = {save_refusal, &c};
	int r = -1;

	s->report = &refusals;
	c.memories = ids_load(s, AREA_MEMORIES, e);
	c.archive = c.memories ? ids_load(s, AREA_ARCHIVE, e) : NULL;
	if (c.archive)
		r = load_links(&c, e);
	s->report = NULL;
	c.trash = r ? NULL : ids_load(s, AREA_TRASH, NULL);
	if (c.trash) {
		check_links(&c);
		check_claims(&c);
		store_each(s, AREA_DRAFTS, check_draft, &c, NULL);
	}
	s->report = report;
	if (!r && c.refused) {
		*e = c.why;
		r = -1;
	}
	free(c.links);
	free(c.claims);
	arena_release(&c.arena);
	return r;
}

/* A set of ids. */
struct members {
	int64_t *items;
	size_t n, cap;
};

static void add_member(struct members *m, int64_t id)
{
	for (size_t i = 0; i < m->n; i++) {
		if (m->items[i] == id)
			return;
	}
	*MEM_ADD(m->items, m->n, m->cap) = id;
}

/* Add all ids that links connect with the ids in M, directly or not. */
static void add_connected(struct members *m, const struct chains *c)
{
	for (size_t i = 0; i < m->n; i++) {
		const int64_t id = m->items[i];

		for (size_t k = 0; k < c->n; k++) {
			if (c->links[k].next == id)
				add_member(m, c->links[k].id);
			if (c->links[k].id == id)
				add_member(m, c->links[k].next);
		}
	}
}

static int newest_first(const void *x, const void *y)
{
	const struct record *a = x, *b = y;
	const int r = instant_cmp(b->at, a->at);

	return r ? r : record_by_id(b, a);
}

/* Find the memory ID among the memories, then in the archive. Returns 1, 0 or
 * -1. */
static int find_member(struct store *s, int64_t id, struct arena *a,
		       struct record *r, struct err *e)
{
	const char *name = arena_printf(a, "%lld", (long long)id);
	const int found = store_find(s, AREA_MEMORIES, name, a, r, e);

	return found ? found : store_find(s, AREA_ARCHIVE, name, a, r, e);
}

int history_follow_chain(struct store *s, int64_t id, struct arena *a,
			 struct records *out, struct err *e)
{
	struct chains c = {.s = s};
	struct members m = {0};
	int r = load_links(&c, e);

	*out = (struct records){0};
	add_member(&m, id);
	add_connected(&m, &c);
	out->items = arena_alloc(a, m.n * sizeof(*out->items));
	for (size_t i = 0; i < m.n && r >= 0; i++) {
		r = find_member(s, m.items[i], a, &out->items[out->n], e);
		out->n += r == 1;
		if (!r && !i)
			break;
	}
	MEM_SORT(out->items, out->n, newest_first);
	free(m.items);
	free(c.links);
	arena_release(&c.arena);
	return r < 0 ? -1 : 0;
}
