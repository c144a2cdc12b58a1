/* import.c: read a memory to save from JSON; see save.h. */
#include "store/save.h"

#include "format/json-read.h"

static bool is_derived(const char *key)
{
	return strings_word_is_in(
		"id path scope summary score snippet partial frontmatter "
		"matches total degraded coverage instead sha256",
		key, strlen(key));
}

/* Return true if KEY is the field `kind` of the record V, and not a free key. */
static bool is_kind(const struct value *v, const char *key)
{
	return !strcmp(key, "kind") && value_get(v, "path") &&
	       value_get(v, "scope");
}

/* Set *S to the string V, the value of KEY. Null counts as absent. */
static int set_string(const char **s, const char *key, const struct value *v,
		      struct err *e)
{
	if (v->kind == VALUE_NULL)
		return 0;
	if (v->kind != VALUE_STR)
		return err_set(e, ERR_DATA, "Field '%s' must be string", key);
	if (strlen(v->u.s.p) != v->u.s.len)
		return err_set(e, ERR_DATA, "Field '%s' has a NUL", key);
	*s = v->u.s.p;
	return 0;
}

static int add_tags(struct store_new *n, const struct value *v, struct arena *a,
		    struct err *e)
{
	const size_t more = v->kind == VALUE_LIST ? v->u.list.n : 0;
	const char **all = arena_alloc(a, (more + n->ntags) * sizeof(*all));

	if (v->kind != VALUE_LIST && v->kind != VALUE_NULL)
		return err_set(e, ERR_DATA, "Field 'tags' must be list");
	for (size_t i = 0; i < more; i++) {
		const struct value *tag = &v->u.list.items[i];

		if (tag->kind != VALUE_STR)
			return err_set(e, ERR_DATA, "All tags must be strings");
		if (set_string(&all[i], "tags", tag, e) < 0)
			return -1;
	}
	for (size_t i = 0; i < n->ntags; i++)
		all[more + i] = n->tags[i];
	n->tags = all;
	n->ntags += more;
	n->typed = false; /* not all of them are */
	return 0;
}

static int set_content(struct store_new *n, const struct value *v,
		       struct err *e)
{
	if (v->kind != VALUE_STR)
		return err_set(e, ERR_DATA, "Field 'content' must be string");
	n->content = v->u.s.p;
	n->len = v->u.s.len;
	return 0;
}

/* Set the field KEY of N to V, allocated in A. Return 1, 0 if KEY is none of its
 * fields, or -1. */
static int set_field(struct store_new *n, const char *key,
		     const struct value *v, struct arena *a, struct err *e)
{
	int r;

	if (!strcmp(key, "content"))
		r = set_content(n, v, e);
	else if (!strcmp(key, "tags"))
		r = add_tags(n, v, a, e);
	else if (!strcmp(key, "source"))
		r = set_string(&n->source, key, v, e);
	else if (!strcmp(key, "created"))
		r = set_string(&n->created, key, v, e);
	else
		return 0;
	return r < 0 ? -1 : 1;
}

/* Set the fields of N that the record V does not have itself from its FRONTMATTER. */
static int set_missing(struct store_new *n, const struct value *v,
		       const struct value *frontmatter, struct arena *a,
		       struct err *e)
{
	static const char *const keys[] = {"tags", "source", "created"};

	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		const struct value *field = value_get(frontmatter, keys[i]);

		if (field && !value_get(v, keys[i]) &&
		    set_field(n, keys[i], field, a, e) < 0)
			return -1;
	}
	return 0;
}

/* Append the free keys of FRONTMATTER to EXTRA, allocated in A. */
static int add_free_keys(struct value *extra, const struct value *frontmatter,
			 struct arena *a, struct err *e)
{
	struct value_pair *pairs;

	if (frontmatter->kind != VALUE_MAP)
		return err_set(e, ERR_DATA,
			       "Field 'frontmatter' must be object");
	pairs = arena_alloc(a, (extra->u.map.n + frontmatter->u.map.n) *
				       sizeof(*pairs));
	for (size_t i = 0; i < extra->u.map.n; i++)
		pairs[i] = extra->u.map.pairs[i];
	extra->u.map.pairs = pairs;
	for (size_t i = 0; i < frontmatter->u.map.n; i++) {
		const struct value_pair *pair = &frontmatter->u.map.pairs[i];

		if (!value_get(extra, pair->key.u.s.p) &&
		    !value_is_word(&pair->key, "id|created|tags|source"))
			pairs[extra->u.map.n++] = *pair;
	}
	return 0;
}

/* Rename the key `read` of EXTRA. It lists what a writer on this machine had read, and
 * accepting a draft that has it raises its trust. */
static void rename_read(struct value *extra)
{
	for (size_t i = 0; i < extra->u.map.n; i++) {
		if (value_is(&extra->u.map.pairs[i].key, "read"))
			extra->u.map.pairs[i].key = value_str("was-read");
	}
}

static int parse_object(struct value *v, const char *p, size_t len,
			struct arena *a, struct err *e)
{
	if (json_parse(p, len, a, v, e) < 0)
		return -1;
	if (v->kind != VALUE_MAP)
		return err_set(e, ERR_DATA, "not a JSON object");
	if (!value_get(v, "content"))
		return err_set(e, ERR_DATA, "Missing required field: content");
	return 0;
}

int save_parse(struct store_new *n, const char *p, size_t len, struct arena *a,
	       struct err *e)
{
	struct value v, *extra;
	const struct value *frontmatter;
	size_t kept = 0;

	if (parse_object(&v, p, len, a, e) < 0)
		return -1;
	frontmatter = value_get(&v, "frontmatter");
	if (frontmatter) {
		struct value *copy = arena_alloc(a, sizeof(*copy));

		*copy = *frontmatter;
		frontmatter = copy;
		n->bare = true;
		if (set_missing(n, &v, frontmatter, a, e) < 0)
			return -1;
	}
	for (size_t i = 0; i < v.u.map.n; i++) {
		const struct value_pair *pair = &v.u.map.pairs[i];
		const char *key = pair->key.u.s.p;
		const int r = set_field(n, key, &pair->val, a, e);

		if (r < 0)
			return -1;
		if (!r && !is_derived(key) && !is_kind(&v, key))
			v.u.map.pairs[kept++] = *pair;
	}
	extra = arena_alloc(a, sizeof(*extra));
	*extra = v;
	extra->u.map.n = kept;
	n->extra = extra;
	if (frontmatter && add_free_keys(extra, frontmatter, a, e) < 0)
		return -1;
	rename_read(extra);
	return 0;
}

int save_parse_exact(struct store_new *n, const char *p, size_t len,
		     struct arena *a, struct err *e)
{
	struct value *v = arena_alloc(a, sizeof(*v));

	if (parse_object(v, p, len, a, e) < 0 ||
	    set_content(n, value_get(v, "content"), e) < 0)
		return -1;
	n->exact = value_get(v, "frontmatter");
	if (!n->exact)
		return err_set(e, ERR_DATA,
			       "Missing required field: frontmatter");
	if (n->exact->kind != VALUE_MAP)
		return err_set(e, ERR_DATA,
			       "Field 'frontmatter' must be object");
	return 0;
}

void save_drop_references(struct store_new *n, struct arena *a)
{
	static const char keys[] = "supersedes|superseded|replaces|formerly";
	struct value *kept = arena_alloc(a, sizeof(*kept));
	size_t count = 0;

	if (!n->extra)
		return;
	*kept = *n->extra;
	kept->u.map.pairs = arena_alloc(a, (kept->u.map.n + 1) *
						   sizeof(*kept->u.map.pairs));
	for (size_t i = 0; i < n->extra->u.map.n; i++) {
		if (!value_is_word(&n->extra->u.map.pairs[i].key, keys))
			kept->u.map.pairs[count++] = n->extra->u.map.pairs[i];
	}
	kept->u.map.n = count;
	n->extra = kept;
}
