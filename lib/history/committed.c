/* committed.c: see committed.h. */
#include "history/committed.h"

#include "cache/cache.h"
#include "history/history.h"
#include "sys/file-write.h"

#include <fcntl.h>
#include <stdlib.h>

#define LEVELS (HISTORY_LEVELS + 2) /* of the temporary directory */

/* Call FN with the store in DIR, if there is one. */
static int call(const char *dir, committed_fn *fn, void *ctx, struct err *e)
{
	struct store was;
	int r = store_open_at(&was, dir, NULL, e);

	if (r != 1)
		return r;
	r = fn(ctx, &was, e);
	cache_purge(was.cache, NULL);
	store_close(&was);
	return r;
}

int committed_with(struct store *s, const char *rev, committed_fn *fn,
		   void *ctx, struct err *e)
{
	const char *temp = getenv("TMPDIR");
	struct buf dir = {0};
	int r;

	buf_addf(&dir, "%s/co-commit-XXXXXX",
		 temp && *temp == '/' ? temp : "/tmp");
	if (!mkdtemp(dir.p)) {
		r = err_sys(e, "cannot make a directory '%s'", dir.p);
	} else {
		r = history_lay_out(s, rev, dir.p, e);
		if (!r)
			r = call(dir.p, fn, ctx, e);
		file_remove_tree(AT_FDCWD, dir.p, LEVELS);
	}
	buf_release(&dir);
	return r;
}
