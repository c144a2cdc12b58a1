/* cites.c: see cites.h. */
#include "evidence/cites.h"

#define KEY "cites"

int cites_find(const struct record *r, struct arena *a, struct value *v)
{
	return record_find_key(r, KEY, a, v);
}

/* Read the item V of the list: 0, or -1 with ERR_DATA. */
static int read_one(struct citation *c, const struct value *v, struct arena *a,
		    struct err *e)
{
	if (v->kind != VALUE_STR)
		return err_set(e, ERR_DATA, "a citation is a string");
	return citation_parse(c, v->u.s.p, v->u.s.len, a, e);
}

static void complain(const struct report *r, const char *path,
		     const struct value *v, const struct err *why)
{
	const char *text = v->kind == VALUE_STR ? v->u.s.p : "";
	struct err e;

	err_set(&e, ERR_DATA, "'%s': malformed citation '%s': %s", path, text,
		why->text);
	err_report(r, &e);
}

void cites_read(struct cites *c, const struct value *v, const char *path,
		struct arena *a, const struct report *r)
{
	struct err e;

	*c = (struct cites){0};
	if (v->kind != VALUE_LIST) {
		err_set(&e, ERR_DATA, "'%s': Field '" KEY "' must be list",
			path);
		err_report(r, &e);
		return;
	}
	c->items = arena_alloc(a, v->u.list.n * sizeof(*c->items));
	for (size_t i = 0; i < v->u.list.n; i++) {
		if (read_one(&c->items[c->n], &v->u.list.items[i], a, &e) < 0)
			complain(r, path, &v->u.list.items[i], &e);
		else
			c->n++;
	}
}

/* True if the item V of a list cites the same lines as C. */
static bool is_same_place(const struct value *v, const struct citation *c,
			  struct arena *a)
{
	struct citation has;

	return read_one(&has, v, a, NULL) == 0 && !strcmp(has.path, c->path) &&
	       has.first == c->first && has.last == c->last;
}

void cites_put(struct value *v, const struct citation *c, struct arena *a)
{
	struct buf text = {0};
	size_t i = 0;

	while (i < v->u.list.n && !is_same_place(&v->u.list.items[i], c, a))
		i++;
	citation_add(&text, c);
	v->u.list.items[i] = value_str(arena_strdup(a, text.p));
	if (i == v->u.list.n)
		v->u.list.n++;
	buf_release(&text);
}

/* Put into LIST what TEXT says: a citation as it is, or a place with its hash
 * now. */
static int settle_one(struct evidence *ev, bool user, struct value *list,
		      const char *text, struct arena *a, struct err *e)
{
	struct citation c;
	int r;

	r = citation_parse(&c, text, strlen(text), a, NULL);
	if (r < 0)
		r = citation_place(&c, text, a, e);
	/* What has its hash is kept, unless it is of no use there. */
	if (!r && (!c.hash[0] || (user && !c.url)))
		r = evidence_cite(ev, &c, e);
	if (!r)
		cites_put(list, &c, a);
	return r;
}

/* The free keys of EXTRA in A, with room for one more; V is that of KEY, put
 * there where it is not. */
static struct value *copy_keys(const struct value *extra, struct value **v,
			       struct arena *a)
{
	const size_t n = extra ? extra->u.map.n : 0;
	struct value *copy = arena_alloc(a, sizeof(*copy));
	struct value_pair *pairs = arena_alloc(a, (n + 1) * sizeof(*pairs));

	*copy = (struct value){.kind = VALUE_MAP};
	copy->u.map.pairs = pairs;
	copy->u.map.n = n;
	for (size_t i = 0; i < n; i++)
		pairs[i] = extra->u.map.pairs[i];
	if (!value_get(copy, KEY))
		value_put(copy, KEY, (struct value){.kind = VALUE_LIST});
	for (size_t i = 0; i < copy->u.map.n; i++) {
		if (value_is(&pairs[i].key, KEY))
			*v = &pairs[i].val;
	}
	return copy;
}

int cites_settle(struct repo *repo, const struct strings *given,
		 const struct value *extra, struct arena *a,
		 const struct value **out, struct err *e)
{
	const bool user = repo->root.scope == SCOPE_GLOBAL;
	struct evidence *ev;
	struct value *keys, *list = NULL, was;
	int r = 0;

	*out = extra;
	if (!given->n && (!extra || !value_get(extra, KEY)))
		return 0;
	keys = copy_keys(extra, &list, a);
	if (!list || list->kind != VALUE_LIST)
		return err_set(e, ERR_DATA, "Field '" KEY "' must be list");
	was = *list;
	list->u.list.n = 0;
	list->u.list.items = arena_alloc(a, (was.u.list.n + given->n) *
						    sizeof(struct value));
	ev = evidence_new(repo, (struct evidence_limits){0});
	for (size_t i = 0; i < was.u.list.n && !r; i++) {
		const char *text = was.u.list.items[i].kind == VALUE_STR
					   ? was.u.list.items[i].u.s.p
					   : "";

		r = settle_one(ev, user, list, text, a, e);
	}
	for (size_t i = 0; i < given->n && !r; i++)
		r = settle_one(ev, user, list, given->items[i], a, e);
	evidence_free(ev);
	*out = keys;
	return r;
}
