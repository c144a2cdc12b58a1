#include "search/cited.h"

#include "format/json-write.h"

/* Set *V to the citations of R; read its file if only that can tell. Return 1,
 * 0 if it has none, -1. */
static int read_citations(struct store *s, const struct record *r,
			  struct arena *a, struct value *v, struct err *e)
{
	struct record whole;
	int found = cites_find(r, a, v);

	if (found >= 0)
		return found;
	found = store_read(s, r->path, a, &whole, e);
	return found == 1 ? cites_find(&whole, a, v) : found;
}

int cited_each(struct store *s, struct evidence *ev, const struct record *r,
	       cited_fn *fn, void *ctx, const struct report *bad, struct err *e)
{
	struct arena a = {0};
	struct cites cites;
	struct value v;
	const int found = read_citations(s, r, &a, &v, e);

	if (found == 1)
		cites_read(&cites, &v, r->path, &a, bad);
	for (size_t i = 0; found == 1 && i < cites.n; i++) {
		const struct citation *c = &cites.items[i];
		struct citation at = *c;
		const enum evidence_state state =
			evidence_check(ev, c, &at.first);

		at.last = at.first + (c->last - c->first);
		fn(ctx, &(struct cited){r, c, state, &at});
	}
	arena_release(&a);
	return found < 0 ? -1 : 0;
}

/* The memories of a store that have citations. */
struct cited_list {
	struct record *items;
	size_t n, cap;
	struct arena arena, scratch;
};

static int add_citing(void *ctx, const struct record *r)
{
	struct cited_list *all = ctx;
	struct value v;

	arena_reset(&all->scratch);
	if (!cites_find(r, &all->scratch, &v))
		return 0;
	*MEM_ADD(all->items, all->n, all->cap) =
		record_copy_head(r, &all->arena);
	return 0;
}

int cited_all(struct store *s, struct evidence *ev, cited_fn *fn, void *ctx,
	      const struct report *bad, struct err *e)
{
	struct cited_list all = {0};
	struct err why;
	int r = store_each(s, AREA_MEMORIES, add_citing, &all, e);

	MEM_SORT(all.items, all.n, record_by_id);
	for (size_t i = 0; i < all.n && r == 0; i++) {
		if (cited_each(s, ev, &all.items[i], fn, ctx, bad, &why) < 0)
			err_report(bad, &why);
	}
	arena_release(&all.scratch);
	arena_release(&all.arena);
	free(all.items);
	return r < 0 ? -1 : 0;
}

void cited_json(struct buf *out, const struct cited *one)
{
	struct buf cite = {0}, at = {0};

	citation_add(&cite, one->c);
	if (one->state == EVIDENCE_MOVED)
		citation_add_place(&at, one->at);
	json_write_text(out, "cite", cite.p);
	json_write_text(out, "state", evidence_name(one->state));
	json_write_text(out, "at", at.p);
	buf_release(&cite);
	buf_release(&at);
}

/* The citations of a record as JSON. */
struct citation_list {
	struct buf list;
	bool drifted;
};

static bool is_drift(enum evidence_state state)
{
	return state == EVIDENCE_CHANGED || state == EVIDENCE_GONE;
}

static void add_citation(void *ctx, const struct cited *one)
{
	struct citation_list *n = ctx;

	if (!n->list.len)
		json_write_open(&n->list, NULL, '[');
	json_write_open(&n->list, NULL, '{');
	cited_json(&n->list, one);
	json_write_close(&n->list, '}');
	n->drifted |= is_drift(one->state);
}

void cited_note(struct store *s, struct evidence *ev, struct record *r,
		struct arena *a)
{
	struct citation_list n = {0};

	if (r->kind != RECORD_MEMORY ||
	    (!r->frontmatter && !r->keys.json && !r->keys.cut))
		return;
	cited_each(s, ev, r, add_citation, &n, NULL, NULL);
	if (n.list.len) {
		json_write_close(&n.list, ']');
		r->evidence = arena_copy(a, n.list.p, n.list.len);
	}
	r->drifted = n.drifted;
	buf_release(&n.list);
}

void cited_found_begin(struct cited_found *c, const struct results *found)
{
	*c = (struct cited_found){
		found, mem_alloc((found->nstores + 1) * sizeof(*c->ev))};
}

void cited_found_note(struct cited_found *c, const struct result *hit,
		      struct record *r, struct arena *a)
{
	static const struct evidence_limits limits = {CITED_ALL_HASHED,
						      CITED_ALL_FILES};
	struct store *s;

	if (hit->store >= c->found->nstores)
		return;
	s = c->found->stores[hit->store];
	if (!c->ev[hit->store])
		c->ev[hit->store] = evidence_new(&s->repo, limits);
	cited_note(s, c->ev[hit->store], r, a);
}

void cited_found_release(struct cited_found *c)
{
	for (size_t i = 0; i < c->found->nstores; i++) {
		if (c->ev[i])
			evidence_free(c->ev[i]);
	}
	free(c->ev);
}

/* Return true if C cites OF. */
static bool cites_place(const struct citation *c, const struct citation *of)
{
	const size_t len = strlen(of->path);

	if (strncmp(c->path, of->path, len) != 0 ||
	    (c->path[len] && (of->url || of->first || c->path[len] != '/')))
		return false;
	return !of->first || !c->first ||
	       (c->first <= of->last && c->last >= of->first);
}

void cited_keep(struct results *found, const struct store *project,
		const struct citation *of)
{
	struct arena a = {0};
	size_t kept = 0;

	for (size_t i = 0; i < found->n; i++) {
		const struct result hit = found->items[i];
		struct store *s = hit.store < found->nstores
					  ? found->stores[hit.store]
					  : NULL;
		struct cites cites = {0};
		struct record r;
		struct value v;
		struct err e;
		bool has = false;

		arena_reset(&a);
		results_get(found, &hit, &a, &r);
		if (s && (s == project || of->url || of->commit) &&
		    read_citations(s, &r, &a, &v, &e) == 1)
			cites_read(&cites, &v, r.path, &a, NULL);
		for (size_t k = 0; k < cites.n; k++)
			has |= cites_place(&cites.items[k], of);
		if (has)
			found->items[kept++] = hit;
	}
	found->n = kept;
	arena_release(&a);
}

bool cited_has_drifted(const struct value *v)
{
	const struct value *one;

	for (size_t i = 0; (one = value_item(v, i)); i++) {
		const struct value *state = value_get(one, "state");

		if (value_is(state, evidence_name(EVIDENCE_CHANGED)) ||
		    value_is(state, evidence_name(EVIDENCE_GONE)))
			return true;
	}
	return false;
}
