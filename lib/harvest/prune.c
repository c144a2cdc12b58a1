/* prune.c: see prune.h.  The index of a split is removed last, so that a killed
 * run leaves a split that is still known as stale. */
#include "harvest/prune.h"

#include "base/strings.h"
#include "format/json-read.h"
#include "format/json-write.h"
#include "sys/file-write.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define INDEX_MAX ((size_t)16 * 1024 * 1024)
#define DEEP 32
#define INDEX "index.json"

/* A directory being emptied, or searched for indexes. */
struct prune_walk {
	int fd, depth;
	const char *path;
	struct strings names;
	struct arena arena;
	struct err *e;
};

static int remove_below(int dir, const char *name, const char *path, int depth,
			struct err *e);

static int remove_entry(void *ctx, const char *name, enum file_kind kind)
{
	struct prune_walk *m = ctx;

	/* The index marks the split as stale, so it is removed last. */
	if (!m->depth && !strcmp(name, INDEX))
		return 0;
	if (kind == FILE_FOLDER)
		return remove_below(m->fd, name, m->path, m->depth + 1, m->e);
	if (unlinkat(m->fd, name, 0) < 0 && errno != ENOENT)
		return err_sys(m->e, "cannot remove '%s'", m->path);
	return 0;
}

/* Remove the directory NAME of DIR.  PATH is for messages.  At depth 0 it is a
 * split: without an index it is removed only if it is empty, as a killed run
 * leaves it. */
static int remove_below(int dir, const char *name, const char *path, int depth,
			struct err *e)
{
	struct prune_walk m = {.depth = depth, .path = path, .e = e};
	int r;

	if (depth > DEEP)
		return err_set(e, ERR_SYSTEM, "'%s' is too deep", path);
	r = file_open_dir(dir, name, path, &m.fd, e);
	if (r != 1)
		return r;
	r = depth || !file_is_gone(m.fd, INDEX, false)
		    ? file_walk(m.fd, path, remove_entry, &m, e)
		    : 0;
	if (!r && !depth && unlinkat(m.fd, INDEX, 0) < 0 && errno != ENOENT)
		r = err_sys(e, "cannot remove '%s/" INDEX "'", path);
	close(m.fd);
	if (!r && unlinkat(dir, name, AT_REMOVEDIR) < 0 && errno != ENOENT)
		r = err_sys(e, "cannot remove '%s'", path);
	return r;
}

const char *prune_key(const char *path, struct arena *a)
{
	return arena_printf(a, "path:%s", path);
}

int prune_split(struct ledger *l, const char *path, struct err *e)
{
	struct arena a = {0};
	struct ledger_entry en = {
		.key = prune_key(path, &a),
		.path = path,
		.status = LEDGER_PRUNED,
	};
	const char *slash = strrchr(path, '/');
	const char *above = arena_copy(&a, path, (size_t)(slash - path));
	int dir, r = ledger_put(l, &en, e);

	if (!r)
		r = file_open_dir(AT_FDCWD, above, above, &dir, e);
	if (r == 1) {
		r = remove_below(dir, slash + 1, path, 0, e);
		if (!r)
			r = file_sync_dir(dir, above, e);
		close(dir);
	}
	en.deleted = true;
	if (!r)
		r = ledger_put(l, &en, e);
	arena_release(&a);
	return r;
}

static int collect_index(void *ctx, const char *name, enum file_kind kind)
{
	static const char prefix[] = "file-index-";
	struct prune_walk *m = ctx;

	if (kind == FILE_REGULAR && !strncmp(name, prefix, strlen(prefix)))
		strings_add(&m->names, arena_strdup(&m->arena, name));
	return 0;
}

/* Return true if V, an entry of an index in the folder DIR, has neither a file
 * nor a conversation.  A relative path is never stale: see harvest-scan.h. */
static bool is_stale(int dir, const struct value *v)
{
	const char *path = value_text(v, "path");
	const char *name = value_text(v, "conversation");

	return path && *path == '/' && name && !strchr(name, '/') &&
	       file_is_gone(AT_FDCWD, path, true) &&
	       file_is_gone(dir, name, false);
}

/* Remove the stale entries from the index NAME.  An unreadable index is
 * kept. */
static int prune_index_file(struct prune_walk *m, const char *name, size_t *n)
{
	struct buf was = {0}, text = {0};
	struct value v, *map;
	size_t kept = 0, all;
	int r = file_read(m->fd, name, m->path, INDEX_MAX, &was, m->e);

	if (r == 1 &&
	    json_parse(buf_str(&was), was.len, &m->arena, &v, NULL) == 0 &&
	    (map = (struct value *)value_get(&v, "by_file_id")) &&
	    map->kind == VALUE_MAP) {
		all = map->u.map.n;
		for (size_t i = 0; i < all; i++) {
			if (!is_stale(m->fd, &map->u.map.pairs[i].val))
				map->u.map.pairs[kept++] = map->u.map.pairs[i];
		}
		map->u.map.n = kept;
		r = kept < all ? json_write_value(&text, &v, m->e) : 0;
		buf_addc(&text, '\n');
		if (!r && kept < all)
			r = file_replace_from(m->fd, m->fd, name, m->path, &was,
					      text.p, text.len, NULL, m->e);
		*n += r >= 0 ? all - kept : 0;
	}
	buf_release(&was);
	buf_release(&text);
	return r < 0 ? -1 : 0;
}

int prune_index(const char *root, size_t *n, struct err *e)
{
	struct prune_walk m = {.e = e};
	int r;

	m.path = arena_printf(&m.arena, "%s/conversations", root);
	r = file_open_dir(AT_FDCWD, m.path, m.path, &m.fd, e);
	if (r == 1) {
		r = file_walk(m.fd, m.path, collect_index, &m, e);
		for (size_t i = 0; i < m.names.n && !r; i++)
			r = prune_index_file(&m, m.names.items[i], n);
		close(m.fd);
	}
	free(m.names.items);
	arena_release(&m.arena);
	return r < 0 ? -1 : 0;
}
