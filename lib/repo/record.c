/* record.c: see record.h. */
#include "repo/record.h"

#include "base/sha256.h"
#include "base/utf8.h"
#include "repo/marks.h"
#include "text/conflict.h"

#define SUMMARY_MAX 80 /* characters */

const struct record_info record_fields[RECORD_NFIELDS] = {
	[RECORD_ID] = {"id", "the memory's number"},
	[RECORD_PATH] = {"path", "absolute path of its file"},
	[RECORD_SCOPE] = {"scope", "project or global"},
	[RECORD_CREATED] = {"created", "when it was made, as the file says"},
	[RECORD_TAGS] = {"tags", "its tags"},
	[RECORD_SOURCE] = {"source", "where it came from"},
	[RECORD_SUMMARY] = {"summary", "the first line of the content"},
	[RECORD_CONTENT] = {"content", "the text, blanks at the ends stripped"},
	[RECORD_SCORE] = {"score", "how well it answers a ranked search"},
	[RECORD_COVERAGE] = {"coverage",
			     "the share of the query that it holds"},
	[RECORD_SNIPPET] = {"snippet", "the piece of it that answers"},
	[RECORD_PARTIAL] = {"partial", "true where some words are missing"},
	[RECORD_KIND] = {"kind", "memory, item, article or conversation"},
	[RECORD_TITLE] = {"title",
			  "of what is no memory: the headings above it"},
	[RECORD_MARKS] =
		{"marks",
		 "expired, archived, replaced, sensitive, external or due"},
	[RECORD_EVIDENCE] = {"evidence",
			     "what it cites, and whether that still stands"},
	[RECORD_CONTRADICTS] = {"contradicts",
				"earlier memories that it contradicts"},
	[RECORD_CONTRADICTED_BY] = {"contradicted_by",
				    "later memories that contradict it"},
	[RECORD_LIKE] = {"like", "others that say nearly the same"},
	[RECORD_FRONTMATTER] = {"frontmatter", "every key of its file"},
	[RECORD_SHA256] = {"sha256", "of its file, as it stands"},
	[RECORD_PROJECT] = {"project", "the id of its project, of several"},
	[RECORD_STORE] = {"store", "the name of its store, of a named one"},
	[RECORD_COMMIT] = {"commit", "of a remote index: the commit it has"},
	[RECORD_AS_OF] = {"as_of", "of a remote index: when that was made"},
};

static const char *const kinds[RECORD_KINDS] = {
	[RECORD_MEMORY] = "memory",
	[RECORD_ITEM] = "item",
	[RECORD_ARTICLE] = "article",
	[RECORD_CONVERSATION] = "conversation",
};

const char *record_kind_name(enum record_kind k)
{
	return kinds[k];
}

bool record_is_external(const struct record *r)
{
	return r->commit || r->kind == RECORD_ARTICLE ||
	       r->kind == RECORD_CONVERSATION;
}

enum record_kind record_kind_of(const char *name)
{
	enum record_kind k = 0;

	while (k < RECORD_KINDS && strcmp(kinds[k], name) != 0)
		k++;
	return k;
}

const char *record_scope_name(enum scope s)
{
	return s == SCOPE_GLOBAL ? "global" : "project";
}

const char *record_scope_option(enum scope s)
{
	return s == SCOPE_GLOBAL ? " --global" : "";
}

const char *record_scope_prefix(enum scope s)
{
	return s == SCOPE_GLOBAL ? "g" : "";
}

const char *record_prefix(const struct record *r)
{
	return r->prefix ? r->prefix : record_scope_prefix(r->scope);
}

static void read_tags(struct record *r, const struct value *tags,
		      struct arena *a)
{
	if (!tags || !tags->u.list.n)
		return;
	r->ntags = tags->u.list.n;
	r->tags = arena_alloc(a, r->ntags * sizeof(*r->tags));
	for (size_t i = 0; i < r->ntags; i++)
		r->tags[i] = tags->u.list.items[i].u.s.p;
}

static const struct value *keep_frontmatter(const struct frontmatter *fm,
					    struct arena *a)
{
	struct value *kept = arena_alloc(a, sizeof(*kept));

	*kept = fm->data;
	return kept;
}

static const char *string_of(const struct value *map, const char *key)
{
	const struct value *v = value_get(map, key);

	return v && v->kind == VALUE_STR ? v->u.s.p : NULL;
}

/* True if PATH is that of a draft that waits, or did before its removal. */
static bool is_draft(const char *path)
{
	static const char folder[] = "/drafts";
	const size_t len = sizeof(folder) - 1;
	const char *name = strrchr(path, '/');

	return name && (size_t)(name - path) >= len &&
	       !memcmp(name - len, folder, len);
}

int record_read(struct record *r, const char *text, size_t len,
		const char *path, enum scope scope, struct arena *a,
		struct err *e)
{
	struct schema_memory m;
	struct frontmatter fm;
	const char *bytes = text;
	const size_t nbytes = len;
	size_t conflict;

	text = conflict_ours(text, &len, a, &conflict);
	if (frontmatter_parse(&fm, text, len, path, a, e) < 0 ||
	    schema_memory(&m, &fm, path, e) < 0)
		return -1;
	*r = (struct record){
		.path = path,
		.scope = scope,
		.conflict = conflict,
		.bytes = bytes,
		.nbytes = nbytes,
	};
	r->id = m.id;
	r->created = m.created->u.s.p;
	r->at = m.at;
	if (m.source)
		r->source = m.source->u.s.p;
	read_tags(r, m.tags, a);
	r->keys = record_keys_of(&fm.data, SCHEMA_MEMORY, a);
	r->frontmatter = keep_frontmatter(&fm, a);
	if (is_draft(path))
		r->worktree = string_of(&fm.data, "worktree");
	frontmatter_content(&fm, &r->content, &r->content_len);
	return 0;
}

int record_read_document(struct record *r, const char *text, size_t len,
			 const char *path, bool article, struct arena *a,
			 struct err *e)
{
	struct frontmatter fm;
	const char *fetched, *title, *bytes = text;
	const size_t nbytes = len;
	size_t conflict;

	text = conflict_ours(text, &len, a, &conflict);
	if (frontmatter_parse(&fm, text, len, path, a, e) < 0 ||
	    schema_check(article ? SCHEMA_ARTICLE : SCHEMA_NONE, &fm, path, e) <
		    0)
		return -1;
	fetched = article ? string_of(&fm.data, "fetched") : NULL;
	title = string_of(&fm.data, "title");
	*r = (struct record){
		.kind = article ? RECORD_ARTICLE : RECORD_ITEM,
		.path = path,
		.created = "",
		.title = "",
		.conflict = conflict,
		.bytes = bytes,
		.nbytes = nbytes,
	};
	if (fetched && instant_parse_day(fetched, strlen(fetched), &r->at))
		r->created = fetched;
	r->title = title ? title : "";
	r->source = string_of(&fm.data, "source");
	r->keys = record_keys_of(&fm.data, SCHEMA_ARTICLE, a);
	if (article)
		read_tags(r, value_get(&fm.data, "tags"), a);
	r->frontmatter = keep_frontmatter(&fm, a);
	frontmatter_content(&fm, &r->content, &r->content_len);
	return 0;
}

static struct record_refs copy_refs(const struct record_refs *refs,
				    struct arena *a)
{
	struct record_ref *items;

	if (!refs->n)
		return (struct record_refs){0};
	items = arena_alloc(a, refs->n * sizeof(*items));
	for (size_t i = 0; i < refs->n; i++) {
		items[i] = refs->items[i];
		if (items[i].created)
			items[i].created = arena_strdup(a, items[i].created);
	}
	return (struct record_refs){items, refs->n};
}

struct record record_copy(const struct record *r, struct arena *a)
{
	struct record copy = *r;

	copy.frontmatter = NULL;
	copy.bytes = NULL;
	copy.path = arena_strdup(a, r->path);
	copy.created = arena_strdup(a, r->created);
	copy.tags = NULL;
	if (r->ntags)
		copy.tags = arena_alloc(a, r->ntags * sizeof(*copy.tags));
	for (size_t i = 0; i < r->ntags; i++)
		copy.tags[i] = arena_strdup(a, r->tags[i]);
	if (r->source)
		copy.source = arena_strdup(a, r->source);
	if (r->keys.json)
		copy.keys.json = arena_strdup(a, r->keys.json);
	if (r->snippet)
		copy.snippet = arena_strdup(a, r->snippet);
	if (r->instead)
		copy.instead = arena_strdup(a, r->instead);
	if (r->matches)
		copy.matches = arena_strdup(a, r->matches);
	if (r->evidence)
		copy.evidence = arena_strdup(a, r->evidence);
	copy.contradicts = copy_refs(&r->contradicts, a);
	copy.contradicted_by = copy_refs(&r->contradicted_by, a);
	copy.like = copy_refs(&r->like, a);
	if (r->title)
		copy.title = arena_strdup(a, r->title);
	if (r->worktree)
		copy.worktree = arena_strdup(a, r->worktree);
	copy.content = arena_copy(a, r->content, r->content_len);
	return copy;
}

struct record record_copy_head(const struct record *r, struct arena *a)
{
	const size_t enough =
		utf8_prefix(r->content, r->content_len, SUMMARY_MAX + 1);
	struct record head = *r;

	head.content_len = enough;
	return record_copy(&head, a);
}

/* The length of the line end at P, 1 for any other byte. */
static size_t step(const char *p, size_t len)
{
	return len > 1 && p[0] == '\r' && p[1] == '\n' ? 2 : 1;
}

bool record_same_text(const char *x, size_t x_len, const char *y, size_t y_len)
{
	if (x_len == y_len && !memcmp(x, y, x_len))
		return true;
	while (x_len && y_len) {
		const size_t i = step(x, x_len), k = step(y, y_len);

		if (x[i - 1] != y[k - 1])
			return false;
		x += i;
		y += k;
		x_len -= i;
		y_len -= k;
	}
	return !x_len && !y_len;
}

/* The bytes of P before the first C, at most LEN. */
static size_t before(const char *p, size_t len, char c)
{
	const char *at = len ? memchr(p, c, len) : NULL;

	return at ? (size_t)(at - p) : len;
}

/* How much of the content is its summary; *CUT if there would be more. */
static size_t summary_of(const struct record *r, bool *cut)
{
	const size_t most = r->content_len,
		     shorter = utf8_prefix(r->content, most, SUMMARY_MAX - 3),
		     enough = shorter + utf8_prefix(r->content + shorter,
						    most - shorter, 3);
	const size_t len =
		before(r->content, before(r->content, enough, '\n'), '\r');

	*cut = len == enough && len < most && r->content[len] != '\n' &&
	       r->content[len] != '\r';
	return *cut ? shorter : len;
}

void record_summary(struct buf *out, const struct record *r)
{
	bool cut;

	buf_add(out, r->content, summary_of(r, &cut));
	if (cut)
		buf_adds(out, "...");
}

/* Append the string as JSON; a NUL ends it. */
static void add_summary(struct buf *out, const struct record *r)
{
	bool cut;
	const size_t len = summary_of(r, &cut),
		     shown = len ? strnlen(r->content, len) : 0;

	json_write_bytes(out, "summary", r->content, shown);
	if (!cut || shown < len)
		return;
	buf_cut(out, out->len - 1);
	buf_adds(out, "...\"");
}

/* What a search says of R. */
static void add_found(struct buf *out, const struct record *r)
{
	if (r->ranked) {
		json_write_key(out, "score");
		buf_addf(out, "%.4f", r->score);
		json_write_key(out, "coverage");
		buf_addf(out, "%.4f", r->coverage);
	}
	if (r->snippet)
		json_write_text(out, "snippet", r->snippet);
	if (r->snippet && r->matches)
		json_write_raw(out, "matches", r->matches);
	if (r->partial)
		json_write_bool(out, "partial", true);
	if (r->total)
		json_write_int(out, "total", (int64_t)r->total);
	if (r->instead)
		json_write_raw(out, "instead", r->instead);
	if (r->degraded)
		json_write_text(out, "degraded", r->degraded);
}

int record_find_key(const struct record *r, const char *key, struct arena *a,
		    struct value *out)
{
	const struct value *found;

	if (!r->frontmatter)
		return record_keys_find(&r->keys, key, a, out);
	found = value_get(r->frontmatter, key);
	if (found)
		*out = *found;
	return found != NULL;
}

unsigned record_marks(const struct record *r)
{
	return r->marks | marks_now(&r->keys) |
	       (record_is_external(r) ? MARK_EXTERNAL : 0);
}

/* Append REFS, of the store of R, as the list KEY, unless it is empty. */
static void add_refs(struct buf *out, const char *key, const struct record *r,
		     const struct record_refs *refs)
{
	if (!refs->n)
		return;
	json_write_open(out, key, '[');
	for (size_t i = 0; i < refs->n; i++) {
		json_write_open(out, NULL, '{');
		json_write_int(out, "id", refs->items[i].id);
		json_write_text(out, "scope", record_scope_name(r->scope));
		json_write_close(out, '}');
	}
	json_write_close(out, ']');
}

void record_json_refs(struct buf *out, const struct record *r)
{
	add_refs(out, "contradicts", r, &r->contradicts);
	add_refs(out, "contradicted_by", r, &r->contradicted_by);
	if (r->like.n) {
		json_write_open(out, "like", '[');
		for (size_t i = 0; i < r->like.n; i++)
			json_write_int(out, NULL, r->like.items[i].id);
		json_write_close(out, ']');
	}
}

/* Append for which commit a remote index has R. */
static void add_commit(struct buf *out, const struct record *r)
{
	json_write_text(out, "commit", r->commit);
	json_write_text(out, "as_of", r->as_of);
}

void record_json(struct buf *out, const struct record *r,
		 enum record_detail detail)
{
	char sum[SHA256_HEX];

	json_write_open(out, NULL, '{');
	if (r->title)
		json_write_text(out, "id", NULL);
	else
		json_write_int(out, "id", r->id);
	json_write_text(out, "path", r->path);
	json_write_text(out, "scope", record_scope_name(r->scope));
	if (r->project)
		json_write_text(out, "project", r->project);
	if (r->commit)
		add_commit(out, r);
	else if (r->prefix)
		json_write_bytes(out, "store", r->prefix,
				 strlen(r->prefix) - 1);
	json_write_text(out, "created", r->created);
	json_write_open(out, "tags", '[');
	for (size_t i = 0; i < r->ntags; i++)
		json_write_text(out, NULL, r->tags[i]);
	json_write_close(out, ']');
	json_write_text(out, "source", r->source);
	add_summary(out, r);
	if (detail != RECORD_LINE)
		json_write_bytes(out, "content", r->content, r->content_len);
	if (detail == RECORD_WHOLE && r->frontmatter) {
		const size_t start = out->len;

		json_write_key(out, "frontmatter");
		if (json_write_value(out, r->frontmatter, NULL) < 0)
			buf_cut(out, start);
	}
	if (detail == RECORD_WHOLE && r->bytes)
		json_write_text(out, "sha256",
				sha256_of(r->bytes, r->nbytes, sum));
	if (r->ranked || r->total)
		json_write_text(out, "kind", record_kind_name(r->kind));
	if (r->title)
		json_write_text(out, "title", r->title);
	if (r->worktree)
		json_write_text(out, "worktree", r->worktree);
	if (record_marks(r)) {
		json_write_key(out, "marks");
		marks_json(out, record_marks(r));
	}
	if (r->evidence)
		json_write_raw(out, "evidence", r->evidence);
	record_json_refs(out, r);
	add_found(out, r);
	json_write_close(out, '}');
}

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

int record_by_id(const void *a, const void *b)
{
	const struct record *x = a, *y = b;
	int r = compare(x->id, y->id);

	if (!r)
		r = compare(x->scope, y->scope);
	return r ? r : strcmp(x->path, y->path);
}
