/* catalog.c: map a catalog and replay its commits.
 *
 * The mapping is private and writable: a patch to an older entry is applied in
 * the mapping, so all entries are read in one way.
 *
 * Known limit: if a process truncates the file while it is mapped, the reader
 * dies of SIGBUS. Ours never do.
 */
#include "cache/catalog.h"

#include "base/ascii.h"
#include "base/compat.h"
#include "base/hash.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

_Static_assert(sizeof(struct catalog_entry) == 144, "an entry has 144 bytes");

#define SKIP_SUM sizeof(uint64_t)

/* How far ahead to prefetch: one stat() takes about as long as memory needs to
 * load this many entries, and this many bytes of each. */
#define EXPECTED 4
#define EXPECTED_LEN 192

uint64_t catalog_sum(const struct catalog *s, const struct catalog_entry *e)
{
	return hash_bytes((const char *)e + SKIP_SUM, sizeof(*e) - SKIP_SUM,
			  s->identity);
}

size_t catalog_count(const struct catalog *s)
{
	return s->nbase + s->nmore;
}

struct catalog_entry *catalog_entry(const struct catalog *s, size_t i)
{
	return i < s->nbase ? &s->base[i] : s->more[i - s->nbase];
}

const char *catalog_meta(const struct catalog *s, const struct catalog_entry *e)
{
	return e->at & CATALOG_NEW ? s->fresh.p + (e->at & ~CATALOG_NEW)
				   : s->map + e->at;
}

/* Return true if E lies in the mapping, false if it was added in memory. */
static bool is_mapped(const struct catalog *s, const struct catalog_entry *e)
{
	return s->map && (const char *)e >= s->map &&
	       (const char *)e < s->map + s->mapped;
}

bool catalog_check(const struct catalog *s, const struct catalog_entry *e)
{
	const char *meta;

	if (!is_mapped(s, e) || (e >= s->base && e < s->base + s->sound))
		return true;
	if (e->sum != catalog_sum(s, e) || e->at > s->len || !e->meta_len ||
	    s->len - e->at <= (uint64_t)e->meta_len + e->body_len ||
	    e->folder >= s->nfolders || e->file >= catalog_count(s) ||
	    (e->kind != CATALOG_SECTION && e->place >= e->meta_len))
		return false;
	meta = s->map + e->at;
	return !meta[e->meta_len - 1] &&
	       hash_bytes(meta, e->meta_len, s->identity) == e->meta_sum;
}

bool catalog_strings(const struct catalog_entry *e, const char *meta,
		     struct catalog_strings *out)
{
	const char *p = meta, *end = p + e->meta_len;
	const char **const each[] = {&out->path, &out->title, &out->created,
				     &out->source};

	/* The last byte is a NUL, so no string exceeds the entry. */
	for (size_t i = 0; i < ARRAY_LEN(each); i++) {
		if (p == end)
			return false;
		*each[i] = p;
		p += strlen(p) + 1;
	}
	out->tags = p;
	if (!(e->flags & CATALOG_SOURCE))
		out->source = NULL;
	for (uint32_t i = 0; i < e->ntags; i++) {
		if (p == end)
			return false;
		p += strlen(p) + 1;
	}
	out->keys = (struct record_keys){NULL, e->flags & CATALOG_KEYS_CUT};
	if (e->flags & CATALOG_KEYS) {
		if (p == end)
			return false;
		out->keys.json = p;
	}
	return true;
}

bool catalog_source(const struct catalog_entry *e, const char *meta,
		    const char **source)
{
	const char *p = meta, *end = p + e->meta_len;

	*source = NULL;
	if (!(e->flags & CATALOG_SOURCE))
		return true;
	for (int i = 0; i < 3 && p < end; i++)
		p += strlen(p) + 1;
	if (p < end)
		*source = p;
	return p < end;
}

void catalog_expect(const struct catalog *s, size_t i)
{
	uintptr_t at;

	if (i + EXPECTED >= s->nbase)
		return;
	/* The offset is not checked yet and may be wrong: prefetching is
	 * harmless. */
	at = (uintptr_t)s->map + (uintptr_t)s->base[i + EXPECTED].at;
	for (size_t line = 0; line < EXPECTED_LEN; line += 64)
		__builtin_prefetch((const void *)(at + line));
}

const char *catalog_body(const struct catalog *s, const struct catalog_entry *e)
{
	const char *body = catalog_meta(s, e) + e->meta_len;

	if (!(e->at & CATALOG_NEW) &&
	    (hash_bytes(body, e->body_len, 0) != e->body_hash ||
	     body[e->body_len]))
		return NULL;
	return body;
}

struct catalog_entry *catalog_add(struct catalog *s)
{
	struct catalog_entry *e = arena_alloc(&s->arena, sizeof(*e));

	return *MEM_ADD(s->more, s->nmore, s->capmore) = e;
}

/* Return true if S is brief and PATH is a removal in the trash (its name is a
 * time) or below one. A store may have many of them and a writer hardly needs
 * them, so a brief catalog leaves them out of its table. */
static bool is_removal(const struct catalog *s, const char *path, size_t len)
{
	static const char trash[] = LAYOUT_TRASH "/";
	const size_t n = sizeof(trash) - 1;

	return s->brief && len > n && !memcmp(path, trash, n) &&
	       ascii_is_digit(path[n]);
}

/* Add a directory. PATH is borrowed for the life of S. */
static struct catalog_folder *add_folder(struct catalog *s, const char *path,
					 size_t len)
{
	const int number = layout_number(path);
	struct catalog_folder *f;

	f = MEM_ADD(s->folders, s->nfolders, s->capfolders);
	*f = (struct catalog_folder){.path = path, .changed = true};
	if (number >= 0)
		s->numbered[number] = (uint32_t)s->nfolders;
	else if (!is_removal(s, path, len))
		table_put(&s->by_path, path, len, 0, s->nfolders - 1);
	return f;
}

struct catalog_folder *catalog_add_folder(struct catalog *s, const char *path)
{
	return add_folder(s, arena_strdup(&s->arena, path), strlen(path));
}

static bool has_path(const struct catalog_folder *f, const char *path)
{
	return !(f->flags & CATALOG_GONE) && !strcmp(f->path, path);
}

struct catalog_folder *catalog_find_folder(const struct catalog *s,
					   const char *path)
{
	const size_t len = strlen(path);
	struct table_look k = table_look(&s->by_path, path, len, 0);
	const size_t all = is_removal(s, path, len) ? s->nfolders : 0;
	const int number = layout_number(path);
	size_t i;

	if (number >= 0)
		return catalog_numbered(s, (size_t)number);
	while (table_next(&k, &i)) {
		if (has_path(&s->folders[i], path))
			return &s->folders[i];
	}
	for (i = 0; i < all; i++) {
		if (has_path(&s->folders[i], path))
			return &s->folders[i];
	}
	return NULL;
}

struct catalog_folder *catalog_numbered(const struct catalog *s, size_t number)
{
	const size_t i = s->numbered[number];

	return i ? &s->folders[i - 1] : NULL;
}

/* A directory in the tree: its first child and its next sibling, as index plus
 * 1; 0 for none. */
struct catalog_tree {
	size_t n; /* of the whole tree, in the first element only */
	size_t first, next;
};

struct catalog_tree *catalog_tree(const struct catalog *s)
{
	struct catalog_tree *t = mem_alloc((s->nfolders + 1) * sizeof(*t));
	struct buf above = {0};

	t->n = s->nfolders;
	for (size_t i = s->nfolders; i-- > 0;) {
		const struct catalog_folder *f = &s->folders[i];
		const char *slash = strrchr(f->path, '/');

		if (f->flags & CATALOG_GONE || !slash)
			continue;
		buf_cut(&above, 0);
		buf_add(&above, f->path, (size_t)(slash - f->path));
		f = catalog_find_folder(s, above.p);
		if (!f)
			continue;
		t[i].next = t[f - s->folders].first;
		t[f - s->folders].first = i + 1;
	}
	buf_release(&above);
	return t;
}

void catalog_below(const struct catalog *s, const struct catalog_tree *t,
		   size_t index, struct buf *names)
{
	for (size_t i = index < t->n ? t[index].first : 0; i;
	     i = t[i - 1].next) {
		const char *name = strrchr(s->folders[i - 1].path, '/') + 1;

		buf_add(names, name, strlen(name) + 1);
	}
}

/* Change E in the mapping, and its checksum. */
static void patch_entry(struct catalog *s, struct catalog_entry *e,
			const struct filestat *st, uint32_t flags)
{
	e->st = *st;
	e->flags = (uint16_t)flags;
	e->sum = catalog_sum(s, e);
}

void catalog_set(struct catalog *s, size_t i, const struct filestat *st,
		 uint32_t flags)
{
	patch_entry(s, catalog_entry(s, i), st, flags);
	if (i >= s->kept)
		return;
	*MEM_ADD(s->patches, s->npatches, s->cappatches) =
		(struct catalog_patch){(uint32_t)i, flags, *st};
}

/* Read N directories from P, at most up to END. Return their end, or NULL if
 * they are malformed. */
static const char *read_folders(struct catalog *s, const char *p,
				const char *end, size_t n)
{
	struct catalog_format_folder row;

	for (; n; n--) {
		struct catalog_folder *f;
		const char *path;

		if ((size_t)(end - p) < sizeof(row))
			return NULL;
		memcpy(&row, p, sizeof(row));
		path = p += sizeof(row);
		if (!row.path_len || row.path_len > (size_t)(end - p) ||
		    path[row.path_len - 1] || row.index > s->nfolders)
			return NULL;
		f = row.index < s->nfolders
			    ? &s->folders[row.index]
			    : add_folder(s, path, row.path_len - 1);
		*f = (struct catalog_folder){f->path,	row.dev,    row.st,
					     row.flags, row.max_id, false};
		if (catalog_format_round(row.path_len) > (size_t)(end - p))
			return NULL;
		p += catalog_format_round(row.path_len);
	}
	return p;
}

static const struct catalog_format_head *mapped_head(const struct catalog *s)
{
	return (const struct catalog_format_head *)s->map;
}

void catalog_release_texts(const struct catalog *s, size_t from, size_t to)
{
	const char *begin, *end, *entries = (const char *)s->base;
	uint64_t size;

	if (!s->map || to >= s->nbase)
		return;
	size = mapped_head(s)->size;
	if (s->base[from].at > s->base[to].at || s->base[to].at > size)
		return;
	begin = s->map + s->base[from].at;
	end = s->map + s->base[to].at;
	/* The entries may have been changed in memory. */
	if (end <= entries || begin >= (const char *)(s->base + s->nbase))
		compat_release_pages(begin, (size_t)(end - begin));
}

static const struct catalog_format_head *check_head(const char *map, size_t len)
{
	const struct catalog_format_head *h =
		(const struct catalog_format_head *)map;
	const size_t skip = offsetof(struct catalog_format_head, front);

	if (len < sizeof(*h) ||
	    memcmp(h->magic, CATALOG_FORMAT_MAGIC, sizeof(h->magic)) != 0 ||
	    h->order != CATALOG_FORMAT_ORDER || h->version != CATALOG_VERSION ||
	    h->front < sizeof(*h) || h->front > len || h->front % 8 ||
	    h->path_len > h->front - sizeof(*h) || !h->path_len ||
	    hash_bytes(map + skip, (size_t)h->front - skip, 0) != h->sum ||
	    map[sizeof(*h) + h->path_len - 1])
		return NULL;
	return h;
}

/* Read the front. Return true if it is whole and of the store at PATH. */
static bool read_front(struct catalog *s, const char *path,
		       const struct stat *st)
{
	const struct catalog_format_head *h = check_head(s->map, s->len);
	const char *end, *p;

	if (!h || strcmp(s->map + sizeof(*h), path) != 0 ||
	    h->dev != (uint64_t)st->st_dev || h->ino != (uint64_t)st->st_ino ||
	    h->size > s->len || h->size % 8 || h->entries % 8 ||
	    h->entries > h->size || h->table % 8 || h->table > h->size ||
	    h->ids % 8 || h->ids > h->size ||
	    (h->size - h->ids) / sizeof(int32_t) < h->nentries ||
	    (h->size - h->entries) / sizeof(*s->base) < h->nentries ||
	    (h->size - h->table) / sizeof(struct catalog_format_bucket) <
		    h->nbuckets)
		return false;
	s->identity = h->identity;
	s->next = h->next;
	s->max_id = h->max_id;
	s->unread = h->unread;
	memcpy(s->notes, h->notes, sizeof(s->notes));
	s->base = (struct catalog_entry *)(s->map + h->entries);
	s->nbase = h->nentries;
	end = s->map + h->front;
	p = s->map + sizeof(*h) + catalog_format_round(h->path_len);
	return p <= end && read_folders(s, p, end, h->nfolders);
}

/* Apply the N patches at P. Return false if they are malformed. */
static bool replay_patches(struct catalog *s, const char *p, uint32_t n)
{
	for (; n; n--, p += sizeof(struct catalog_patch)) {
		struct catalog_patch patch;
		struct catalog_entry *e;

		memcpy(&patch, p, sizeof(patch));
		if (patch.index >= catalog_count(s))
			return false;
		e = catalog_entry(s, patch.index);
		if (!is_mapped(s, e) || e->sum != catalog_sum(s, e))
			return false;
		patch_entry(s, e, &patch.st, patch.flags);
	}
	return true;
}

/* Record the N patches at P for current_flags(). */
static void defer_patches(struct catalog *s, const char *p, uint32_t n)
{
	if (!n)
		return;
	*MEM_ADD(s->runs, s->nruns, s->capruns) = (struct catalog_run){p, n};
}

/* Replay the commit at P, whose checksum is right. Return false if it is
 * malformed. */
static bool replay_commit(struct catalog *s, char *p,
			  const struct catalog_format_commit *c)
{
	char *const end = p + c->bytes;
	const char *q;

	p += sizeof(*c);
	if ((size_t)(end - p) / sizeof(struct catalog_entry) < c->nentries)
		return false;
	for (uint32_t i = 0; i < c->nentries; i++) {
		*MEM_ADD(s->more, s->nmore, s->capmore) =
			(struct catalog_entry *)p;
		p += sizeof(struct catalog_entry);
	}
	if ((size_t)(end - p) / sizeof(struct catalog_patch) < c->npatches)
		return false;
	if (s->brief)
		defer_patches(s, p, c->npatches);
	else if (!replay_patches(s, p, c->npatches))
		return false;
	p += c->npatches * sizeof(struct catalog_patch);
	q = read_folders(s, p, end, c->nfolders);
	if (!q || c->notes > (size_t)(end - q) ||
	    (c->notes && c->notes != sizeof(s->notes)))
		return false;
	if (c->notes)
		memcpy(s->notes, q, sizeof(s->notes));
	s->next = c->next;
	s->max_id = c->max_id;
	s->unread = c->unread;
	s->logged += c->nentries + c->npatches + 1;
	return true;
}

/* Replay the commits. An incomplete one ends them: its writer is still writing,
 * or has died. */
static bool replay_commits(struct catalog *s)
{
	const size_t skip = offsetof(struct catalog_format_commit, size);
	size_t at = (size_t)((const struct catalog_format_head *)s->map)->size;

	while (s->len - at >= sizeof(struct catalog_format_commit)) {
		struct catalog_format_commit c;

		memcpy(&c, s->map + at, sizeof(c));
		if (c.magic != CATALOG_FORMAT_COMMIT || c.size < sizeof(c) ||
		    c.size % 8 || c.size > s->len - at || c.bytes > c.size ||
		    c.bytes < sizeof(c) ||
		    hash_bytes(s->map + at + skip, (size_t)c.bytes - skip,
			       s->identity ^ at) != c.sum)
			break;
		if (!replay_commit(s, s->map + at, &c))
			return false;
		at += (size_t)c.size;
	}
	s->torn = at != s->len;
	s->len = at;
	s->kept = catalog_count(s);
	return true;
}

int catalog_open(struct catalog *s, const struct cache_dir *d, const char *path,
		 const struct stat *st, bool brief)
{
	struct stat own;
	int fd, r = -1;

	*s = (struct catalog){.next = 1, .brief = brief};
	if (!cache_dir_file(d, CATALOG_NAME, false, &fd, &own))
		return 0;
	if (own.st_size > 0 && (uint64_t)own.st_size < SIZE_MAX / 2) {
		void *map = mmap(NULL, (size_t)own.st_size,
				 PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);

		if (map != MAP_FAILED) {
			s->map = map;
			s->len = s->mapped = (size_t)own.st_size;
			s->size = s->len;
			s->ino = (uint64_t)own.st_ino;
			if (read_front(s, path, st) && replay_commits(s))
				r = 1;
		}
	}
	close(fd);
	if (r < 0) {
		catalog_close(s);
		*s = (struct catalog){.next = 1};
	}
	return r;
}

void catalog_close(struct catalog *s)
{
	if (s->map)
		munmap(s->map, s->mapped);
	free(s->more);
	free(s->folders);
	table_release(&s->by_path);
	free(s->patches);
	free(s->runs);
	buf_release(&s->fresh);
	arena_release(&s->arena);
	*s = (struct catalog){0};
}

bool catalog_is_current(const struct catalog *s, const struct cache_dir *d)
{
	struct stat st;

	if (fstatat(d->fd, CATALOG_NAME, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return !s->map;
	return s->map && (uint64_t)st.st_ino == s->ino &&
	       (uint64_t)st.st_size == s->size;
}

bool catalog_owner(const struct cache_dir *d, char **store)
{
	struct catalog_format_head h;
	struct buf front = {0};
	struct stat st;
	bool known = false;
	int fd;

	if (!cache_dir_file(d, CATALOG_NAME, false, &fd, &st))
		return false;
	if (pread(fd, &h, sizeof(h), 0) == (ssize_t)sizeof(h) &&
	    h.front >= sizeof(h) && h.front < (64 << 20)) {
		buf_grow(&front, (size_t)h.front);
		if (pread(fd, front.p, (size_t)h.front, 0) ==
			    (ssize_t)h.front &&
		    check_head(front.p, (size_t)h.front)) {
			*store = mem_strdup(front.p + sizeof(h));
			known = true;
		}
	}
	buf_release(&front);
	close(fd);
	return known;
}

/* Return the flags of entry E, whose index is I, after all commits. */
static uint32_t current_flags(const struct catalog *s, size_t i,
			      const struct catalog_entry *e)
{
	for (size_t r = s->nruns; r-- > 0;) {
		for (uint32_t k = s->runs[r].n; k-- > 0;) {
			struct catalog_patch patch;

			memcpy(&patch, s->runs[r].p + k * sizeof(patch),
			       sizeof(patch));
			if (patch.index == i)
				return patch.flags;
		}
	}
	return e->flags;
}

/* Call FN for entry I if it is a memory or draft with the key HASH that is not
 * gone. */
static int call_if_equal(const struct catalog *s, size_t i, uint64_t hash,
			 int (*fn)(void *ctx, size_t i), void *ctx)
{
	const struct catalog_entry *e = catalog_entry(s, i);

	if (!catalog_check(s, e))
		return -1;
	if ((e->kind != CATALOG_MEMORY && e->kind != CATALOG_ID) ||
	    e->key != hash || current_flags(s, i, e) & CATALOG_GONE)
		return 0;
	return fn(ctx, i);
}

int catalog_each_equal(const struct catalog *s, uint64_t hash,
		       int (*fn)(void *ctx, size_t i), void *ctx)
{
	const struct catalog_format_head *h = mapped_head(s);
	const struct catalog_format_bucket *table;
	int r = 0;

	/* The checksums of their commits were right. */
	for (size_t i = s->nbase; !r && i < catalog_count(s); i++) {
		if (s->more[i - s->nbase]->key == hash)
			r = call_if_equal(s, i, hash, fn, ctx);
	}
	if (r || !h || !h->nbuckets)
		return r;
	table = (const struct catalog_format_bucket *)(s->map + h->table);
	for (uint32_t n = 0; n < h->nbuckets; n++) {
		const uint32_t at = (uint32_t)((hash + n) % h->nbuckets);
		const struct catalog_format_bucket *b = &table[at];
		size_t i;

		if ((uint32_t)hash_bytes(b->index, sizeof(b->index),
					 s->identity ^ at) != b->sum)
			return -1;
		for (i = 0; i < CATALOG_BUCKET && b->index[i]; i++) {
			if (b->index[i] > s->nbase)
				return -1;
			r = call_if_equal(s, b->index[i] - 1, hash, fn, ctx);
			if (r)
				return r;
		}
		if (i < CATALOG_BUCKET)
			return 0;
	}
	return 0;
}

bool catalog_has_id(const struct catalog *s, int64_t id)
{
	const struct catalog_format_head *h = mapped_head(s);
	const int32_t *ids = h ? (const int32_t *)(s->map + h->ids) : NULL;
	size_t low = 0, high = s->nbase;

	for (size_t i = 0; i < s->nmore; i++) {
		if (s->more[i]->id == id)
			return true;
	}
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (ids[middle] == id)
			return true;
		if (ids[middle] < id)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

size_t catalog_memories(const struct catalog *s)
{
	const struct catalog_format_head *h = mapped_head(s);
	size_t n = h ? h->memories : 0;

	for (size_t i = 0; i < s->nmore; i++)
		n += catalog_is_memory(s->more[i]);
	return n;
}
