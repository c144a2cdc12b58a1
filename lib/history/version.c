#include "history/version.h"

#include "base/hash.h"
#include "base/sha256.h"
#include "repo/marks.h"
#include "store/ids.h"

static const char top[] = "knowledge/";

/* Return the part of PATH after FOLDER, or NULL. */
static const char *path_below(const char *path, const char *folder)
{
	const size_t len = strlen(folder);

	return strncmp(path, folder, len) == 0 ? path + len : NULL;
}

enum version_kind version_kind(const char *path)
{
	const struct layout_directory *d;
	const char *rest = path_below(path, top), *slash = strrchr(path, '/');

	if (!rest || !layout_is_memory(slash + 1))
		return VERSION_NONE;
	if (!strchr(rest, '/'))
		return VERSION_DOCUMENT;
	d = layout_top(rest, strcspn(rest, "/"));
	return !d || !d->documents ? VERSION_NONE
	       : d->ids		   ? VERSION_MEMORY
				   : VERSION_DOCUMENT;
}

bool version_is_archived(const char *path)
{
	return path_below(path, "knowledge/" LAYOUT_ARCHIVE "/");
}

void version_read(struct version *v, const char *text, size_t len,
		  struct arena *a)
{
	struct version_text *t = arena_alloc(a, sizeof(*t));

	if (text) {
		t->p = text;
		t->len = len;
		frontmatter_parse(&t->fm, text, len, v->path, a, NULL);
		frontmatter_content(&t->fm, &t->content, &t->content_len);
	}
	v->text = t;
}

/* Append the LEN bytes of P with each line end as `\n`. */
static void add_plain(struct buf *out, const char *p, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (p[i] != '\r' || i + 1 == len || p[i + 1] != '\n')
			buf_addc(out, p[i]);
	}
}

static uint64_t hash_content(const char *p, size_t len)
{
	struct buf plain = {0};
	uint64_t hash;

	if (!memchr(p, '\r', len))
		return hash_bytes(p, len, 0);
	add_plain(&plain, p, len);
	hash = hash_bytes(buf_str(&plain), plain.len, 0);
	buf_release(&plain);
	return hash;
}

static void set_sum(struct version *v, struct arena *a)
{
	struct buf plain = {0};
	char hex[SHA256_HEX];

	add_plain(&plain, v->text->p, v->text->len);
	v->sum = arena_strdup(a, sha256_of(buf_str(&plain), plain.len, hex));
	buf_release(&plain);
}

void version_keep(struct version *v, struct arena *a)
{
	const struct version_text *t = v->text;
	const struct value *map = &t->fm.data;
	const int64_t id = value_positive(map, "id");
	const char *created = value_text(map, "created");

	v->known = true;
	v->missing = !t->p;
	if (v->missing)
		return;
	v->len = t->len;
	v->content_len = t->content_len;
	v->content_hash = hash_content(t->content, t->content_len);
	v->superseded = value_get(map, "superseded");
	v->sensitive = marks_of_map(map, instant_now()) & MARK_SENSITIVE;
	v->always = value_is_true(value_get(map, "always"));
	v->created = created ? arena_strdup(a, created) : NULL;
	if (v->id && id && id <= SCHEMA_ID_MAX)
		v->id = id;
	if (v->compared)
		set_sum(v, a);
}

bool version_keep_record(struct version *v, const struct record *r,
			 struct arena *a)
{
	struct value is;
	int found = 0;

	/* A checkout may have converted the line ends. */
	if (r->keys.cut || r->conflict ||
	    memchr(r->content, '\r', r->content_len))
		return false;
	if (r->keys.json) {
		found = record_keys_find(&r->keys, "superseded", a, &is);
		v->always = record_keys_find(&r->keys, "always", a, &is) > 0 &&
			    value_is_true(&is);
	}
	v->known = true;
	v->superseded = found > 0;
	v->sensitive = record_marks(r) & MARK_SENSITIVE;
	v->id = v->id ? r->id : 0; /* a memory needs a number in its name */
	v->created = arena_strdup(a, r->created);
	v->content_len = r->content_len;
	v->content_hash = hash_content(r->content, r->content_len);
	return true;
}

bool version_same(const struct version *x, const struct version *y)
{
	if (x->blob && y->blob)
		return !strcmp(x->blob, y->blob);
	return x->sum && y->sum && !strcmp(x->sum, y->sum);
}

bool version_is_one(const struct version *x, const struct version *y)
{
	if (!x->id || x->id != y->id)
		return !x->id && !y->id && !strcmp(x->path, y->path);
	return !x->created || !y->created || !strcmp(x->created, y->created) ||
	       x->content_hash == y->content_hash;
}

int version_by_id(const void *a, const void *b)
{
	const struct version *x = *(const struct version *const *)a,
			     *y = *(const struct version *const *)b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return strcmp(x->path, y->path);
}
