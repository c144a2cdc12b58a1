/* tags.c: see tags.h. */
#include "store/tags.h"

#include "base/unicode.h"
#include "format/frontmatter.h"
#include "repo/schema.h"
#include "store/secret-gate.h"
#include "text/sanitize.h"

/* The place in LIST of TAG, LEN bytes; the end where it is not there. */
static size_t find(const struct value *list, const char *tag, size_t len)
{
	struct buf wanted = {0}, has = {0};
	size_t i = 0;

	unicode_fold(&wanted, tag, len, true);
	for (; i < list->u.list.n; i++) {
		const struct value *item = &list->u.list.items[i];

		buf_cut(&has, 0);
		unicode_fold(&has, item->u.s.p, item->u.s.len, true);
		if (!strcmp(buf_str(&has), buf_str(&wanted)))
			break;
	}
	buf_release(&wanted);
	buf_release(&has);
	return i;
}

static void drop(struct value *list, size_t at)
{
	if (at < list->u.list.n)
		memmove(&list->u.list.items[at], &list->u.list.items[at + 1],
			(--list->u.list.n - at) * sizeof(struct value));
}

static int add(struct value *list, const char *p, struct arena *a,
	       struct err *e)
{
	const char *tag = compose_tag(p, strlen(p), a, e);

	if (!tag)
		return -1;
	if (find(list, tag, strlen(tag)) == list->u.list.n)
		list->u.list.items[list->u.list.n++] = value_str(tag);
	return 0;
}

/* Put NEW where OLD is, as RULE says, unless it is elsewhere. */
static int rename_one(struct value *list, const char *rule, struct arena *a,
		      struct err *e)
{
	const char *equals = strchr(rule, '=');
	const size_t at = find(list, rule, (size_t)(equals - rule));
	const char *new = compose_tag(equals + 1, strlen(equals + 1), a, e);
	size_t there;

	if (!new)
		return -1;
	if (at == list->u.list.n)
		return 0;
	there = find(list, new, strlen(new));
	if (there < list->u.list.n && there != at)
		drop(list, at);
	else
		list->u.list.items[at] = value_str(new);
	return 0;
}

static int apply(struct value *list, const struct tags_change *c,
		 struct arena *a, struct err *e)
{
	for (size_t i = 0; i < c->rename.n; i++) {
		if (rename_one(list, c->rename.items[i], a, e) < 0)
			return -1;
	}
	for (size_t i = 0; i < c->drop.n; i++)
		drop(list,
		     find(list, c->drop.items[i], strlen(c->drop.items[i])));
	for (size_t i = 0; i < c->add.n; i++) {
		if (add(list, c->add.items[i], a, e) < 0)
			return -1;
	}
	return 0;
}

static int check_secret(struct store *s, const char *tag, struct err *e)
{
	return secret_gate_text(s, tag, strlen(tag), NULL, 0, "tag", e);
}

int tags_check(struct store *s, const struct tags_change *c, struct err *e)
{
	struct value none = {.kind = VALUE_LIST};
	struct arena a = {0};
	int r = 0;

	for (size_t i = 0; i < c->rename.n && !r; i++) {
		const char *equals = strchr(c->rename.items[i], '=');

		if (!equals || equals == c->rename.items[i])
			r = err_set(e, ERR_USAGE,
				    "a tag is renamed by OLD=NEW, not by '%s'",
				    c->rename.items[i]);
		else
			r = check_secret(s, equals + 1, e);
	}
	for (size_t i = 0; i < c->add.n && !r; i++)
		r = check_secret(s, c->add.items[i], e);
	none.u.list.items =
		arena_alloc(&a, (c->add.n + 1) * sizeof(struct value));
	if (!r && apply(&none, c, &a, e) < 0) {
		e->code = ERR_USAGE;
		r = -1;
	}
	arena_release(&a);
	return r;
}

int tags_change(struct buf *out, const char *path, const struct buf *text,
		const struct tags_change *c, struct arena *a, struct err *e)
{
	struct value tags = {.kind = VALUE_LIST}, none = tags;
	const struct value *was;
	struct frontmatter fm;

	if (frontmatter_parse(&fm, buf_str(text), text->len, path, a, e) < 0 ||
	    schema_check(SCHEMA_MEMORY, &fm, path, e) < 0)
		return -1;
	was = value_get(&fm.data, "tags");
	was = was ? was : &none;
	tags.u.list.items = arena_alloc(a, (was->u.list.n + c->add.n + 1) *
						   sizeof(struct value));
	for (size_t i = 0; i < was->u.list.n; i++)
		tags.u.list.items[tags.u.list.n++] = was->u.list.items[i];
	if (apply(&tags, c, a, e) < 0)
		return -1;
	if (value_equal(was, &tags))
		return 0;
	return frontmatter_set(out, &fm, "tags", &tags, e) < 0 ? -1 : 1;
}

int tags_text(struct buf *out, const char *path, const struct buf *text,
	      struct arena *a, struct err *e)
{
	struct frontmatter fm;
	const struct value *id, *tags;
	size_t n = 0;

	if (frontmatter_parse(&fm, buf_str(text), text->len, path, a, e) < 0)
		return -1;
	id = value_get(&fm.data, "id");
	tags = value_get(&fm.data, "tags");
	buf_addf(out, "%lld:",
		 (long long)(id && id->kind == VALUE_INT ? id->u.i : 0));
	for (; tags && tags->kind == VALUE_LIST && n < tags->u.list.n; n++) {
		const struct value *tag = &tags->u.list.items[n];

		buf_adds(out, n ? ", " : " ");
		if (tag->kind == VALUE_STR)
			sanitize_line(out, tag->u.s.p, tag->u.s.len);
	}
	buf_adds(out, n ? "" : " no tags");
	return 0;
}
