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

bool cited_has_drifted(const struct value *v)
{
	for (size_t i = 0; v && v->kind == VALUE_LIST && i < v->u.list.n; i++) {
		const struct value *state =
			value_get(&v->u.list.items[i], "state");

		if (value_is(state, evidence_name(EVIDENCE_CHANGED)) ||
		    value_is(state, evidence_name(EVIDENCE_GONE)))
			return true;
	}
	return false;
}
