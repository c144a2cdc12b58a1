/* catalog-write.c: write a catalog.
 *
 * A commit is one write at the end of the file. A whole catalog is written to a
 * temporary file and renamed. Neither is synced: checksums detect what a power
 * failure leaves, and the catalog is then made anew.
 */
#include "cache/catalog-write.h"

#include "base/hash.h"
#include "sys/io.h"

#include <unistd.h>

/* The whole file is written anew, instead of one more commit, when its commits
 * have more bytes than LOG_BYTES plus half of the rest, more changes than
 * LOG_LEAST plus LOG_SHARE for each entry, or more than LOG_MOST, which a
 * writer reads in 2 ms. So rewriting takes only a few times as long as
 * appending. */
#define LOG_BYTES ((size_t)256 * 1024)
#define LOG_LEAST 2048
#define LOG_SHARE 3
#define LOG_MOST 131072
/* Entries of deleted files are kept for GONE_NS: at most GONE_LEAST plus a
 * quarter of the number of other entries, and at most GONE_BYTES plus the bytes
 * of these. */
#define GONE_NS (INT64_C(14) * 24 * 3600 * 1000000000)
#define GONE_LEAST 1024
#define GONE_BYTES ((uint64_t)64 * 1024)
#define FLUSH_BYTES ((size_t)256 * 1024)

bool catalog_write_is_due(const struct catalog *s)
{
	if (s->npatches || catalog_count(s) > s->kept || s->notes_changed)
		return true;
	for (size_t i = 0; i < s->nfolders; i++) {
		if (s->folders[i].changed)
			return true;
	}
	return false;
}

bool catalog_write_is_long(const struct catalog *s)
{
	const struct catalog_format_head *h =
		(const struct catalog_format_head *)s->map;
	const size_t most = LOG_LEAST + s->nbase * LOG_SHARE;
	const size_t added = catalog_count(s) - s->kept;

	return !h || s->torn ||
	       s->logged + s->npatches + added >
		       (most < LOG_MOST ? most : LOG_MOST) ||
	       s->size + s->fresh.len - s->flushed - h->size >
		       h->size / 2 + LOG_BYTES;
}

/* Give new documents their final numbers. */
static void number_documents(struct catalog *s)
{
	for (size_t i = s->kept; i < catalog_count(s); i++) {
		struct catalog_entry *e = catalog_entry(s, i);

		if (e->number >= CATALOG_WRITE_GUESS)
			e->number = s->next++;
	}
}

/* Undo number_documents(); FIRST is the first number that it gave. */
static void undo_numbers(struct catalog *s, uint32_t first)
{
	for (size_t i = s->kept; i < catalog_count(s); i++) {
		struct catalog_entry *e = catalog_entry(s, i);

		if (e->number >= first)
			e->number += CATALOG_WRITE_GUESS - first;
	}
	s->next = first;
}

static void pad(struct buf *out)
{
	static const char zeros[8];

	buf_add(out, zeros, catalog_format_round(out->len) - out->len);
}

static void add_folder(struct buf *out, const struct catalog_folder *f,
		       uint32_t index)
{
	const struct catalog_format_folder row = {
		f->dev,	   f->st, f->flags,
		f->max_id, index, (uint32_t)strlen(f->path) + 1};

	buf_add(out, &row, sizeof(row));
	buf_add(out, f->path, row.path_len);
	pad(out);
}

/* Compose the commit C for the offset AT. Return the offset of its strings. */
static size_t compose_commit(struct catalog *s, struct catalog_format_commit *c,
			     size_t at, struct buf *out)
{
	size_t bytes;

	buf_add(out, c, sizeof(*c));
	for (size_t i = s->kept; i < catalog_count(s); i++)
		buf_add(out, catalog_entry(s, i), sizeof(struct catalog_entry));
	if (s->npatches)
		buf_add(out, s->patches, s->npatches * sizeof(*s->patches));
	for (size_t i = 0; i < s->nfolders; i++) {
		if (!s->folders[i].changed)
			continue;
		add_folder(out, &s->folders[i], (uint32_t)i);
		c->nfolders++;
	}
	if (c->notes)
		buf_add(out, s->notes, sizeof(s->notes));
	bytes = at + out->len;
	buf_add(out, s->fresh.p + s->flushed, s->fresh.len - s->flushed);
	pad(out);
	return bytes;
}

/* Set offset and checksum of each entry in the commit OUT, whose strings begin
 * at the offset BYTES. */
static void seal_entries(const struct catalog *s,
			 const struct catalog_format_commit *c, struct buf *out,
			 size_t bytes)
{
	char *p = out->p + sizeof(*c);

	for (uint32_t i = 0; i < c->nentries; i++) {
		struct catalog_entry e;

		memcpy(&e, p, sizeof(e));
		e.at = bytes + ((e.at & ~CATALOG_NEW) - s->flushed);
		e.sum = catalog_sum(s, &e);
		memcpy(p, &e, sizeof(e));
		p += sizeof(e);
	}
}

static void clear_changes(struct catalog *s)
{
	s->logged += catalog_count(s) - s->kept + s->npatches + 1;
	s->kept = catalog_count(s);
	s->flushed = s->fresh.len;
	s->npatches = 0;
	s->notes_changed = false;
	for (size_t i = 0; i < s->nfolders; i++)
		s->folders[i].changed = false;
}

int catalog_write_append(struct catalog *s, const struct cache_dir *d)
{
	const size_t skip = offsetof(struct catalog_format_commit, size);
	const size_t at = (size_t)s->size;
	struct catalog_format_commit c = {.magic = CATALOG_FORMAT_COMMIT};
	struct buf out = {0};
	const uint32_t first = s->next;
	struct stat st;
	size_t bytes;
	int fd, r = -1;

	if (!cache_dir_file(d, CATALOG_NAME, true, &fd, &st))
		return -1;
	number_documents(s);
	c.nentries = (uint32_t)(catalog_count(s) - s->kept);
	c.npatches = (uint32_t)s->npatches;
	c.notes = s->notes_changed ? sizeof(s->notes) : 0;
	c.next = s->next;
	c.max_id = s->max_id;
	c.unread = s->unread;
	bytes = compose_commit(s, &c, at, &out);
	c.size = out.len;
	c.bytes = bytes - at;
	seal_entries(s, &c, &out, bytes);
	memcpy(out.p, &c, sizeof(c));
	c.sum = hash_bytes(out.p + skip, (size_t)c.bytes - skip,
			   s->identity ^ at);
	memcpy(out.p, &c, sizeof(c));
	if (io_write(fd, out.p, out.len) == 0) {
		s->size = at + out.len;
		clear_changes(s);
		r = 0;
	}
	/* A partial write is found by its checksum. */
	if (r < 0)
		undo_numbers(s, first);
	close(fd);
	buf_release(&out);
	return r;
}

/* The state of catalog_write_replace(). */
struct rewrite {
	struct catalog *s;
	int fd;
	struct buf out;
	struct numbered_entry {
		uint32_t number, index;
	} * order; /* entries to write, in the order of the file */
	uint32_t n;
	uint32_t *where; /* new index of each old one */
	bool *back;	 /* by old index: gone, and kept */
	uint32_t *folders;
	bool failed;
};

/* Write the buffer if it has at least LEAST bytes. Keep a remainder below 8
 * bytes, so that pad() aligns the end. */
static void flush(struct rewrite *w, size_t least)
{
	const size_t rest = w->out.len % 8;

	if (w->out.len < least)
		return;
	if (!w->failed && io_write(w->fd, w->out.p, w->out.len - rest) < 0)
		w->failed = true;
	memmove(w->out.p, w->out.p + w->out.len - rest, rest);
	buf_cut(&w->out, rest);
}

static int by_number(const void *a, const void *b)
{
	const struct numbered_entry *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/* A deleted file. */
struct gone_file {
	int64_t since;
	uint32_t index;
};

static int newest_first(const void *a, const void *b)
{
	const struct gone_file *x = a, *y = b;

	if (x->since != y->since)
		return x->since > y->since ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/* Choose from the N files GONE, newest first, at most MOST that are not too old
 * and fit into ROOM. BYTES has the size of each entry. */
static void choose_gone(struct rewrite *w, struct gone_file *gone, size_t n,
			size_t most, const uint64_t *bytes, uint64_t room)
{
	const int64_t since = filestat_now() - GONE_NS;

	MEM_SORT(gone, n, newest_first);
	for (size_t i = 0; i < n && i < most && gone[i].since > since; i++) {
		if (bytes[gone[i].index] > room)
			break;
		room -= bytes[gone[i].index];
		w->back[gone[i].index] = true;
	}
}

/* Choose the deleted files whose entries are kept, since they may come back:
 * after a switch of branches, say. */
static void choose_kept_gone(struct rewrite *w)
{
	const struct catalog *s = w->s;
	const size_t count = catalog_count(s);
	uint64_t *bytes = mem_alloc((count + 1) * sizeof(*bytes));
	uint64_t room = GONE_BYTES;
	struct gone_file *gone = NULL;
	size_t n = 0, cap = 0, existing = 0;

	for (size_t i = 0; i < count; i++) {
		const struct catalog_entry *e = catalog_entry(s, i);
		const uint64_t size = sizeof(*e) + e->meta_len + e->body_len;

		if (!(e->flags & CATALOG_GONE)) {
			room += size;
			existing++;
			continue;
		}
		bytes[e->kind == CATALOG_SECTION ? e->file : i] += size;
		if (e->kind != CATALOG_MEMORY && e->kind != CATALOG_WHOLE)
			continue;
		*MEM_ADD(gone, n, cap) =
			(struct gone_file){e->st.mtime, (uint32_t)i};
	}
	choose_gone(w, gone, n, GONE_LEAST + existing / 4, bytes, room);
	free(gone);
	free(bytes);
}

static bool is_kept(const struct rewrite *w, size_t i)
{
	const struct catalog_entry *e = catalog_entry(w->s, i);

	return !(e->flags & CATALOG_GONE) ||
	       w->back[e->kind == CATALOG_SECTION ? e->file : i];
}

/* List the entries to write in their order. Return false if S is damaged. */
static bool order_entries(struct rewrite *w)
{
	const struct catalog *s = w->s;
	bool sorted = true;

	for (size_t i = 0; i < catalog_count(s); i++) {
		if (i < s->kept && !catalog_check(s, catalog_entry(s, i)))
			return false;
	}
	choose_kept_gone(w);
	for (size_t i = 0; i < catalog_count(s); i++) {
		const struct catalog_entry *e = catalog_entry(s, i);

		if (!is_kept(w, i))
			continue;
		w->order[w->n] =
			(struct numbered_entry){e->number, (uint32_t)i};
		if (w->n && by_number(&w->order[w->n - 1], &w->order[w->n]) > 0)
			sorted = false;
		w->n++;
	}
	if (!sorted)
		MEM_SORT(w->order, w->n, by_number);
	for (uint32_t i = 0; i < w->n; i++)
		w->where[w->order[i].index] = i;
	return true;
}

static const struct catalog_entry *ordered_entry(const struct rewrite *w,
						 uint32_t i)
{
	return catalog_entry(w->s, w->order[i].index);
}

static void write_entries(struct rewrite *w, uint64_t bytes)
{
	for (uint32_t i = 0; i < w->n; i++) {
		struct catalog_entry e = *ordered_entry(w, i);

		e.at = bytes;
		bytes += (uint64_t)e.meta_len + e.body_len + 1;
		e.folder = w->folders[e.folder];
		e.file = e.kind == CATALOG_SECTION ? w->where[e.file] : 0;
		e.sum = catalog_sum(w->s, &e);
		buf_add(&w->out, &e, sizeof(e));
		flush(w, FLUSH_BYTES);
	}
}

static void write_table(struct rewrite *w, uint32_t nbuckets)
{
	struct catalog_format_bucket *table =
		mem_alloc(nbuckets * sizeof(*table));

	for (uint32_t i = 0; i < w->n; i++) {
		const struct catalog_entry *e = ordered_entry(w, i);
		uint32_t at = (uint32_t)(e->key % nbuckets), k = 0;

		if (e->kind != CATALOG_MEMORY && e->kind != CATALOG_ID)
			continue;
		while (k < CATALOG_BUCKET && table[at].index[k]) {
			if (++k == CATALOG_BUCKET) {
				at = (at + 1) % nbuckets;
				k = 0;
			}
		}
		table[at].index[k] = i + 1;
	}
	for (uint32_t i = 0; i < nbuckets; i++)
		table[i].sum = (uint32_t)hash_bytes(table[i].index,
						    sizeof(table[i].index),
						    w->s->identity ^ i);
	buf_add(&w->out, table, nbuckets * sizeof(*table));
	flush(w, FLUSH_BYTES);
	free(table);
}

static int by_value(const void *a, const void *b)
{
	const int32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void write_ids(struct rewrite *w)
{
	int32_t *ids = mem_alloc((w->n + 1) * sizeof(*ids));

	for (uint32_t i = 0; i < w->n; i++)
		ids[i] = ordered_entry(w, i)->id;
	qsort(ids, w->n, sizeof(*ids), by_value);
	buf_add(&w->out, ids, catalog_format_round(w->n * sizeof(*ids)));
	flush(w, FLUSH_BYTES);
	free(ids);
}

static void write_bytes(struct rewrite *w)
{
	for (uint32_t i = 0; i < w->n; i++) {
		const struct catalog_entry *e = ordered_entry(w, i);

		buf_add(&w->out, catalog_meta(w->s, e),
			(size_t)e->meta_len + e->body_len + 1);
		flush(w, FLUSH_BYTES);
	}
	pad(&w->out);
	flush(w, 0);
}

/* Return the bytes of strings and bodies. Count memories and buckets in H. */
static uint64_t count_bytes(const struct rewrite *w,
			    struct catalog_format_head *h)
{
	uint64_t bytes = 0;
	uint32_t keys = 0;

	for (uint32_t i = 0; i < w->n; i++) {
		const struct catalog_entry *e = ordered_entry(w, i);

		bytes += (uint64_t)e->meta_len + e->body_len + 1;
		keys += e->kind == CATALOG_MEMORY || e->kind == CATALOG_ID;
		h->memories += catalog_is_memory(e);
	}
	h->nbuckets = keys / 8 + 1;
	return bytes;
}

static void write_front(struct rewrite *w, struct catalog_format_head *h,
			const char *path)
{
	const size_t skip = offsetof(struct catalog_format_head, front);
	struct buf *out = &w->out;
	uint64_t bytes;

	buf_add(out, h, sizeof(*h));
	buf_add(out, path, h->path_len);
	pad(out);
	for (size_t i = 0; i < w->s->nfolders; i++) {
		if (w->s->folders[i].flags & CATALOG_GONE)
			continue;
		w->folders[i] = h->nfolders++;
		add_folder(out, &w->s->folders[i], w->folders[i]);
	}
	bytes = count_bytes(w, h);
	h->front = h->entries = out->len;
	h->nentries = w->n;
	h->table = h->entries + w->n * sizeof(struct catalog_entry);
	h->ids = h->table + h->nbuckets * sizeof(struct catalog_format_bucket);
	h->size = h->ids + catalog_format_round(w->n * sizeof(int32_t));
	h->size = catalog_format_round((size_t)(h->size + bytes));
	memcpy(out->p, h, sizeof(*h));
	h->sum = hash_bytes(out->p + skip, out->len - skip, 0);
	memcpy(out->p, h, sizeof(*h));
}

static int write_all(struct rewrite *w, const char *path, const struct stat *st)
{
	const struct catalog *s = w->s;
	struct catalog_format_head h = {.magic = CATALOG_FORMAT_MAGIC,
					.order = CATALOG_FORMAT_ORDER,
					.version = CATALOG_VERSION,
					.identity = s->identity,
					.dev = (uint64_t)st->st_dev,
					.ino = (uint64_t)st->st_ino,
					.path_len = (uint32_t)strlen(path) + 1,
					.next = s->next,
					.max_id = s->max_id,
					.unread = s->unread};

	if (!order_entries(w))
		return -1;
	memcpy(h.notes, s->notes, sizeof(h.notes));
	write_front(w, &h, path);
	write_entries(w, h.ids + catalog_format_round(w->n * sizeof(int32_t)));
	write_table(w, h.nbuckets);
	write_ids(w);
	write_bytes(w);
	return w->failed ? -1 : 0;
}

int catalog_write_replace(struct catalog *s, const struct cache_dir *d,
			  const char *path, const struct stat *st)
{
	const size_t n = catalog_count(s) + 1;
	const uint32_t first = s->next;
	struct rewrite w = {.s = s, .fd = cache_dir_new(d)};
	int r;

	if (w.fd < 0)
		return -1;
	number_documents(s);
	w.order = mem_resize(NULL, n, sizeof(*w.order));
	w.where = mem_resize(NULL, n, sizeof(*w.where));
	w.back = mem_alloc(n * sizeof(*w.back));
	w.folders = mem_alloc((s->nfolders + 1) * sizeof(*w.folders));
	r = write_all(&w, path, st);
	if (close(w.fd) < 0)
		r = -1;
	r = cache_dir_put(d, r < 0 ? NULL : CATALOG_NAME) < 0 ? -1 : r;
	if (!r) {
		clear_changes(s);
		s->ino = 0;
		s->size = 0;
	} else {
		undo_numbers(s, first);
	}
	buf_release(&w.out);
	free(w.order);
	free(w.where);
	free(w.back);
	free(w.folders);
	return r;
}
