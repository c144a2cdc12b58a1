/* git-index.c: the index is read as in gitformat-index(5): versions 2 to 4, whole
 * and sparse, with hashes of 20 or 32 bytes. For what git tracks, the shared files
 * of a split index are read as well. A stale one may add paths that are no longer
 * tracked, but hides none.
 *
 * The index is the user's own file, but each offset is checked nevertheless.
 */
#include "repo/gitdir.h"

#include "sys/file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define INDEX_MAX ((size_t)1 << 30)
#define CONFIG_MAX ((size_t)1 << 20)
#define STAT_BYTES 40
#define EXTENDED 0x4000u
#define SKIP_WORKTREE 0x4000u
#define MODE_TREE 0040000u

static uint32_t get32(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	       (uint32_t)p[2] << 8 | p[3];
}

/* The position in the entries. */
struct walk {
	const unsigned char *p, *end;
	size_t hash; /* bytes of a hash */
	uint32_t version;
	struct buf name; /* of the current entry */
	bool left_out;	 /* the work tree has no file for it */
};

/* Read the number before a name of version 4 into *N: how many bytes at the end of the
 * previous name to drop. Return false if it is malformed. */
static bool read_varint(struct walk *w, size_t *n)
{
	unsigned char c;

	if (w->p >= w->end)
		return false;
	c = *w->p++;
	*n = c & 127;
	while (c & 128) {
		if (w->p >= w->end || *n > INDEX_MAX)
			return false;
		c = *w->p++;
		*n = ((*n + 1) << 7) + (c & 127);
	}
	return true;
}

/* Read the next entry. Return false at the end or if it is malformed. */
static bool next_entry(struct walk *w)
{
	const unsigned char *entry = w->p, *nul;
	size_t head = STAT_BYTES + w->hash + 2, drop;
	uint32_t mode, flags;

	if ((size_t)(w->end - entry) < head + 3)
		return false;
	mode = get32(entry + 24);
	flags = (uint32_t)entry[head - 2] << 8 | entry[head - 1];
	w->left_out = mode == MODE_TREE;
	if (flags & EXTENDED) {
		w->left_out |=
			(((uint32_t)entry[head] << 8) & SKIP_WORKTREE) != 0;
		head += 2;
	}
	w->p = entry + head;
	if (w->version < 4)
		drop = w->name.len;
	else if (!read_varint(w, &drop) || drop > w->name.len)
		return false;
	nul = memchr(w->p, '\0', (size_t)(w->end - w->p));
	if (!nul)
		return false;
	buf_cut(&w->name, w->name.len - drop);
	buf_add(&w->name, w->p, (size_t)(nul - w->p));
	if (w->version < 4) {
		head += w->name.len;
		head = (head + 8) & ~(size_t)7;
		if ((size_t)(w->end - entry) < head)
			return false;
		w->p = entry + head;
	} else {
		w->p = nul + 1;
	}
	return true;
}

static bool is_sha256(const struct gitdir *g)
{
	struct buf path = {0}, text = {0};
	bool is;

	buf_addf(&path, "%s/config", g->common);
	is = file_read_path(path.p, CONFIG_MAX, &text, NULL) == 1 &&
	     strstr(buf_str(&text), "sha256");
	buf_release(&path);
	buf_release(&text);
	return is;
}

/* Return true if the entry of W is below FOLDER and left out of the work tree. */
static bool is_left_out(const struct walk *w, const char *folder)
{
	const size_t len = strlen(folder);
	const char *name = buf_str(&w->name);

	return w->left_out &&
	       (!strncmp(name, folder, len)
			? name[len] == '/'
			: w->name.len && name[w->name.len - 1] == '/' &&
				  !strncmp(name, folder, w->name.len));
}

/* Return true if the entry of W is FOLDER or below it. */
static bool is_below(const struct walk *w, const char *folder)
{
	const size_t len = strlen(folder);
	const char *name = buf_str(&w->name);

	return !strncmp(name, folder, len) && (!name[len] || name[len] == '/');
}

typedef bool is_wanted(const struct walk *w, const char *folder);

/* Begin the walk W over TEXT, the index of G, and set *N to the number of entries.
 * Return false if it is not an index that we can read. */
static bool begin_walk(struct walk *w, const struct gitdir *g,
		       const struct buf *text, uint32_t *n)
{
	if (text->len < 12 || memcmp(text->p, "DIRC", 4) != 0)
		return false;
	w->p = (const unsigned char *)text->p;
	w->end = w->p + text->len;
	w->version = get32(w->p + 4);
	w->hash = is_sha256(g) ? 32 : 20;
	*n = get32(w->p + 8);
	w->p += 12;
	return w->version >= 2 && w->version <= 4;
}

/* Return 1 if IS returns true for an entry of the index NAME of G, 0, or -1. */
static int search_index(const struct gitdir *g, const char *name, is_wanted *is,
			const char *folder, struct err *e)
{
	struct buf path = {0}, text = {0};
	struct walk w = {0};
	uint32_t n = 0;
	bool whole;
	int r = 0;

	buf_addf(&path, "%s/%s", g->dir, name);
	if (file_is_gone(AT_FDCWD, path.p, true))
		goto out;
	r = file_read_path(path.p, INDEX_MAX, &text, e);
	if (r < 0)
		goto out;
	r = 0;
	whole = begin_walk(&w, g, &text, &n);
	for (; whole && !r && n; n--) {
		whole = next_entry(&w);
		r = whole && is(&w, folder);
	}
	if (!whole)
		r = err_set(e, ERR_DATA, "cannot understand '%s'", path.p);
out:
	buf_release(&path);
	buf_release(&text);
	buf_release(&w.name);
	return r;
}

int gitdir_leaves_out(const struct gitdir *g, const char *folder, struct err *e)
{
	struct buf path = {0};
	struct err why;
	int r;

	buf_addf(&path, "%s/info/sparse-checkout", g->dir);
	r = file_exists(AT_FDCWD, path.p, path.p, &why);
	buf_release(&path);
	if (r == 1)
		r = search_index(g, "index", is_left_out, folder, &why);
	/* An index that git did not write leaves nothing out. */
	if (r < 0 && why.code == ERR_DATA)
		return 0;
	return r < 0 ? err_take(e, &why) : r;
}

int gitdir_tracks(const struct gitdir *g, const char *folder, struct err *e)
{
	struct file_list in;
	struct arena a = {0};
	int dir, r = search_index(g, "index", is_below, folder, e);

	if (r)
		return r;
	/* Git follows a `.git` that is a link. */
	dir = file_open(AT_FDCWD, g->dir, O_RDONLY | O_DIRECTORY, 0);
	if (dir < 0)
		return errno == ENOENT || errno == ENOTDIR
			       ? 0
			       : err_sys(e, "cannot open '%s'", g->dir);
	r = file_list(dir, g->dir, &a, &in, e);
	for (size_t i = 0; i < in.n && !r; i++) {
		if (in.items[i].kind == FILE_REGULAR &&
		    !strncmp(in.items[i].name, "sharedindex.", 12))
			r = search_index(g, in.items[i].name, is_below, folder,
					 e);
	}
	arena_release(&a);
	close(dir);
	return r;
}
