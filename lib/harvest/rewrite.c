/* rewrite.c: the text is composed and the file compared again until nobody changes it
 * meanwhile.
 */
#include "harvest/rewrite.h"

#include "harvest/item-file.h"
#include "store/journal.h"
#include "text/conflict.h"

#include <unistd.h>

#define TRIES 100

/* Read the file into WAS and compose TEXT from it. *FOUND is set to whether
 * the file exists. Returns as rewrite_fn. */
static int compose_text(const struct rewrite *rw, int dir, const char *path,
			struct buf *was, struct buf *text, bool *found,
			struct err *e)
{
	struct arena a = {0};
	size_t len, line;
	int r = dir < 0 ? 0
			: file_read(dir, rw->name, path, ITEM_FILE_MAX, was, e);

	if (r < 0)
		return -1;
	*found = r > 0;
	len = was->len;
	conflict_ours(buf_str(was), &len, &a, &line);
	arena_release(&a);
	if (line)
		return err_set(e, ERR_DATA,
			       "'%s':%zu:1: an unresolved merge: run 'co "
			       "resolve%s' first",
			       path, line,
			       record_scope_option(rw->store->repo.root.scope));
	buf_cut(text, 0);
	r = rw->fn(rw->ctx, was, text, e);
	len = rw->max ? rw->max : ITEM_FILE_GROWN;
	if (r == 1 && text->len > len && text->len > was->len)
		return err_set(e, ERR_SYSTEM,
			       "'%s' would have more than %zu bytes: shorten "
			       "it",
			       path, len);
	return r;
}

/* Compose the text and, if WRITE, write it; repeat while the file changes. */
static int rewrite_loop(const struct rewrite *rw, int dir, const char *path,
			bool write, struct err *e)
{
	struct buf was = {0}, text = {0};
	struct operation_change c = {
		.dir = dir, .name = rw->name, .path = path, .text = &text};
	bool wrote = false, found;
	struct err why = {.code = ERR_NONE};
	int r, left = 1, tries = 0;

	do {
		buf_cut(&was, 0);
		r = compose_text(rw, dir, path, &was, &text, &found, &why);
		if (r != 1 || !write)
			break;
		c.was = found ? &was : NULL;
		left = operation_change(rw->store, &c, &why);
		wrote = wrote || left >= 0;
		/* After an unknown outcome, read the file again. */
	} while ((left > 0 || (left < 0 && why.code == ERR_BUSY)) &&
		 ++tries < TRIES);
	buf_release(&was);
	buf_release(&text);
	if (r >= 0 && write && r == 1 && left < 0)
		r = -1;
	return r < 0 ? err_take(e, &why) : r || wrote;
}

static const char *file_path(const struct rewrite *rw, struct arena *a)
{
	return *rw->folder ? arena_printf(a, "%s/%s/%s", rw->store->repo.path,
					  rw->folder, rw->name)
			   : arena_printf(a, "%s/%s", rw->store->repo.path,
					  rw->name);
}

int rewrite_check(const struct rewrite *rw, struct err *e)
{
	struct arena a = {0};
	int dir, r = layout_open(&rw->store->repo, rw->folder, &dir, e);

	if (r >= 0)
		r = rewrite_loop(rw, dir, file_path(rw, &a), false, e);
	file_close(dir);
	arena_release(&a);
	return r;
}

int rewrite_file(const struct rewrite *rw, struct err *e)
{
	struct repo *repo = &rw->store->repo;
	struct arena a = {0};
	int dir, r = *rw->folder ? layout_make(repo, rw->folder, &dir, e)
				 : layout_open(repo, "", &dir, e);

	if (r < 0) {
		arena_release(&a);
		return -1;
	}
	r = rewrite_loop(rw, dir, file_path(rw, &a), true, e);
	close(dir);
	arena_release(&a);
	return r;
}
