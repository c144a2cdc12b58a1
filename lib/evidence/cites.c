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
