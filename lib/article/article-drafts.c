#include "article/article.h"

#include "store/save.h"

/* The keys that drafts and articles share. */
static const struct {
	const char *key;
	size_t at; /* offset in struct article_new */
} fields[] = {
	{"description", offsetof(struct article_new, description)},
	{"author", offsetof(struct article_new, author)},
	{"published", offsetof(struct article_new, published)},
	{"language", offsetof(struct article_new, language)},
	{"sha256", offsetof(struct article_new, sha256)},
	{"etag", offsetof(struct article_new, etag)},
	{"last_modified", offsetof(struct article_new, last_modified)},
	{"license", offsetof(struct article_new, license)},
};

static const char **field_at(struct article_new *n, size_t i)
{
	return (const char **)(void *)((char *)n + fields[i].at);
}

bool article_drafts_is(const struct record *r)
{
	return value_get(r->frontmatter, ARTICLE_DRAFTS_KEY);
}

int article_drafts_save(struct store *s, const struct article_new *n,
			struct arena *a, const char **path, struct err *e)
{
	struct value_pair pairs[ARRAY_LEN(fields) + 1];
	struct value extra = {.kind = VALUE_MAP, .u.map.pairs = pairs};
	struct article_new copy = *n;
	const struct store_new draft = {
		.content = n->markdown,
		.len = n->len,
		.source = n->source,
		.created = n->fetched,
		.tags = n->tags,
		.ntags = n->ntags,
		.extra = &extra,
		.trust = "external",
		.draft = true,
	};
	struct record r;

	value_put(&extra, ARTICLE_DRAFTS_KEY,
		  n->title ? value_str(n->title)
			   : (struct value){.kind = VALUE_BOOL, .u.b = true});
	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		if (*field_at(&copy, i))
			value_put(&extra, fields[i].key,
				  value_str(*field_at(&copy, i)));
	}
	if (article_check(s, n, e) < 0 || save_memory(s, &draft, a, &r, e) < 0)
		return -1;
	*path = r.path;
	return 0;
}

/* Save the article of the draft R, and set the path of R to it. */
static int accept_draft(struct store *s, struct record *r, struct arena *a,
			struct err *e)
{
	struct article_new n = {
		.markdown = r->content,
		.len = r->content_len,
		.source = r->source,
		.title = value_text(r->frontmatter, ARTICLE_DRAFTS_KEY),
		.fetched = r->created,
		.tags = r->tags,
		.ntags = r->ntags,
		.even_twice = true,
	};

	for (size_t i = 0; i < ARRAY_LEN(fields); i++)
		*field_at(&n, i) = value_text(r->frontmatter, fields[i].key);
	return article_save(s, &n, a, &r->path, NULL, e);
}

const struct drafts_kind article_drafts = {article_drafts_is, accept_draft};
