/* compose.c: see compose.h. */
#include "store/compose.h"

#include "base/table.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "repo/marks.h"
#include "store/secret-gate.h"
#include "text/sanitize.h"

static int check_content(struct composed *d, const struct store_new *n,
			 struct err *e)
{
	size_t bad;

	d->content = n->content;
	d->len = n->len;
	utf8_strip(&d->content, &d->len);
	if (!d->len && !n->exact && !n->bare)
		return err_set(e, ERR_DATA, "nothing to save: empty content");
	if (memchr(d->content, '\0', d->len))
		return err_set(e, ERR_DATA, "the content has a NUL byte");
	bad = utf8_check(d->content, d->len);
	if (bad < d->len)
		return err_set(e, ERR_DATA,
			       "the content is not UTF-8 at byte %zu", bad + 1);
	return 0;
}

static int check_created(struct composed *d, const struct store_new *n,
			 struct err *e)
{
	struct instant at = instant_now();

	if (n->created && !instant_parse(n->created, strlen(n->created), &at))
		return err_set(e, ERR_DATA,
			       "Field 'created' must be ISO8601 format: %s",
			       n->created);
	instant_format(at, d->created);
	return 0;
}

/* Check that the LEN bytes of P are a tag. It is written on one line, in a flow list
 * and between commas. CODE is set for an invalid one. */
static int check_tag(const char *p, size_t len, enum err_code code,
		     struct err *e)
{
	const size_t characters = utf8_prefix(p, len, COMPOSE_TAG_MAX);

	if (!len || characters < len)
		return err_set(e, code, "a tag has 1 to %d characters: '%s'",
			       COMPOSE_TAG_MAX, p);
	if (strcspn(p, " ,[]'\"") < len || !sanitize_is_line(p, len))
		return err_set(e, code,
			       "a tag has no blanks, commas, brackets, quotes "
			       "or hidden characters: '%s'",
			       p);
	return 0;
}

const char *compose_tag(const char *p, size_t len, bool typed, struct arena *a,
			struct err *e)
{
	struct buf small = {0};
	char *tag;

	utf8_strip(&p, &len);
	tag = arena_copy(a, p, len);
	for (size_t i = 0; i < len && !typed; i++) {
		if (tag[i] == ' ')
			tag[i] = '-';
	}
	if (check_tag(tag, len, typed ? ERR_USAGE : ERR_DATA, e) < 0)
		return NULL;
	unicode_lower(&small, tag, len);
	tag = arena_copy(a, buf_str(&small), small.len);
	buf_release(&small);
	return tag;
}

/* Store TAG, folded, as the N-th of ALL. Return false if SEEN has an equal one. */
static bool note_tag(struct table *seen, const char **all, size_t n,
		     const char *tag, struct arena *a)
{
	struct table_look look;
	struct buf folded = {0};
	size_t len, i;

	unicode_fold(&folded, tag, strlen(tag), true);
	len = folded.len;
	all[n] = arena_copy(a, buf_str(&folded), len);
	buf_release(&folded);
	look = table_look(seen, all[n], len, 0);
	while (table_next(&look, &i)) {
		if (!strcmp(all[i], all[n]))
			return false;
	}
	table_put(seen, all[n], len, 0, n);
	return true;
}

static int check_tags(struct value *list, const struct store_new *n,
		      struct arena *a, struct err *e)
{
	const char **folded = arena_alloc(a, (n->ntags + 1) * sizeof(*folded));
	struct table seen = {0};
	int r = 0;

	*list = (struct value){.kind = VALUE_LIST};
	list->u.list.items = arena_alloc(a, n->ntags * sizeof(struct value));
	for (size_t i = 0; i < n->ntags && !r; i++) {
		const char *tag = compose_tag(n->tags[i], strlen(n->tags[i]),
					      n->typed, a, e);

		r = tag ? 0 : -1;
		if (tag && note_tag(&seen, folded, list->u.list.n, tag, a))
			list->u.list.items[list->u.list.n++] = value_str(tag);
	}
	table_release(&seen);
	return r;
}

static int check_source(const char *source, struct err *e)
{
	const size_t len = strlen(source);

	if (!len || !sanitize_is_line(source, len))
		return err_set(e, ERR_DATA, "a source is a line of text: '%s'",
			       source);
	return 0;
}

/* Check the key `trust` of N. */
static int check_trust(const struct store_new *n, struct err *e)
{
	const struct value *map = n->exact ? n->exact : n->extra;
	const char *fault = map ? marks_fault(map, "trust") : NULL;

	return fault ? err_set(e, ERR_DATA, "Field 'trust' %s", fault) : 0;
}

/* Return the trust of N, which has SOURCE: the lower one of its way of arrival and
 * of its keys. Return NULL if N needs no key for it: the user wrote N, or its keys
 * have it. */
static const char *trust_of(const struct store_new *n, const char *source)
{
	const bool server = !strcmp(source, "mcp") ||
			    !strncmp(source, "mcp:", strlen("mcp:"));
	const struct value *given =
		n->extra ? value_get(n->extra, "trust") : NULL;
	const char *came = n->trust		? n->trust
			   : n->draft || server ? "agent"
						: NULL;

	if (given &&
	    (!came || value_is(given, came) || value_is(given, "external")))
		return NULL;
	return came;
}

/* Set D to N, which is exact. compose_text() checks its frontmatter by reading it. */
static int check_exact(struct composed *d, const struct store_new *n,
		       struct err *e)
{
	const struct value *id = value_get(n->exact, "id");

	if (check_content(d, n, e) < 0)
		return -1;
	if (!id)
		return err_set(e, ERR_DATA, "Missing required field: id");
	if (id->kind != VALUE_INT || id->u.i < 1 || id->u.i > SCHEMA_ID_MAX)
		return err_set(e, ERR_DATA, "Field 'id' must be integer");
	d->data = *n->exact;
	d->id = id->u.i;
	return 0;
}

int compose_check(struct composed *d, const struct store_new *n,
		  struct arena *a, struct err *e)
{
	const char *source = n->source ? n->source : "user-told";
	const size_t extra = n->extra ? n->extra->u.map.n : 0;
	struct value_pair *pairs = arena_alloc(a, (8 + extra) * sizeof(*pairs));
	const char *trust;

	if (check_trust(n, e) < 0)
		return -1;
	if (n->exact)
		return check_exact(d, n, e);
	if (check_content(d, n, e) < 0 || check_created(d, n, e) < 0 ||
	    check_tags(&pairs[2].val, n, a, e) < 0 ||
	    check_source(source, e) < 0)
		return -1;
	pairs[0].key = value_str("id");
	pairs[1].key = value_str("created");
	pairs[1].val = value_str(arena_strdup(a, d->created));
	pairs[2].key = value_str("tags");
	pairs[3].key = value_str("source");
	pairs[3].val = value_str(source);
	for (size_t i = 0; i < extra; i++)
		pairs[4 + i] = n->extra->u.map.pairs[i];
	d->data = (struct value){.kind = VALUE_MAP};
	d->data.u.map.pairs = pairs;
	d->data.u.map.n = 4 + extra;
	trust = trust_of(n, source);
	if (trust)
		value_put(&d->data, "trust", value_str(trust));
	return 0;
}

/* Read TEXT into R, and check that it equals D. */
static int verify_text(const struct composed *d, const struct buf *text,
		       struct record *r, struct arena *a, struct err *e)
{
	if (text->len > STORE_FILE_MAX)
		return err_set(
			e, ERR_DATA,
			"the memory would have %zu bytes, over the limit "
			"of %d",
			text->len, STORE_FILE_MAX);
	if (record_read(r, arena_copy(a, text->p, text->len), text->len, "new",
			SCOPE_PROJECT, a, e) < 0)
		return -1;
	if (r->conflict)
		return err_set(e, ERR_DATA,
			       "the text has the markers of a git conflict, "
			       "and would be read as an unresolved merge: "
			       "indent its lines '<<<<<<<' to '>>>>>>>'");
	if (!value_equal(r->frontmatter, &d->data) ||
	    r->content_len != d->len ||
	    memcmp(r->content, d->content, d->len) != 0)
		return err_set(e, ERR_DATA,
			       "the memory would not read back as it is");
	return 0;
}

int compose_text(struct composed *d, int64_t id, struct buf *text,
		 struct record *r, struct arena *a, struct err *e)
{
	if (!d->id)
		d->data.u.map.pairs[0].val = value_int(id);
	if (frontmatter_lay_out(text, &d->data, e) < 0)
		return -1;
	buf_addc(text, '\n');
	buf_add(text, d->content, d->len);
	buf_addc(text, '\n');
	return verify_text(d, text, r, a, e);
}

/* Append the text WAS of the memory at PATH with KEY set to V, or removed if V is NULL.
 * Return 1; 0 if that changes nothing, and nothing is appended; or -1. */
static int change_key(struct buf *out, const struct buf *was, const char *path,
		      const char *key, const struct value *v, struct err *e)
{
	struct arena a = {0};
	struct frontmatter fm;
	const struct value *has;
	int r = frontmatter_parse(&fm, buf_str(was), was->len, path, &a, e);

	if (r < 0)
		goto out;
	has = value_get(&fm.data, key);
	if (v ? has && value_equal(has, v) : !has)
		goto out;
	r = v ? frontmatter_set(out, &fm, key, v, e)
	      : frontmatter_remove(out, &fm, key, e);
	r = r < 0 ? -1 : 1;
out:
	arena_release(&a);
	return r;
}

const struct value *compose_read_keys(const struct strings *from,
				      struct arena *a)
{
	struct value *map = arena_alloc(a, sizeof(*map)),
		     *items = arena_alloc(a, (from->n + 1) * sizeof(*items));

	if (!from->n)
		return NULL;
	*map = (struct value){.kind = VALUE_MAP};
	map->u.map.pairs = arena_alloc(a, 2 * sizeof(*map->u.map.pairs));
	for (size_t i = 0; i < from->n; i++)
		items[i] = value_str(from->items[i]);
	value_put(map, "trust", value_str("external"));
	value_put(map, "read",
		  (struct value){.kind = VALUE_LIST,
				 .u.list = {.items = items, .n = from->n}});
	return map;
}

int compose_keys(struct buf *text, const char *path, const char *keys,
		 const struct value *v, struct err *e)
{
	struct buf next = {0}, one = {0};
	int r = 0, changed = 0;

	for (size_t len; r >= 0 && *keys; keys += len + !!keys[len]) {
		len = strcspn(keys, "|");
		buf_cut(&one, 0);
		buf_add(&one, keys, len);
		buf_cut(&next, 0);
		r = change_key(&next, text, path, one.p, v, e);
		if (r <= 0)
			continue;
		buf_cut(text, 0);
		buf_add(text, next.p, next.len);
		changed = 1;
	}
	buf_release(&next);
	buf_release(&one);
	return r < 0 ? -1 : changed;
}

/* Return the index in LIST of the LEN bytes TAG, or the length of LIST if it is not
 * there. Case is ignored. */
static size_t find_tag(const struct value *list, const char *tag, size_t len)
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

static void drop_tag(struct value *list, size_t at)
{
	if (at < list->u.list.n)
		memmove(&list->u.list.items[at], &list->u.list.items[at + 1],
			(--list->u.list.n - at) * sizeof(struct value));
}

static int add_tag(struct value *list, const char *p, struct arena *a,
		   struct err *e)
{
	const char *tag = compose_tag(p, strlen(p), true, a, e);

	if (!tag)
		return -1;
	if (find_tag(list, tag, strlen(tag)) == list->u.list.n)
		list->u.list.items[list->u.list.n++] = value_str(tag);
	return 0;
}

/* Apply RULE, which is OLD=NEW: replace OLD by NEW, or remove OLD if NEW is in LIST
 * already. */
static int rename_tag(struct value *list, const char *rule, struct arena *a,
		      struct err *e)
{
	const char *equals = strchr(rule, '=');
	const size_t at = find_tag(list, rule, (size_t)(equals - rule));
	const char *new =
		compose_tag(equals + 1, strlen(equals + 1), true, a, e);
	size_t there;

	if (!new)
		return -1;
	if (at == list->u.list.n)
		return 0;
	there = find_tag(list, new, strlen(new));
	if (there < list->u.list.n && there != at)
		drop_tag(list, at);
	else
		list->u.list.items[at] = value_str(new);
	return 0;
}

static int change_tags(struct value *list, const struct compose_tags *c,
		       struct arena *a, struct err *e)
{
	for (size_t i = 0; i < c->rename.n; i++) {
		if (rename_tag(list, c->rename.items[i], a, e) < 0)
			return -1;
	}
	for (size_t i = 0; i < c->drop.n; i++)
		drop_tag(list, find_tag(list, c->drop.items[i],
					strlen(c->drop.items[i])));
	for (size_t i = 0; i < c->add.n; i++) {
		if (add_tag(list, c->add.items[i], a, e) < 0)
			return -1;
	}
	return 0;
}

static int check_secret(struct store *s, const char *tag, struct err *e)
{
	return secret_gate_text(s, tag, strlen(tag), NULL, 0, "tag", e);
}

int compose_tags_check(struct store *s, const struct compose_tags *c,
		       struct err *e)
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
	if (!r && change_tags(&none, c, &a, e) < 0)
		r = -1;
	arena_release(&a);
	return r;
}

int compose_tags_change(struct buf *out, const char *path,
			const struct buf *text, const struct compose_tags *c,
			struct arena *a, struct err *e)
{
	struct value tags = {.kind = VALUE_LIST}, none = tags;
	const struct value *was;
	struct frontmatter fm;

	if (frontmatter_parse(&fm, buf_str(text), text->len, path, a, e) < 0 ||
	    schema_check(layout_is_article(path) ? SCHEMA_ARTICLE
						 : SCHEMA_MEMORY,
			 &fm, path, e) < 0)
		return -1;
	was = value_get(&fm.data, "tags");
	was = was ? was : &none;
	tags.u.list.items = arena_alloc(a, (was->u.list.n + c->add.n + 1) *
						   sizeof(struct value));
	for (size_t i = 0; i < was->u.list.n; i++)
		tags.u.list.items[tags.u.list.n++] = was->u.list.items[i];
	if (change_tags(&tags, c, a, e) < 0)
		return -1;
	if (value_equal(was, &tags))
		return 0;
	return frontmatter_set(out, &fm, "tags", &tags, e) < 0 ? -1 : 1;
}

int compose_tags_text(struct buf *out, const char *path, const struct buf *text,
		      struct arena *a, struct err *e)
{
	struct frontmatter fm;
	const struct value *id, *tags, *tag;
	size_t n = 0;

	if (frontmatter_parse(&fm, buf_str(text), text->len, path, a, e) < 0)
		return -1;
	id = value_get(&fm.data, "id");
	tags = value_get(&fm.data, "tags");
	if (id && id->kind == VALUE_INT)
		buf_addi(out, id->u.i);
	else
		buf_adds(out, strrchr(path, '/') + 1);
	buf_addc(out, ':');
	for (; (tag = value_item(tags, n)); n++) {
		buf_adds(out, n ? ", " : " ");
		if (tag->kind == VALUE_STR)
			sanitize_line(out, tag->u.s.p, tag->u.s.len);
	}
	buf_adds(out, n ? "" : " no tags");
	return 0;
}
