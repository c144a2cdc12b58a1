/* action-index.c: a head, the memories, an open hash table, its lists, the globs, the
 * strings, and a checksum for each block of all this.
 *
 * A block is checked when it is first used: reading all of a large file would take
 * longer than the rest of an action.
 */
#include "action/action-index.h"

#include "base/hash.h"
#include "cache/cache.h"
#include "cache/write-hints.h"
#include "evidence/cites.h"
#include "repo/marks.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define NAME "actions"
#define MAGIC "co-acts\n"
#define VERSION 2
#define BLOCK ((size_t)4096)
#define DOCS_MAX ((size_t)1 << 24) /* in a posting */
#define NAME_MIN ((size_t)2)
#define NAME_MAX_BYTES ((size_t)200)
#define PART_MIN ((size_t)4)

struct head {
	char magic[8];
	uint32_t version, terms; /* TERMS_VERSION */
	uint64_t ino, bytes;	 /* of the catalog */
	uint32_t ndocs, nslots;	 /* a power of two */
	uint32_t nlist, nglobs;
	uint64_t strings, end; /* where the strings begin and end */
};

struct doc {
	int64_t sec;
	int32_t nsec, id;
	uint32_t path; /* in the strings */
	uint32_t length;
};

/* A key and its list. */
struct slot {
	uint64_t hash; /* 0: free */
	uint32_t first, n;
};

struct glob {
	uint32_t text; /* in the strings */
	uint32_t doc;
};

struct action_index {
	const struct head *head;
	const struct doc *docs;
	const struct slot *slots;
	const struct action_posting *list;
	const struct glob *globs;
	uint32_t *lengths;
	struct repo *repo;
	char *map; /* NULL: the file is in ROOM */
	size_t mapped;
	bool *checked; /* of each block of MAP */
	bool damaged;
	struct buf room;
};

static uint64_t hash_key(enum action_key key, const char *p, size_t len)
{
	const uint64_t hash = hash_bytes(p, len, key + 1);

	return hash ? hash : 1;
}

static size_t count_blocks(uint64_t end)
{
	return (size_t)((end + BLOCK - 1) / BLOCK);
}

/* Return where the checksums of an index begin whose strings end at END. */
static uint64_t sums_at(uint64_t end)
{
	return (end + 7) / 8 * 8;
}

static uint64_t sum_block(const char *p, uint64_t end, size_t block)
{
	const uint64_t at = block * (uint64_t)BLOCK;

	return hash_bytes(p + at, end - at < BLOCK ? (size_t)(end - at) : BLOCK,
			  block);
}

/* Return true if the blocks of the LEN bytes at P, in IX, have their checksums; else
 * note that IX is damaged. */
static bool is_intact(const struct action_index *ix, const void *p, size_t len)
{
	struct action_index *own = (struct action_index *)(uintptr_t)ix;
	size_t at;
	uint64_t sum;

	if (!ix->map)
		return true;
	at = (size_t)((const char *)p - ix->map);
	for (size_t i = at / BLOCK; i < count_blocks(at + len); i++) {
		if (own->checked[i])
			continue;
		memcpy(&sum, ix->map + sums_at(ix->head->end) + i * sizeof(sum),
		       sizeof(sum));
		if (sum != sum_block(ix->map, ix->head->end, i)) {
			own->damaged = true;
			return false;
		}
		own->checked[i] = true;
	}
	return true;
}

/* Set the fields of IX to the parts of the SIZE bytes of P. Return false if they are
 * not an index. */
static bool find_parts(struct action_index *ix, const char *p, size_t size)
{
	const struct head *h = (const void *)p;
	uint64_t at = sizeof(*h);

	if (size < sizeof(*h) ||
	    memcmp(h->magic, MAGIC, sizeof(h->magic)) != 0 ||
	    h->version != VERSION || h->terms != TERMS_VERSION ||
	    h->end > size ||
	    size != sums_at(h->end) + count_blocks(h->end) * sizeof(uint64_t) ||
	    !h->nslots || h->nslots & (h->nslots - 1))
		return false;
	size = (size_t)h->end;
	ix->head = h;
	ix->docs = (const void *)(p + at);
	at += (uint64_t)h->ndocs * sizeof(*ix->docs);
	if (at > size)
		return false;
	ix->slots = (const void *)(p + at);
	at += (uint64_t)h->nslots * sizeof(*ix->slots);
	if (at > size)
		return false;
	ix->list = (const void *)(p + at);
	at += (uint64_t)h->nlist * sizeof(*ix->list);
	if (at > size)
		return false;
	ix->globs = (const void *)(p + at);
	at += (uint64_t)h->nglobs * sizeof(*ix->globs);
	if (at != h->strings || at >= size || p[size - 1])
		return false;
	return true;
}

/* Return the string at AT, or NULL. */
static const char *string_at(const struct action_index *ix, uint32_t at)
{
	const char *whole = (const char *)ix->head;
	size_t from = (size_t)ix->head->strings + at, end;

	for (size_t p = from; p < ix->head->end; p = end) {
		end = (p / BLOCK + 1) * BLOCK;
		if (end > ix->head->end)
			end = (size_t)ix->head->end;
		if (!is_intact(ix, whole + p, end - p))
			return NULL;
		if (memchr(whole + p, '\0', end - p))
			return whole + from;
	}
	return NULL;
}

static bool map_file(struct action_index *ix, int dir)
{
	struct stat st;
	const int fd = file_open(
		dir, NAME, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
	void *map = MAP_FAILED;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
		map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd,
			   0);
	close(fd);
	if (map == MAP_FAILED)
		return false;
	ix->map = map;
	ix->mapped = (size_t)st.st_size;
	if (!find_parts(ix, ix->map, ix->mapped))
		return false;
	ix->checked = mem_alloc(count_blocks(ix->head->end));
	return is_intact(ix, ix->head, sizeof(*ix->head));
}

int action_index_open(struct action_index **out, struct store *s)
{
	struct action_index *ix;
	struct stat st;

	*out = NULL;
	if (!write_hints_are_current(s->cache, &st))
		return 0;
	ix = mem_alloc(sizeof(*ix));
	ix->repo = &s->repo;
	if (map_file(ix, view_dir(s->cache)) &&
	    ix->head->ino == (uint64_t)st.st_ino &&
	    ix->head->bytes == (uint64_t)st.st_size) {
		*out = ix;
		return 1;
	}
	action_index_close(ix);
	return 0;
}

void action_index_close(struct action_index *ix)
{
	if (!ix)
		return;
	if (ix->map)
		munmap(ix->map, ix->mapped);
	free(ix->lengths);
	free(ix->checked);
	buf_release(&ix->room);
	free(ix);
}

bool action_index_is_damaged(const struct action_index *ix)
{
	return ix->damaged;
}

uint32_t action_index_count(const struct action_index *ix)
{
	return ix->head->ndocs;
}

const struct action_posting *action_index_find(const struct action_index *ix,
					       enum action_key key,
					       const char *p, size_t len,
					       size_t *n)
{
	const uint64_t hash = hash_key(key, p, len);
	const uint32_t mask = ix->head->nslots - 1;

	*n = 0;
	for (uint32_t i = 0, at = (uint32_t)hash & mask; i <= mask;
	     i++, at = (at + 1) & mask) {
		const struct slot *s = &ix->slots[at];

		if (!is_intact(ix, s, sizeof(*s)) || !s->hash)
			return NULL;
		if (s->hash != hash)
			continue;
		if (s->first > ix->head->nlist ||
		    s->n > ix->head->nlist - s->first ||
		    !is_intact(ix, ix->list + s->first,
			       s->n * sizeof(*ix->list)))
			return NULL;
		*n = s->n;
		while (*n && ix->list[s->first + *n - 1].doc >= ix->head->ndocs)
			--*n;
		return ix->list + s->first;
	}
	return NULL;
}

void action_index_each_glob(const struct action_index *ix, action_glob_fn *fn,
			    void *ctx)
{
	if (!is_intact(ix, ix->globs, ix->head->nglobs * sizeof(*ix->globs)))
		return;
	for (uint32_t i = 0; i < ix->head->nglobs; i++) {
		const char *text = string_at(ix, ix->globs[i].text);

		if (text && ix->globs[i].doc < ix->head->ndocs)
			fn(ctx, text, ix->globs[i].doc);
	}
}

const char *action_index_path(const struct action_index *ix, uint32_t doc,
			      struct arena *a)
{
	const struct doc *d = &ix->docs[doc];
	const char *path =
		is_intact(ix, d, sizeof(*d)) ? string_at(ix, d->path) : NULL;

	return path ? arena_printf(a, "%s/%s", ix->repo->path, path) : NULL;
}

static int get_postings(void *ctx, enum rank_field field, const char *term,
			size_t len, const struct posting **out, size_t *n,
			struct err *e)
{
	struct action_corpus *c = ctx;
	const struct action_posting *p = NULL;

	(void)e;
	*n = 0;
	if (field == RANK_TEXT)
		p = action_index_find(c->ix, ACTION_TERM, term, len, n);
	for (size_t i = 0; i < *n; i++) {
		c->postings =
			mem_grow(c->postings, i, &c->cap, sizeof(*c->postings));
		c->postings[i] = (struct posting){p[i].doc, p[i].n};
	}
	*out = c->postings;
	return 0;
}

static void get_date(void *ctx, uint32_t doc, struct instant *created,
		     int64_t *id)
{
	const struct action_corpus *c = ctx;
	const struct doc *d = &c->ix->docs[doc];

	*created = (struct instant){.sec = d->sec, .nsec = d->nsec};
	*id = d->id;
}

void action_index_corpus(const struct action_index *ix, struct corpus *c)
{
	struct action_index *own = (struct action_index *)(uintptr_t)ix;

	/* A damaged index is made again, and these are not used. */
	if (!own->lengths) {
		is_intact(ix, ix->docs, ix->head->ndocs * sizeof(*ix->docs));
		own->lengths = mem_resize(NULL, ix->head->ndocs + (size_t)1,
					  sizeof(*own->lengths));
		for (uint32_t i = 0; i < ix->head->ndocs; i++)
			own->lengths[i] = ix->docs[i].length;
	}
	c->n = ix->head->ndocs;
	c->length = ix->lengths;
	c->postings = get_postings;
	c->date = get_date;
}

static bool is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || (c && strchr("_./-+@", c)) ||
	       (unsigned char)c >= 0x80;
}

/* Return true if the LEN bytes of P, which have no slash, are a name rather than a
 * word: something other than small letters is in them. */
static bool is_marked(const char *p, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!(p[i] >= 'a' && p[i] <= 'z') && (unsigned char)p[i] < 0x80)
			return true;
	}
	return false;
}

/* Call FN for the parts of the LEN bytes of P between dots. */
static int each_part(const char *p, size_t len, action_name_fn *fn, void *ctx)
{
	size_t n;
	int r = 0;

	for (size_t at = 0; at < len && !r; at += n + 1) {
		const char *dot = memchr(p + at, '.', len - at);

		n = dot ? (size_t)(dot - p) - at : len - at;
		if (n < len && n >= PART_MIN && is_marked(p + at, n))
			r = fn(ctx, p + at, n);
	}
	return r;
}

/* Call FN for the name of LEN bytes at P, with CALLED if a parenthesis follows. */
static int each_of_name(const char *p, size_t len, bool called,
			action_name_fn *fn, void *ctx)
{
	char call[64];
	size_t n;
	int r = 0;

	while (len && strchr("./-+@", *p) &&
	       !(len > 1 && *p == '.' && p[1] != '/' && p[1] != '.')) {
		p++;
		len--;
	}
	while (len && strchr(".-+@", p[len - 1]))
		len--;
	if (len < NAME_MIN || len > NAME_MAX_BYTES)
		return 0;
	if (memchr(p, '/', len)) {
		/* Only a single directory keeps its slash. */
		while (len > 1 && p[len - 1] == '/' && memchr(p, '/', len - 1))
			len--;
		return fn(ctx, p, len);
	}
	if (is_marked(p, len))
		r = fn(ctx, p, len);
	if (!r)
		r = each_part(p, len, fn, ctx);
	for (n = 0; n < len && p[len - 1 - n] != '.';)
		n++;
	if (r || !called || n < PART_MIN || n + 2 > sizeof(call))
		return r;
	memcpy(call, p + len - n, n);
	memcpy(call + n, "()", 2);
	return fn(ctx, call, n + 2);
}

int action_names_each(const char *p, size_t len, action_name_fn *fn, void *ctx)
{
	size_t at = 0, n;
	int r = 0;

	while (at < len && !r) {
		for (n = 0; at + n < len && is_name_byte(p[at + n]);)
			n++;
		if (n)
			r = each_of_name(p + at, n,
					 at + n < len && p[at + n] == '(', fn,
					 ctx);
		at += n + 1;
	}
	return r;
}

/* A key of a memory, before the lists are made. */
struct pair {
	uint32_t key, doc;
};

struct making {
	struct store *store;
	struct slot *slots; /* `first` is the number of the key */
	uint32_t nslots, nkeys;
	struct pair *pairs;
	size_t npairs, cap;
	size_t own;	 /* the first pair of the memory at hand */
	uint8_t *counts; /* of each pair */
	size_t counts_cap;
	uint32_t *last; /* of each key, its last pair, plus 1 */
	size_t last_cap;
	struct doc *docs;
	size_t ndocs, docs_cap;
	struct glob *globs;
	size_t nglobs, globs_cap;
	struct buf strings;
	struct terms terms;
	uint32_t length;
	bool full;
};

static void grow_slots(struct making *m)
{
	const uint32_t size = m->nslots ? m->nslots * 2 : 1024;
	struct slot *slots = mem_alloc(size * sizeof(*slots));

	for (uint32_t i = 0; i < m->nslots; i++) {
		uint32_t at = (uint32_t)m->slots[i].hash & (size - 1);

		if (!m->slots[i].hash)
			continue;
		while (slots[at].hash)
			at = (at + 1) & (size - 1);
		slots[at] = m->slots[i];
	}
	free(m->slots);
	m->slots = slots;
	m->nslots = size;
}

/* Return the slot of HASH, and make it if it is new. */
static struct slot *find_slot(struct making *m, uint64_t hash)
{
	uint32_t at;

	if (2 * m->nkeys >= m->nslots)
		grow_slots(m);
	at = (uint32_t)hash & (m->nslots - 1);
	while (m->slots[at].hash && m->slots[at].hash != hash)
		at = (at + 1) & (m->nslots - 1);
	if (!m->slots[at].hash) {
		m->slots[at] = (struct slot){.hash = hash, .first = m->nkeys};
		*MEM_ADD(m->last, m->nkeys, m->last_cap) = 0;
	}
	return &m->slots[at];
}

/* Count the LEN bytes of P as KEY of the memory at hand, or only note them if they are
 * IN_URL. */
static void add_key(struct making *m, enum action_key key, const char *p,
		    size_t len, bool in_url)
{
	struct slot *s = find_slot(m, hash_key(key, p, len));
	const uint32_t number = s->first;
	size_t i = m->last[number];

	if (i > m->own) {
		if (m->counts[i - 1] < UINT8_MAX)
			m->counts[i - 1] += !in_url;
		return;
	}
	if (m->npairs == UINT32_MAX - 1) {
		m->full = true;
		return;
	}
	m->pairs = mem_grow(m->pairs, m->npairs, &m->cap, sizeof(*m->pairs));
	m->counts = mem_grow(m->counts, m->npairs, &m->counts_cap, 1);
	m->pairs[m->npairs] = (struct pair){number, (uint32_t)m->ndocs};
	m->counts[m->npairs++] = !in_url;
	m->last[number] = (uint32_t)m->npairs;
	s->n++;
}

static int add_name(void *ctx, const char *p, size_t len)
{
	add_key(ctx, ACTION_NAME, p, len, false);
	return 0;
}

static int add_term(void *ctx, const struct term *t)
{
	struct making *m = ctx;

	add_key(m, ACTION_TERM, t->p, t->len, t->in_url);
	m->length += !t->colocated;
	return 0;
}

static uint32_t add_string(struct making *m, const char *p)
{
	const size_t at = m->strings.len;

	buf_add(&m->strings, p, strlen(p) + 1);
	return (uint32_t)at;
}

/* Get KEY of R, from its file if only that has it. Return true if it has one. */
static bool find_value(struct making *m, const struct record *r,
		       const char *key, struct arena *a, struct value *v)
{
	return store_find_key(m->store, r, key, a, v) == 1;
}

static void add_cites(struct making *m, const struct record *r, struct arena *a)
{
	struct cites cites;
	struct value v;

	if (!find_value(m, r, "cites", a, &v))
		return;
	cites_read(&cites, &v, r->path, a, NULL);
	for (size_t i = 0; i < cites.n; i++) {
		if (!cites.items[i].url && !cites.items[i].commit)
			add_key(m, ACTION_CITE, cites.items[i].path,
				strlen(cites.items[i].path), false);
	}
}

static void add_globs(struct making *m, const struct record *r, struct arena *a)
{
	struct value v;

	if (!find_value(m, r, "paths", a, &v) || !value_is_texts(&v))
		return;
	for (size_t i = 0; i < v.u.list.n; i++) {
		*MEM_ADD(m->globs, m->nglobs, m->globs_cap) =
			(struct glob){add_string(m, v.u.list.items[i].u.s.p),
				      (uint32_t)m->ndocs};
	}
}

static int add_document(void *ctx, const struct view_doc *d)
{
	struct making *m = ctx;
	const size_t below = strlen(m->store->repo.path) + 1;
	const char *tag = d->tags;
	struct record r = {.kind = RECORD_MEMORY,
			   .id = d->id,
			   .path = d->path,
			   .scope = m->store->repo.root.scope,
			   .keys = d->keys};
	struct arena a = {0};

	if (d->kind != VIEW_MEMORY || d->gone || m->full ||
	    m->ndocs == DOCS_MAX - 1 || strlen(d->path) <= below ||
	    store_marks(m->store, &d->keys, NULL) &
		    (marks_hidden() | MARK_EXTERNAL))
		return 0;
	r.path = arena_strdup(&a, d->path);
	m->own = m->npairs;
	m->length = 0;
	r.tags = arena_alloc(&a, (d->ntags + 1) * sizeof(*r.tags));
	for (; r.ntags < d->ntags; tag += strlen(tag) + 1)
		r.tags[r.ntags++] = tag;
	terms_document(&m->terms, d->text, d->len, r.tags, r.ntags, add_term,
		       m);
	action_names_each(d->text, d->len, add_name, m);
	add_cites(m, &r, &a);
	add_globs(m, &r, &a);
	*MEM_ADD(m->docs, m->ndocs, m->docs_cap) =
		(struct doc){.sec = d->at.sec,
			     .nsec = d->at.nsec,
			     .id = (int32_t)d->id,
			     .path = add_string(m, r.path + below),
			     .length = m->length};
	arena_release(&a);
	return 0;
}

/* Write the lists, by key, and set `first` of each slot to its list. */
static void add_lists(struct making *m, struct buf *out)
{
	struct action_posting *list =
		mem_resize(NULL, m->npairs + 1, sizeof(*list));
	uint32_t *next = mem_resize(NULL, m->nkeys + (size_t)1, sizeof(*next));
	uint32_t at = 0;

	for (uint32_t i = 0; i < m->nslots; i++) {
		struct slot *s = &m->slots[i];

		if (!s->hash)
			continue;
		next[s->first] = at;
		s->first = at;
		at += s->n;
	}
	for (size_t i = 0; i < m->npairs; i++)
		list[next[m->pairs[i].key]++] = (struct action_posting){
			.doc = m->pairs[i].doc & (DOCS_MAX - 1),
			.n = m->counts[i]};
	buf_add(out, (const char *)m->slots, m->nslots * sizeof(*m->slots));
	buf_add(out, (const char *)list, m->npairs * sizeof(*list));
	free(list);
	free(next);
}

static void write_index(struct making *m, const struct stat *catalog,
			struct buf *out)
{
	struct head h = {.version = VERSION,
			 .terms = TERMS_VERSION,
			 .ino = (uint64_t)catalog->st_ino,
			 .bytes = (uint64_t)catalog->st_size,
			 .ndocs = (uint32_t)m->ndocs,
			 .nlist = (uint32_t)m->npairs,
			 .nglobs = (uint32_t)m->nglobs};

	memcpy(h.magic, MAGIC, sizeof(h.magic));
	if (!m->nslots)
		grow_slots(m);
	h.nslots = m->nslots;
	buf_addc(&m->strings, '\0');
	h.strings = sizeof(h) + m->ndocs * sizeof(*m->docs) +
		    m->nslots * sizeof(*m->slots) +
		    m->npairs * sizeof(struct action_posting) +
		    m->nglobs * sizeof(*m->globs);
	h.end = h.strings + m->strings.len;
	buf_grow(out, sums_at(h.end) + count_blocks(h.end) * sizeof(uint64_t));
	buf_add(out, (const char *)&h, sizeof(h));
	if (m->ndocs)
		buf_add(out, (const char *)m->docs,
			m->ndocs * sizeof(*m->docs));
	add_lists(m, out);
	if (m->nglobs)
		buf_add(out, (const char *)m->globs,
			m->nglobs * sizeof(*m->globs));
	buf_add(out, m->strings.p, m->strings.len);
	while (out->len < sums_at(h.end))
		buf_addc(out, '\0');
	for (size_t i = 0; i < count_blocks(h.end); i++) {
		const uint64_t sum = sum_block(out->p, h.end, i);

		buf_add(out, (const char *)&sum, sizeof(sum));
	}
}

static void release_making(struct making *m)
{
	free(m->slots);
	free(m->pairs);
	free(m->counts);
	free(m->last);
	free(m->docs);
	free(m->globs);
	buf_release(&m->strings);
	terms_release(&m->terms);
}

int action_index_make(struct action_index **out, struct store *s, struct err *e)
{
	struct making m = {.store = s, .terms = {.index = true}};
	struct stat catalog = {0};
	struct action_index *ix;
	const int locked = cache_lock(s->cache, 0);
	const int r =
		cache_refresh(s->cache, REFRESH_MEMORIES | REFRESH_MAKE, e);

	*out = NULL;
	if (r == 1) {
		view_each(s->cache, 0, add_document, &m);
		if (fstatat(view_dir(s->cache), "files", &catalog,
			    AT_SYMLINK_NOFOLLOW) < 0)
			catalog = (struct stat){0};
		ix = mem_alloc(sizeof(*ix));
		ix->repo = &s->repo;
		write_index(&m, &catalog, &ix->room);
		if (locked && catalog.st_size && !m.full)
			cache_put_file(s->cache, NAME, ix->room.p,
				       ix->room.len);
		if (find_parts(ix, ix->room.p, ix->room.len))
			*out = ix;
		else
			action_index_close(ix);
	}
	if (locked)
		cache_unlock(s->cache);
	release_making(&m);
	return r < 0 ? -1 : *out ? 1 : 0;
}
