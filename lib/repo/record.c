/* record.c: see record.h. */
#include "repo/record.h"

#include "base/sha256.h"
#include "base/utf8.h"
#include "repo/marks.h"
#include "text/conflict.h"

#define SUMMARY_MAX 80 /* characters */

const struct record_info record_fields[RECORD_NFIELDS] = {
	[RECORD_ID] = {"id", "id of the memory"},
	[RECORD_PATH] = {"path", "absolute path of its file"},
	[RECORD_SCOPE] = {"scope", "project or global"},
	[RECORD_CREATED] = {"created", "creation time, as in the file"},
	[RECORD_TAGS] = {"tags", "its tags"},
	[RECORD_SOURCE] = {"source", "its source"},
	[RECORD_SUMMARY] = {"summary", "first line of the content"},
	[RECORD_CONTENT] = {"content", "text, without blanks at its ends"},
	[RECORD_SCORE] = {"score", "relevance in a ranked search"},
	[RECORD_COVERAGE] = {"coverage", "share of the query that it has"},
	[RECORD_SNIPPET] = {"snippet", "part that answers the query"},
	[RECORD_PARTIAL] = {"partial", "true if it lacks words of the query"},
	[RECORD_KIND] = {"kind", "memory, item, article or conversation"},
	[RECORD_TITLE] = {"title", "headings above it, unless it is a memory"},
	[RECORD_MARKS] =
		{"marks",
		 "expired, archived, replaced, sensitive, external or due"},
	[RECORD_EVIDENCE] = {"evidence",
			     "what it cites, and whether that changed"},
	[RECORD_CONTRADICTS] = {"contradicts",
				"earlier memories that it contradicts"},
	[RECORD_CONTRADICTED_BY] = {"contradicted_by",
				    "later memories that contradict it"},
	[RECORD_LIKE] = {"like", "memories that say nearly the same"},
	[RECORD_FRONTMATTER] = {"frontmatter", "all keys of its file"},
	[RECORD_SHA256] = {"sha256", "SHA-256 of its file"},
	[RECORD_PROJECT] = {"project",
			    "id of its project, if several are searched"},
	[RECORD_STORE] = {"store", "name of its store, if it has one"},
	[RECORD_COMMIT] = {"commit", "commit that a remote index has"},
	[RECORD_AS_OF] = {"as_of", "time at which that index was made"},
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

/* Set the path, the bytes and the conflict of R, the memory with the LEN bytes of TEXT at
 * PATH, and parse its frontmatter into FM. Return 0 or -1. */
static int begin_read(struct record *r, struct frontmatter *fm,
		      const char *text, size_t len, const char *path,
		      struct arena *a, struct err *e)
{
	*r = (struct record){.path = path, .bytes = text, .nbytes = len};
	text = conflict_ours(text, &len, a, &r->conflict);
	return frontmatter_parse(fm, text, len, path, a, e);
}

/* Set the free keys and the content of R from FM, by the schema S. */
static void end_read(struct record *r, const struct frontmatter *fm,
		     enum schema s, struct arena *a)
{
	struct value *kept = arena_alloc(a, sizeof(*kept));

	*kept = fm->data;
	r->frontmatter = kept;
	r->keys = record_keys_of(&fm->data, s, a);
	frontmatter_content(fm, &r->content, &r->content_len);
}

static const char *string_of(const struct value *map, const char *key)
{
	const struct value *v = value_get(map, key);

	return v && v->kind == VALUE_STR ? v->u.s.p : NULL;
}

/* Return true if PATH is that of a draft, also of one in the trash. */
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
	struct record read;

	if (begin_read(&read, &fm, text, len, path, a, e) < 0 ||
	    schema_memory(&m, &fm, path, e) < 0)
		return -1;
	read.scope = scope;
	read.id = m.id;
	read.created = m.created->u.s.p;
	read.at = m.at;
	if (m.source)
		read.source = m.source->u.s.p;
	read_tags(&read, m.tags, a);
	if (is_draft(path))
		read.worktree = string_of(&fm.data, "worktree");
	end_read(&read, &fm, SCHEMA_MEMORY, a);
	*r = read;
	return 0;
}

int record_read_document(struct record *r, const char *text, size_t len,
			 const char *path, bool article, struct arena *a,
			 struct err *e)
{
	struct frontmatter fm;
	struct record read;
	const char *fetched, *title;

	if (begin_read(&read, &fm, text, len, path, a, e) < 0 ||
	    schema_check(article ? SCHEMA_ARTICLE : SCHEMA_NONE, &fm, path, e) <
		    0)
		return -1;
	fetched = article ? string_of(&fm.data, "fetched") : NULL;
	title = string_of(&fm.data, "title");
	read.kind = article ? RECORD_ARTICLE : RECORD_ITEM;
	read.created = "";
	if (fetched && instant_parse_day(fetched, strlen(fetched), &read.at))
		read.created = fetched;
	read.title = title ? title : "";
	read.source = string_of(&fm.data, "source");
	if (article)
		read_tags(&read, value_get(&fm.data, "tags"), a);
	end_read(&read, &fm, SCHEMA_ARTICLE, a);
	*r = read;
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
	copy.source = arena_strdup(a, r->source);
	copy.keys.json = arena_strdup(a, r->keys.json);
	copy.snippet = arena_strdup(a, r->snippet);
	copy.instead = arena_strdup(a, r->instead);
	copy.matches = arena_strdup(a, r->matches);
	copy.evidence = arena_strdup(a, r->evidence);
	copy.contradicts = copy_refs(&r->contradicts, a);
	copy.contradicted_by = copy_refs(&r->contradicted_by, a);
	copy.like = copy_refs(&r->like, a);
	copy.title = arena_strdup(a, r->title);
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

/* Return the length of the line end at P, or 1 for any other byte. */
static size_t line_end_length(const char *p, size_t len)
{
	return len > 1 && p[0] == '\r' && p[1] == '\n' ? 2 : 1;
}

bool record_same_text(const char *x, size_t x_len, const char *y, size_t y_len)
{
	if (x_len == y_len && !memcmp(x, y, x_len))
		return true;
	while (x_len && y_len) {
		const size_t i = line_end_length(x, x_len),
			     k = line_end_length(y, y_len);

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

/* Return the number of bytes of R's content that are its summary, and set *CUT to
 * whether the line is longer. */
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

/* Append the summary of R as a JSON member. A NUL ends it. */
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

/* Append the fields that a search sets in R. */
static void add_found(struct buf *out, const struct record *r)
{
	if (r->ranked) {
		json_write_key(out, "score");
		buf_addf(out, "%.4f", r->score);
		json_write_key(out, "coverage");
		buf_addf(out, "%.4f", r->coverage);
	}
	json_write_given(out, "snippet", r->snippet);
	if (r->snippet && r->matches)
		json_write_raw(out, "matches", r->matches);
	if (r->partial)
		json_write_bool(out, "partial", true);
	if (r->total)
		json_write_int(out, "total", (int64_t)r->total);
	if (r->instead)
		json_write_raw(out, "instead", r->instead);
	json_write_given(out, "degraded", r->degraded);
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

/* Append the commit and time of the remote index that has R. */
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
	json_write_given(out, "project", r->project);
	if (r->commit)
		add_commit(out, r);
	else if (r->prefix)
		json_write_bytes(out, "store", r->prefix,
				 strlen(r->prefix) - 1);
	json_write_text(out, "created", r->created);
	json_write_texts(out, "tags", r->tags, r->ntags);
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
	json_write_given(out, "title", r->title);
	json_write_given(out, "worktree", r->worktree);
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
