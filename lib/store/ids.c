/* ids.c: of each file 4 KiB are read, which hold nearly every header; where it
 * goes on, or is none, the whole file.  What is asked for by id is looked for,
 * and from ASKED_OFTEN on found by a table: the entries of one id are a circle,
 * in the order in which they were added.
 */
#include "store/ids.h"

#include "base/compat.h"
#include "base/sha256.h"
#include "base/table.h"
#include "cache/cache.h"
#include "cache/write-hints.h"
#include "store/change.h"

#include <errno.h>
#include <unistd.h>

#define FIRST_BYTES ((size_t)4096)
#define ASKED_OFTEN 4

/* The buffers that one reading of many files shares. */
struct ids_reader {
	struct buf text;
	struct arena arena;
};

static void release(struct ids_reader *r)
{
	buf_release(&r->text);
	arena_release(&r->arena);
}

int64_t ids_of_name(const char *name)
{
	int64_t id = 0;
	size_t n = strspn(name, "0123456789");

	if (!n || n > 9 || (name[n] != '-' && name[n] != '.'))
		return 0;
	while (n--)
		id = id * 10 + (*name++ - '0');
	return id;
}

const char *ids_renumbered(struct arena *a, const char *name, int64_t id)
{
	const size_t digits =
		ids_of_name(name) ? strspn(name, "0123456789") : 0;

	if (!digits)
		return name;
	return arena_printf(a, "%03lld%s", (long long)id, name + digits);
}

/* The id that TEXT's frontmatter gives: 1, 0 if it gives none that is one, -1
 * if it cannot be read. */
static int id_of_text(struct ids_reader *r, int64_t *id)
{
	struct frontmatter fm;
	const struct value *v;

	arena_reset(&r->arena);
	if (frontmatter_parse(&fm, buf_str(&r->text), r->text.len, "",
			      &r->arena, NULL) < 0 ||
	    !fm.present)
		return -1;
	v = value_get(&fm.data, "id");
	if (!v)
		return -1;
	return schema_id(&fm, v, id) ? 1 : 0;
}

/* Read as much of F as its header takes: 1, 0 when it is gone, -1. */
static int read_header(struct ids_reader *r, const struct layout_file *f,
		       struct err *e)
{
	struct frontmatter fm;
	int result = file_peek_walked(f->dir, f->name, f->path, f->kind,
				      FIRST_BYTES, &r->text, e);

	if (result != 1 || !r->text.len)
		return result;
	frontmatter_split(&fm, r->text.p, r->text.len);
	/* A last line that was cut may only look like the closing one. */
	if (fm.present && fm.body < r->text.len)
		return 1;
	return file_read_walked(f->dir, f->name, f->path, f->kind,
				LAYOUT_FILE_MAX, &r->text, e);
}

/* The id of F, 0 for none; *GUESSED if it is the name's. */
static int id_of(struct ids_reader *r, const struct layout_file *f, int64_t *id,
		 bool *guessed, struct err *e)
{
	struct err why;
	int found = read_header(r, f, &why);

	*id = 0;
	*guessed = false;
	if (found == 0)
		return 0;
	if (found == 1)
		found = id_of_text(r, id);
	/* A file that is closed to us has a name at least; when we ran out of
	 * something, or the disk fails, nothing may be guessed. */
	else if (why.code == ERR_SYSTEM && errno != EACCES && errno != EPERM)
		return e ? (*e = why, -1) : -1;
	if (found >= 0)
		return 0;
	*id = ids_of_name(f->name);
	*guessed = true;
	return 0;
}

int ids_of_file(int dir, const char *name, const char *path, int64_t *id,
		struct err *e)
{
	const struct layout_file f = {dir, name, path, FILE_REGULAR};
	struct ids_reader r = {{0}, {0}};
	bool guessed;
	int result = id_of(&r, &f, id, &guessed, e);

	release(&r);
	return result;
}

struct ids_table {
	unsigned asked;	   /* how often, while it is empty */
	struct table last; /* of each id, the entry that was added last */
};

/* The entry of ID that was added last: false for none. */
static bool find_last(const struct ids *ids, int64_t id, size_t *i)
{
	struct table_look k =
		table_look(&ids->table->last, NULL, 0, (uint64_t)id);

	while (table_next(&k, i)) {
		if (ids->items[*i].id == id)
			return true;
	}
	return false;
}

static void put(const struct ids *ids, size_t i)
{
	struct id_entry *new = &ids->items[i];
	const uint64_t id = (uint64_t) new->id;
	size_t last;

	new->next = (uint32_t)i;
	if (find_last(ids, new->id, &last)) {
		new->next = ids->items[last].next;
		ids->items[last].next = (uint32_t)i;
		table_drop(&ids->table->last, NULL, 0, id, last);
	}
	table_put(&ids->table->last, NULL, 0, id, i);
}

static const struct id_entry *look_for(const struct ids *ids, int64_t id,
				       const struct id_entry *after)
{
	for (size_t i = after ? (size_t)(after - ids->items) + 1 : 0;
	     i < ids->n; i++) {
		if (ids->items[i].id == id && ids->items[i].path)
			return &ids->items[i];
	}
	return NULL;
}

const struct id_entry *ids_find(const struct ids *ids, int64_t id,
				const struct id_entry *after)
{
	struct ids_table *t = ids->table;
	size_t i, last;

	if (!after && !t->last.n && t->asked++ >= ASKED_OFTEN) {
		for (i = 0; i < ids->n; i++)
			put(ids, i);
	}
	if (!t->last.n)
		return look_for(ids, id, after);
	if (!find_last(ids, id, &last))
		return NULL;
	i = after ? (size_t)(after - ids->items) : last;
	if (after && i == last)
		return NULL;
	do {
		i = ids->items[i].next;
		if (ids->items[i].path)
			return &ids->items[i];
	} while (i != last);
	return NULL;
}

static void add(struct ids *ids, int64_t id, const char *path, bool guessed)
{
	struct id_entry *entry;

	if (!id)
		return;
	ids->items =
		mem_grow(ids->items, ids->n, &ids->cap, sizeof(*ids->items));
	entry = &ids->items[ids->n++];
	entry->id = id;
	entry->path = arena_strdup(&ids->arena, path);
	entry->guessed = guessed;
}

void ids_add(struct store *s, enum area area, int64_t id, const char *path)
{
	struct ids *ids = s->ids[area];

	if (!ids || !id)
		return;
	add(ids, id, path, false);
	if (ids->table->last.n)
		put(ids, ids->n - 1);
}

void ids_take(struct store *s, enum area area, int64_t id, const char *path)
{
	const struct ids *ids = s->ids[area];
	const struct id_entry *entry = NULL;

	while (ids && (entry = ids_find(ids, id, entry))) {
		if (strcmp(entry->path, path) != 0)
			continue;
		ids->items[entry - ids->items].path = NULL;
		return;
	}
}

/* Does the file at PATH bear ID: 1, 0, -1. */
static int bears(struct store *s, const char *path, int64_t id, struct arena *a,
		 struct err *e)
{
	struct layout_place p;
	int64_t has = 0;
	int dir, r;

	if (!layout_parse(&s->repo, path, a, &p))
		return 0;
	r = layout_open(&s->repo, p.folder, &dir, e);
	if (r != 1)
		return r;
	r = ids_of_file(dir, p.name, path, &has, e);
	close(dir);
	return r < 0 ? -1 : has == id;
}

int ids_is_taken(struct store *s, enum area area, int64_t id, struct err *e)
{
	struct write_hints_paths paths;
	struct arena a = {0};
	const struct ids *ids;
	int r = 0;

	if (area != AREA_MEMORIES || s->ids[area] || !change_is_locked(s) ||
	    !write_hints_with_id(s->cache, id, &a, &paths)) {
		arena_release(&a);
		ids = ids_load(s, area, e);
		return ids ? ids_find(ids, id, NULL) != NULL : -1;
	}
	for (size_t i = 0; i < paths.n && !r; i++)
		r = bears(s, paths.items[i].path, id, &a, e);
	arena_release(&a);
	return r;
}

struct load {
	struct ids_reader reader;
	struct ids *ids;
};

static int load_known(void *ctx, int64_t id, const char *path)
{
	struct load *l = ctx;

	add(l->ids, id, path, false);
	return 0;
}

static int load_file(void *ctx, const struct layout_file *f, struct err *e)
{
	struct load *l = ctx;
	bool guessed;
	int64_t id;

	if (f->kind != FILE_REGULAR)
		return 0;
	if (id_of(&l->reader, f, &id, &guessed, e) < 0)
		return -1;
	add(l->ids, id, f->path, guessed);
	return 0;
}

static void free_ids(struct ids *ids)
{
	if (!ids)
		return;
	free(ids->items);
	table_release(&ids->table->last);
	free(ids->table);
	arena_release(&ids->arena);
	free(ids);
}

const struct ids *ids_load(struct store *s, enum area area, struct err *e)
{
	struct load l = {{{0}, {0}}, NULL};
	int r;

	if (s->ids[area])
		return s->ids[area];
	l.ids = mem_alloc(sizeof(*l.ids));
	l.ids->table = mem_alloc(sizeof(*l.ids->table));
	if (cache_refresh(s->cache, 1u << area, NULL) == 1) {
		r = view_each_id(s->cache, 1u << area, load_known, load_file,
				 &l, e);
	} else {
		r = layout_walk(&s->repo, area, load_file, &l, e);
		s->worth_caching |= l.ids->n >= CACHE_WORTH;
	}
	release(&l.reader);
	if (r < 0) {
		free_ids(l.ids);
		return NULL;
	}
	return s->ids[area] = l.ids;
}

void ids_drop(struct store *s)
{
	for (size_t i = 0; i < ARRAY_LEN(s->ids); i++) {
		free_ids(s->ids[i]);
		s->ids[i] = NULL;
	}
}

static int max_purged(void *ctx, const char *name, enum file_kind kind)
{
	int64_t *max = ctx, id = 0;
	const char *p = name;

	(void)kind;
	for (; *p >= '0' && *p <= '9' && id <= SCHEMA_ID_MAX; p++)
		id = id * 10 + (*p - '0');
	if (!*p && id <= SCHEMA_ID_MAX && id > *max)
		*max = id;
	return 0;
}

/* The highest id on its way. */
struct highest {
	struct ids_reader reader;
	int64_t *max;
};

static int max_known(void *ctx, int64_t id, const char *path)
{
	struct highest *h = ctx;

	(void)path;
	if (id > *h->max)
		*h->max = id;
	return 0;
}

static int max_file(void *ctx, const struct layout_file *f, struct err *e)
{
	struct highest *h = ctx;
	bool guessed;
	int64_t id;

	if (f->kind != FILE_REGULAR)
		return 0;
	if (id_of(&h->reader, f, &id, &guessed, e) < 0)
		return -1;
	return max_known(h, id, f->path);
}

/* The highest id by the cache: 1, 0 where there is none, -1. */
static int max_cached(struct store *s, int64_t *max, struct err *e)
{
	struct highest h = {{{0}, {0}}, max};
	int r;

	for (enum area area = AREA_MEMORIES; area < AREA_ANY; area++) {
		if (s->ids[area])
			return 0;
	}
	if (cache_refresh(s->cache, REFRESH_IDS, NULL) != 1)
		return 0;
	r = view_each_id(s->cache, REFRESH_IDS, max_known, max_file, &h, e);
	release(&h.reader);
	return r < 0 ? -1 : 1;
}

/* The same by reading what is not read yet. */
static int max_read(struct store *s, int64_t *max, struct err *e)
{
	for (enum area area = AREA_MEMORIES; area < AREA_ANY; area++) {
		const struct ids *ids = ids_load(s, area, e);

		if (!ids)
			return -1;
		for (size_t i = 0; i < ids->n; i++) {
			if (ids->items[i].path && ids->items[i].id > *max)
				*max = ids->items[i].id;
		}
	}
	return 0;
}

int ids_max(struct store *s, int64_t *max, struct err *e)
{
	int fd, r;

	*max = 0;
	if (change_is_locked(s) && write_hints_max(s->cache, max))
		return 0;
	r = max_cached(s, max, e);
	if (r == 0)
		r = max_read(s, max, e);
	if (r < 0)
		return -1;
	r = layout_open(&s->repo, LAYOUT_TRASH "/" LAYOUT_PURGED, &fd, e);
	if (r != 1)
		return r;
	r = file_walk(fd, s->repo.path, max_purged, max, e);
	close(fd);
	return r;
}

/* An id of six digits and one of nine: how many memories there are decides which
 * of them counts, and they are gone through once for both. */
enum { SIX, NINE, DRAWS };
struct drawing {
	int64_t id[DRAWS];
	bool taken[DRAWS];
	size_t memories;
};

/* A number of OF, another in each ROUND. */
static uint64_t number_of(const char *of, int round)
{
	char hex[SHA256_HEX], text[16];
	struct sha256 sum;

	snprintf(text, sizeof(text), "%d ", round);
	sha256_begin(&sum);
	sha256_take(&sum, text, strlen(text));
	sha256_take(&sum, of, strlen(of));
	sha256_end(&sum, hex);
	hex[16] = '\0';
	return strtoull(hex, NULL, 16);
}

static void draw(struct drawing *d, const char *of, int round)
{
	static const int64_t least[DRAWS] = {LAYOUT_DRAWN,
					     (SCHEMA_ID_MAX + 1) / 10};
	const uint64_t n = of ? number_of(of, round) : compat_random();

	*d = (struct drawing){0};
	for (int i = 0; i < DRAWS; i++) {
		d->id[i] = least[i] + (int64_t)(n % (uint64_t)(9 * least[i]));
	}
}

/* Ask what bears ids, where the cache does not tell. */
static int read_taken(struct store *s, struct drawing *d, struct err *e)
{
	for (enum area area = AREA_MEMORIES; area < AREA_ANY; area++) {
		const struct ids *ids = ids_load(s, area, e);

		if (!ids)
			return -1;
		if (area == AREA_MEMORIES)
			d->memories = ids->n;
		for (int i = 0; i < DRAWS; i++)
			d->taken[i] |= ids_find(ids, d->id[i], NULL) != NULL;
	}
	return 0;
}

/* PURGED, unless -1, is the folder of what was. */
static int find_taken(struct store *s, struct drawing *d, int purged,
		      struct err *e)
{
	/* Who saves many goes through the catalog once. */
	const bool known =
		change_is_locked(s) && !s->change->batch &&
		!s->ids[AREA_MEMORIES] &&
		write_hints_ids(s->cache, d->id, d->taken, DRAWS, &d->memories);
	char marker[16];

	if (!known && read_taken(s, d, e) < 0)
		return -1;
	for (int i = 0; i < DRAWS && purged >= 0; i++) {
		snprintf(marker, sizeof(marker), "%03lld", (long long)d->id[i]);
		d->taken[i] |= faccessat(purged, marker, F_OK, 0) == 0;
	}
	return 0;
}

int ids_draw(struct store *s, const char *of, int64_t *id, struct err *e)
{
	struct drawing d;
	int round = 0, purged,
	    r = layout_open(&s->repo, LAYOUT_TRASH "/" LAYOUT_PURGED, &purged,
			    e);
	bool taken;

	if (r < 0)
		return -1;
	if (r == 0)
		purged = -1;
	do {
		int which;

		draw(&d, of, round++);
		r = find_taken(s, &d, purged, e);
		which = d.memories >= IDS_NINE_FROM ? NINE : SIX;
		*id = d.id[which];
		taken = d.taken[which];
	} while (r == 0 && taken);
	if (purged >= 0)
		close(purged);
	return r;
}
