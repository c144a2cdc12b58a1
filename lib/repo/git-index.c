/* git-index.c: the index is read as in gitformat-index(5): versions 2 to 4, whole
 * and sparse, with hashes of 20 or 32 bytes. For what git tracks, the shared files
 * of a split index are read as well. A stale one may add paths that are no longer
 * tracked, but hides none.
 *
 * The index is the user's own file, but each offset is checked all the same.
 */
#include "repo/git-index.h"

#include "base/buf.h"
#include "sys/file.h"

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

/* The walk over the entries. */
struct walk {
	const unsigned char *p, *end;
	size_t hash;
	uint32_t version;
	struct buf name;
	bool left_out; /* the entry that NAME is of */
};

/* The number in front of a name of version 4: how much of the last is dropped. */
static bool take_varint(struct walk *w, size_t *n)
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
static bool next(struct walk *w)
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
	else if (!take_varint(w, &drop) || drop > w->name.len)
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

/* True if the entry of W lies below FOLDER, and is left out of the work tree. */
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

/* True if the entry of W is FOLDER or lies below it. */
static bool is_below(const struct walk *w, const char *folder)
{
	const size_t len = strlen(folder);
	const char *name = buf_str(&w->name);

	return !strncmp(name, folder, len) && (!name[len] || name[len] == '/');
}

/* Return true if is_below(), or if the entry of W is a submodule that holds FOLDER. */
static bool is_below_or_holds(const struct walk *w, const char *folder)
{
	const size_t n = w->name.len;
	const char *name = buf_str(&w->name);

	return is_below(w, folder) ||
	       (n && !strncmp(name, folder, n) &&
		(folder[n] == '/' || name[n - 1] == '/'));
}

typedef bool is_wanted(const struct walk *w, const char *folder);

/* 1 if IS says yes to an entry of the index NAME of G, 0, -1. */
static int find_in(const struct gitdir *g, const char *name, is_wanted *is,
		   const char *folder, struct err *e)
{
	struct buf path = {0}, text = {0};
	struct walk w = {.hash = 20};
	int r = 0;

	buf_addf(&path, "%s/%s", g->dir, name);
	if (access(path.p, F_OK) == 0 &&
	    file_read_path(path.p, INDEX_MAX, &text, e) < 0)
		r = -1;
	if (r < 0 || text.len < 12 || memcmp(text.p, "DIRC", 4) != 0)
		goto out;
	w.p = (const unsigned char *)text.p;
	w.end = w.p + text.len;
	w.version = get32(w.p + 4);
	if (is_sha256(g))
		w.hash = 32;
	w.p += 12;
	if (w.version < 2 || w.version > 4)
		goto out;
	for (uint32_t n = get32(w.p - 4); !r && n-- && next(&w);)
		r = is(&w, folder);
out:
	buf_release(&path);
	buf_release(&text);
	buf_release(&w.name);
	return r;
}

int git_index_leaves_out(const struct gitdir *g, const char *folder,
			 struct err *e)
{
	struct buf path = {0};
	bool sparse;

	buf_addf(&path, "%s/info/sparse-checkout", g->dir);
	sparse = access(path.p, F_OK) == 0;
	buf_release(&path);
	return sparse ? find_in(g, "index", is_left_out, folder, e) : 0;
}

/* The walk over a git dir for files that a split index shares. */
struct shared {
	const struct gitdir *g;
	is_wanted *is;
	const char *folder;
	struct err *e;
};

static int look_in_shared(void *ctx, const char *name, enum file_kind kind)
{
	const struct shared *s = ctx;

	return kind == FILE_REGULAR && !strncmp(name, "sharedindex.", 12)
		       ? find_in(s->g, name, s->is, s->folder, s->e)
		       : 0;
}

int git_index_tracks(const struct gitdir *g, const char *folder,
		     bool submodules, struct err *e)
{
	struct shared s = {g, submodules ? is_below_or_holds : is_below, folder,
			   e};
	int dir, r = find_in(g, "index", s.is, folder, e);

	if (r || file_open_dir(AT_FDCWD, g->dir, g->dir, &dir, NULL) != 1)
		return r;
	r = file_walk(dir, g->dir, look_in_shared, &s, e);
	close(dir);
	return r;
}
