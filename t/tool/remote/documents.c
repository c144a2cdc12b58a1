/* documents: print the documents of the store in the working directory as lines
 * of a push, in the order of the view. */
#include "cache/cache.h"
#include "remote/remote-document.h"
#include "store/store.h"

#include <stdio.h>

static int add(void *ctx, const struct view_doc *d)
{
	struct arena a = {0};
	struct remote_document out;
	struct buf json = {0};
	char hash[SHA256_HEX];

	remote_document_of(&out, d, ctx, &a);
	remote_document_write(&json, &out, hash);
	printf("{\"doc\":{\"hash\":\"%s\",%s}\n", hash, json.p + 1);
	buf_release(&json);
	arena_release(&a);
	return 0;
}

int main(void)
{
	struct store s;
	struct err e;

	if (store_open(&s, SCOPE_PROJECT, NULL, &e) < 0 ||
	    cache_refresh(s.cache, REFRESH_DOCUMENTS | REFRESH_MAKE, &e) < 0)
		return 2;
	view_each(s.cache, 0, add, s.repo.root.path);
	store_close(&s);
	return 0;
}
