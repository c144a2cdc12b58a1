/* documents: print the documents of the store in the working directory as lines of a
 * push, in the order of the view. */
#include "cache/cache.h"
#include "remote/remote-document.h"
#include "store/store.h"

#include <stdio.h>

static const char *expires_of(const struct view_doc *d, struct arena *a)
{
	struct value v;

	return record_keys_find(&d->keys, "expires", a, &v) == 1 &&
			       v.kind == VALUE_STR
		       ? v.u.s.p
		       : "";
}

static int add(void *ctx, const struct view_doc *d)
{
	static const enum record_kind kinds[] = {[VIEW_MEMORY] = RECORD_MEMORY,
						 [VIEW_ARTICLE] =
							 RECORD_ARTICLE,
						 [VIEW_CATEGORY] = RECORD_ITEM};
	const size_t *root = ctx; /* bytes of the store's path */
	struct arena a = {0};
	struct remote_document out = {
		.kind = kinds[d->kind],
		.id = d->id,
		.path = d->path + *root + 1,
		.order = d->order,
		.created = d->created,
		.expires = expires_of(d, &a),
		.source = d->source,
		.title = d->title,
		.tags = arena_alloc(&a, (d->ntags + 1) * sizeof(*out.tags)),
		.ntags = d->ntags,
		.text = d->text,
		.len = d->len,
	};
	const char *tag = d->tags;
	struct buf json = {0};
	char hash[SHA256_HEX];

	for (size_t i = 0; i < d->ntags; i++, tag += strlen(tag) + 1)
		out.tags[i] = tag;
	remote_document_write(&json, &out, hash);
	printf("{\"doc\":{\"hash\":\"%s\",%s}\n", hash, json.p + 1);
	buf_release(&json);
	arena_release(&a);
	return 0;
}

int main(void)
{
	struct store s;
	size_t root;
	struct err e;

	if (store_open(&s, SCOPE_PROJECT, NULL, &e) < 0 ||
	    cache_refresh(s.cache, REFRESH_DOCUMENTS | REFRESH_MAKE, &e) < 0)
		return 2;
	root = strlen(s.repo.root.path);
	view_each(s.cache, 0, add, &root);
	store_close(&s);
	return 0;
}
