/* cites.c: see cites.h. */
#include "evidence/cites.h"

#define KEY "cites"

int cites_find(const struct record *r, struct arena *a, struct value *v)
{
	return record_find_key(r, KEY, a, v);
}

static int parse_item(struct citation *c, const struct value *v,
		      struct arena *a, struct err *e)
{
	if (v->kind != VALUE_STR)
		return err_set(e, ERR_DATA, "a citation is a string");
	return citation_parse(c, v->u.s.p, v->u.s.len, a, e);
}

static void report_malformed(const struct report *r, const char *path,
			     const struct value *v, const struct err *why)
{
	const char *text = v->kind == VALUE_STR ? v->u.s.p : "";

	err_warn(r, ERR_DATA, "'%s': malformed citation '%s': %s", path, text,
		 why->text);
}

void cites_read(struct cites *c, const struct value *v, const char *path,
		struct arena *a, const struct report *r)
{
	struct err e;

	*c = (struct cites){0};
	if (v->kind != VALUE_LIST) {
		err_warn(r, ERR_DATA, "'%s': Field '" KEY "' must be list",
			 path);
		return;
	}
	c->items = arena_alloc(a, v->u.list.n * sizeof(*c->items));
	for (size_t i = 0; i < v->u.list.n; i++) {
		if (parse_item(&c->items[c->n], &v->u.list.items[i], a, &e) < 0)
			report_malformed(r, path, &v->u.list.items[i], &e);
		else
			c->n++;
	}
}

/* Return true if the list item V cites the place of C. */
static bool is_same_place(const struct value *v, const struct citation *c,
			  struct arena *a)
{
	struct citation has;

	return parse_item(&has, v, a, NULL) == 0 &&
	       !strcmp(has.path, c->path) && has.first == c->first &&
	       has.last == c->last;
}

int cites_copy(struct value *list, const struct value *v, size_t more,
	       const char *path, struct arena *a, struct err *e)
{
	size_t n;

	if (v && v->kind != VALUE_LIST)
		return err_set(e, ERR_DATA, "'%s': Field 'cites' must be list",
			       path);
	n = v ? v->u.list.n : 0;
	*list = (struct value){.kind = VALUE_LIST};
	list->u.list.items = arena_alloc(a, (n + more) * sizeof(*v));
	for (size_t i = 0; i < n; i++)
		list->u.list.items[i] = v->u.list.items[i];
	list->u.list.n = n;
	return 0;
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

/* Add TEXT to LIST: a citation, or a place, whose text is hashed now. USER: the
 * memory is in the user's store. */
static int add_cite(struct evidence *ev, bool user, struct value *list,
		    const char *text, struct arena *a, struct err *e)
{
	struct citation c;
	int r;

	r = citation_parse(&c, text, strlen(text), a, NULL);
	if (r < 0)
		r = citation_place(&c, text, a, e);
	/* Keep a given hash. A file cited in the user's store is an error. */
	if (!r && (!c.hash[0] || (user && !c.url && !c.commit)))
		r = evidence_cite(ev, &c, e);
	if (r < 0 &&
	    e->code == ERR_NO) /* the memory is at fault, not a search */
		e->code = ERR_DATA;
	if (!r)
		cites_put(list, &c, a);
	return r;
}

/* Return a copy of the keys EXTRA in A, with KEY added if it is absent. *V is
 * the value of KEY. */
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

		r = add_cite(ev, user, list, text, a, e);
	}
	for (size_t i = 0; i < given->n && !r; i++)
		r = add_cite(ev, user, list, given->items[i], a, e);
	evidence_free(ev);
	*out = keys;
	return r;
}
