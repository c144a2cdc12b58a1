/* schema.c: for each field, its presence is checked first, then its type, then its
 * form. The fields are checked in the order of the format's documentation. */
#include "repo/schema.h"

#include "base/utf8.h"

struct check {
	const struct frontmatter *fm;
	const char *name;
	struct err *e;
};

/* Set the error of C to a fault of the value V. */
#define FAULT(c, v, ...) \
	frontmatter_fault((c)->fm, (v)->start, (c)->name, (c)->e, __VA_ARGS__)

/* Return the value of KEY, or NULL with an error if it is absent. */
static const struct value *need_value(const struct check *c, const char *key)
{
	const struct value *v = value_get(&c->fm->data, key);

	if (!v)
		frontmatter_fault(c->fm, 0, c->name, c->e,
				  "Missing required field: %s", key);
	return v;
}

static int check_string(const struct check *c, const struct value *v,
			const char *key)
{
	if (!v || v->kind == VALUE_STR)
		return 0;
	return FAULT(c, v, "Field '%s' must be string", key);
}

static int need_string(const struct check *c, const char *key)
{
	const struct value *v = need_value(c, key);

	return v ? check_string(c, v, key) : -1;
}

/* Set *V to the value of KEY, which must be a time, and *T to that time. */
static int need_time(const struct check *c, const char *key,
		     const struct value **v, struct instant *t)
{
	const struct value *at = need_value(c, key);

	if (!at || check_string(c, at, key))
		return -1;
	*v = at;
	if (instant_parse(at->u.s.p, at->u.s.len, t))
		return 0;
	return FAULT(c, at, "Field '%s' must be ISO8601 format: %.*s", key,
		     (int)utf8_cut(at->u.s.p, at->u.s.len, 80), at->u.s.p);
}

static int check_tags(const struct check *c, const struct value **tags)
{
	const struct value *v = value_get(&c->fm->data, "tags");

	*tags = v;
	if (!v)
		return 0;
	if (v->kind != VALUE_LIST)
		return FAULT(c, v, "Field 'tags' must be list");
	for (size_t i = 0; i < v->u.list.n; i++) {
		if (v->u.list.items[i].kind != VALUE_STR)
			return FAULT(c, &v->u.list.items[i],
				     "All tags must be strings");
	}
	return 0;
}

bool schema_id(const struct frontmatter *fm, const struct value *v, int64_t *id)
{
	if (v->kind != VALUE_INT || v->u.i < 1 || v->u.i > SCHEMA_ID_MAX)
		return false;
	for (size_t i = v->start; i < v->end; i++) {
		if (fm->text[i] < '0' || fm->text[i] > '9')
			return false;
	}
	*id = v->u.i;
	return true;
}

static int check_memory(const struct check *c, struct schema_memory *m)
{
	const struct value *id = need_value(c, "id");

	if (!id)
		return -1;
	if (!schema_id(c->fm, id, &m->id))
		return FAULT(c, id, "Field 'id' must be integer");
	m->source = value_get(&c->fm->data, "source");
	if (need_time(c, "created", &m->created, &m->at) ||
	    check_tags(c, &m->tags))
		return -1;
	return check_string(c, m->source, "source");
}

int schema_memory(struct schema_memory *m, const struct frontmatter *fm,
		  const char *name, struct err *e)
{
	const struct check c = {fm, name, e};

	return check_memory(&c, m);
}

static int check_version(const struct check *c)
{
	const struct value *v = need_value(c, "version");

	if (!v)
		return -1;
	if (v->kind != VALUE_INT && v->kind != VALUE_BIGINT)
		return FAULT(c, v, "Field 'version' must be integer");
	if (v->kind == VALUE_INT && v->u.i == 1)
		return 0;
	return FAULT(c, v, "Unsupported version: %.*s (expected 1)",
		     (int)(v->end - v->start < 40 ? v->end - v->start : 40),
		     c->fm->text + v->start);
}

static int check_context(const struct check *c)
{
	const struct value *v;
	struct instant t;

	return check_version(c) || need_time(c, "updated", &v, &t) ? -1 : 0;
}

/* Return true if the path P never leads above its start. */
static bool stays_below(const char *p)
{
	if (!*p || *p == '/')
		return false;
	for (; p; p = strchr(p, '/')) {
		p += *p == '/';
		if (!strncmp(p, "..", 2) && (!p[2] || p[2] == '/'))
			return false;
	}
	return true;
}

static int check_attachment(const struct check *c)
{
	const struct value *v = value_get(&c->fm->data, "attachment");

	if (check_string(c, v, "attachment"))
		return -1;
	if (!v || (strlen(v->u.s.p) == v->u.s.len && stays_below(v->u.s.p)))
		return 0;
	return FAULT(c, v, "Field 'attachment' must be a path in the store");
}

static int check_article(const struct check *c)
{
	const struct value *v;
	struct instant t;

	if (need_string(c, "source") || need_time(c, "fetched", &v, &t) ||
	    need_string(c, "title") || check_tags(c, &v))
		return -1;
	return check_attachment(c);
}

int schema_check(enum schema s, const struct frontmatter *fm, const char *name,
		 struct err *e)
{
	const struct check c = {fm, name, e};
	struct schema_memory m;

	switch (s) {
	case SCHEMA_NONE:
		return 0;
	case SCHEMA_MEMORY:
		return check_memory(&c, &m);
	case SCHEMA_CONTEXT:
		return check_context(&c);
	case SCHEMA_ARTICLE:
		return check_article(&c);
	}
	return 0;
}
