/* version.c: see version.h. */
#include "history/version.h"

#include "repo/layout.h"
#include "repo/schema.h"
#include "store/ids.h"

static const char top[] = "knowledge/";

/* PATH below FOLDER, or NULL. */
static const char *below(const char *path, const char *folder)
{
	const size_t len = strlen(folder);

	return strncmp(path, folder, len) == 0 ? path + len : NULL;
}

enum version_kind version_kind(const char *path)
{
	static const char *const folders[] = {"memories/", "archive/",
					      "articles/", "files/"};
	const char *rest = below(path, top), *slash = strrchr(path, '/');

	if (!rest || !layout_is_memory(slash + 1))
		return VERSION_NONE;
	for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
		if (below(rest, folders[i]))
			return i < 2 ? VERSION_MEMORY : VERSION_DOCUMENT;
	}
	return strchr(rest, '/') ? VERSION_NONE : VERSION_DOCUMENT;
}

bool version_is_archived(const char *path)
{
	return below(path, "knowledge/archive/");
}

void version_fill(struct version *v, const char *text, size_t len,
		  struct arena *a)
{
	const struct value *id;

	v->text = text;
	v->len = len;
	frontmatter_parse(&v->fm, text, len, v->path, a, NULL);
	frontmatter_content(&v->fm, &v->content, &v->content_len);
	id = value_get(&v->fm.data, "id");
	if (v->id && id && id->kind == VALUE_INT && id->u.i > 0 &&
	    id->u.i <= SCHEMA_ID_MAX)
		v->id = id->u.i;
}

bool version_same(const struct version *x, const struct version *y)
{
	if (x->blob && y->blob)
		return !strcmp(x->blob, y->blob);
	return x->text && y->text &&
	       record_same_text(x->text, x->len, y->text, y->len);
}

bool version_is_one(const struct version *x, const struct version *y)
{
	const char *was, *now;

	if (!x->id || x->id != y->id)
		return !x->id && !y->id && !strcmp(x->path, y->path);
	was = value_text(&x->fm.data, "created");
	now = value_text(&y->fm.data, "created");
	return !was || !now || !strcmp(was, now) ||
	       record_same_text(x->content, x->content_len, y->content,
				y->content_len);
}
