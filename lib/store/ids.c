/* ids.c: the first 4 KiB of each file are read, which contain nearly every frontmatter.
 * If its end is not among them, the whole file is read.
 *
 * The first ASKED_OFTEN searches for an id go through all entries. The next one builds
 * a table. It maps an id to the entry that was added last; the entries of one id are a
 * circular list, in the order in which they were added.
 */
#include "store/ids.h"

#include "base/compat.h"
#include "cache/cache.h"
#include "cache/write-hints.h"
#include "store/change.h"

#include <errno.h>
#include <unistd.h>

#define FIRST_BYTES ((size_t)4096)
#define ASKED_OFTEN 4
/* A search of the cache for an id costs about a 64th of loading the ids. */
#define CACHE_ASKED_MOST 64
#define TURN_MORE_MS 10000 /* at most */

/* Buffers that are reused from file to file. */
struct ids_reader {
	struct buf text;
	struct arena arena;
};

static void release_reader(struct ids_reader *r)
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

/* Set *ID to the `id` in the frontmatter of R's text. Return 1; 0 if it is invalid; or
 * -1 if there is no readable frontmatter or no `id` in it. */
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

/* Read F into R's text, at least up to the end of the frontmatter. Return 1, 0 if F is
 * gone, or -1. */
static int read_header(struct ids_reader *r, const struct layout_file *f,
		       struct err *e)
{
	struct frontmatter fm;
	int result = file_peek_walked(f->dir, f->name, f->path, f->kind,
				      FIRST_BYTES, &r->text, e);

	if (result != 1 || !r->text.len)
		return result;
	frontmatter_split(&fm, r->text.p, r->text.len);
	/* A closing line at the very end may be the start of a longer line. */
	if (fm.present && fm.body < r->text.len)
		return 1;
	return file_read_walked(f->dir, f->name, f->path, f->kind,
				LAYOUT_FILE_MAX, &r->text, e);
}

/* Set *ID to the id of F, or to 0 if it has none, and *GUESSED to whether it is from
 * the name. Return 0 or -1. */
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
	/* Without permission to read the file, its name must do. After a lack of
	 * memory or descriptors, or a failure of the disk, a guess may be wrong. */
	else if (why.code == ERR_SYSTEM && errno != EACCES && errno != EPERM)
		return err_take(e, &why);
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

	release_reader(&r);
	return result;
}

struct ids_table {
	unsigned asked;	   /* number of searches while LAST is empty */
	struct table last; /* the entry of each id that was added last */
};

/* Set *I to the entry of ID that was added last. Return false if there is none. */
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

/* Add the entry I to the table and to the circular list of its id. */
static void link_entry(const struct ids *ids, size_t i)
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

static const struct id_entry *search_entries(const struct ids *ids, int64_t id,
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
			link_entry(ids, i);
	}
	if (!t->last.n)
		return search_entries(ids, id, after);
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

static void add_entry(struct ids *ids, int64_t id, const char *path,
		      bool guessed)
{
	struct id_entry *entry;

	if (!id)
		return;
	entry = MEM_ADD(ids->items, ids->n, ids->cap);
	entry->id = id;
	entry->path = arena_strdup(&ids->arena, path);
	entry->guessed = guessed;
}

void ids_add(struct store *s, enum area area, int64_t id, const char *path)
{
	struct ids *ids = s->ids[area];

	if (!ids || !id)
		return;
	add_entry(ids, id, path, false);
	if (ids->table->last.n)
		link_entry(ids, ids->n - 1);
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

int ids_at(struct store *s, const char *path, int64_t *id, struct err *e)
{
	struct layout_place p;
	struct arena a = {0};
	int dir, r = 0;

	if (layout_parse(&s->repo, path, &a, &p))
		r = layout_open(&s->repo, p.folder, &dir, e);
	if (r == 1) {
		r = file_exists(dir, p.name, path, e);
		if (r == 1 && ids_of_file(dir, p.name, path, id, e) < 0)
			r = -1;
		close(dir);
	}
	arena_release(&a);
	return r;
}

int ids_is_taken(struct store *s, enum area area, int64_t id, struct err *e)
{
	struct write_hints_paths paths;
	struct arena a = {0};
	const struct ids *ids;
	bool taken = false;
	int64_t has;
	int r = 0;

	if (area != AREA_MEMORIES || s->ids[area] || !change_is_locked(s) ||
	    s->change->asked++ >= CACHE_ASKED_MOST ||
	    !write_hints_with_id(s->cache, id, &a, &paths)) {
		arena_release(&a);
		ids = ids_load(s, area, e);
		return ids ? ids_find(ids, id, NULL) != NULL : -1;
	}
	for (size_t i = 0; i < paths.n && r >= 0 && !taken; i++) {
		r = ids_at(s, paths.items[i].path, &has, e);
		taken = r == 1 && has == id;
	}
	arena_release(&a);
	return r < 0 ? -1 : taken;
}

struct load {
	struct ids_reader reader;
	struct ids *ids;
};

static int load_known(void *ctx, int64_t id, const char *path)
{
	struct load *l = ctx;

	add_entry(l->ids, id, path, false);
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
	add_entry(l->ids, id, f->path, guessed);
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

/* While a batch holds the lock, let its turn be longer by a multiple of the time since
 * BEGAN, in which it read ids. Otherwise a batch in a large store would read them again
 * for each change. Others wait for the lock for 30 seconds. */
static void lengthen_turn(struct store *s, int64_t began)
{
	const int64_t more = 3 * (instant_monotonic_ms() - began);

	if (change_is_locked(s))
		s->change->since += more < TURN_MORE_MS ? more : TURN_MORE_MS;
}

const struct ids *ids_load(struct store *s, enum area area, struct err *e)
{
	struct load l = {{{0}, {0}}, NULL};
	int64_t began;
	int r;

	if (s->ids[area])
		return s->ids[area];
	began = instant_monotonic_ms();
	l.ids = mem_alloc(sizeof(*l.ids));
	l.ids->table = mem_alloc(sizeof(*l.ids->table));
	if (cache_refresh(s->cache, 1u << area, NULL) == 1) {
		r = view_each_id(s->cache, 1u << area, load_known, load_file,
				 &l, e);
	} else {
		r = layout_walk(&s->repo, area, load_file, &l, e);
		s->worth_caching |= l.ids->n >= CACHE_WORTH;
	}
	release_reader(&l.reader);
	lengthen_turn(s, began);
	if (r < 0) {
		free_ids(l.ids);
		return NULL;
	}
	return s->ids[area] = l.ids;
}

void ids_drop(struct store *s)
{
	if (s->change)
		s->change->asked = 0;
	for (size_t i = 0; i < ARRAY_LEN(s->ids); i++) {
		free_ids(s->ids[i]);
		s->ids[i] = NULL;
	}
}

/* All ids of a store, and the highest of them. */
struct numbers {
	int64_t *items;
	size_t n, cap;
	int64_t max;
	struct ids_reader reader;
};

static int add_number(void *ctx, int64_t id, const char *path)
{
	struct numbers *all = ctx;

	(void)path;
	*MEM_ADD(all->items, all->n, all->cap) = id;
	if (id > all->max)
		all->max = id;
	return 0;
}

static int add_file(void *ctx, const struct layout_file *f, struct err *e)
{
	struct numbers *all = ctx;
	bool guessed;
	int64_t id;

	if (f->kind != FILE_REGULAR)
		return 0;
	if (id_of(&all->reader, f, &id, &guessed, e) < 0)
		return -1;
	return add_number(all, id, f->path);
}

/* Add the ids of the markers of purged memories to ALL. */
static int add_purged(struct numbers *all, struct store *s, struct err *e)
{
	struct file_list markers;
	struct arena a = {0};
	const int r = layout_list(&s->repo, LAYOUT_TRASH "/" LAYOUT_PURGED, &a,
				  &markers, e);

	for (size_t i = 0; i < markers.n; i++) {
		const char *p = markers.items[i].name;
		int64_t id = 0;

		for (; *p >= '0' && *p <= '9' && id <= SCHEMA_ID_MAX; p++)
			id = id * 10 + (*p - '0');
		if (!*p && id && id <= SCHEMA_ID_MAX)
			add_number(all, id, NULL);
	}
	arena_release(&a);
	return r;
}

/* Add the ids that the cache knows to ALL. Return 1; 0 if the cache cannot be used, or
 * some ids are loaded already; or -1. */
static int add_cached(struct numbers *all, struct store *s, struct err *e)
{
	int r;

	for (enum area area = AREA_MEMORIES; area < AREA_ANY; area++) {
		if (s->ids[area])
			return 0;
	}
	if (cache_refresh(s->cache, REFRESH_IDS, NULL) != 1)
		return 0;
	r = view_each_id(s->cache, REFRESH_IDS, add_number, add_file, all, e);
	release_reader(&all->reader);
	return r < 0 ? -1 : 1;
}

/* Add every id of the store to ALL, the purged included. */
static int add_all(struct numbers *all, struct store *s, struct err *e)
{
	int r = add_cached(all, s, e);

	for (enum area area = AREA_MEMORIES; !r && area < AREA_ANY; area++) {
		const struct ids *ids = ids_load(s, area, e);

		if (!ids)
			return -1;
		for (size_t i = 0; i < ids->n; i++) {
			if (ids->items[i].path)
				add_number(all, ids->items[i].id, NULL);
		}
	}
	if (r < 0)
		return -1;
	return add_purged(all, s, e);
}

static int highest_first(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? 1 : x > y ? -1 : 0;
}

/* Set *ID and *END as ids_next() does if ALL has SCHEMA_ID_MAX: to the highest range of
 * free ids. */
static int find_room(struct numbers *all, int64_t *id, int64_t *end,
		     struct err *e)
{
	int64_t free_one =
		SCHEMA_ID_MAX; /* lowered past each id that is taken */
	size_t i;

	MEM_SORT(all->items, all->n, highest_first);
	for (i = 0; i < all->n && all->items[i] >= free_one; i++)
		free_one -= all->items[i] == free_one;
	if (!free_one)
		return err_set(e, ERR_SYSTEM, "no id is left");
	*id = i < all->n ? all->items[i] + 1 : 1;
	*end = free_one + 1;
	return 0;
}

int ids_next(struct store *s, int64_t *id, int64_t *end, struct err *e)
{
	struct numbers all = {0};
	int r;

	*end = SCHEMA_ID_MAX + 1;
	if (change_is_locked(s) && write_hints_max(s->cache, id) &&
	    (*id)++ < SCHEMA_ID_MAX)
		return 0;
	r = add_all(&all, s, e);
	*id = all.max + 1;
	if (r == 0 && all.max >= SCHEMA_ID_MAX)
		r = find_room(&all, id, end, e);
	free(all.items);
	return r;
}

/* An id of six digits and one of nine. The number of memories decides between them, and
 * is known only after the entries were searched, so one search checks both. */
enum { SIX, NINE, DRAWS };
struct drawing {
	int64_t id[DRAWS];
	bool taken[DRAWS];
	size_t memories;
};

/* Return a number that depends only on OF and ROUND. */
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

static void draw_ids(struct drawing *d, const char *of, int round)
{
	static const int64_t least[DRAWS] = {LAYOUT_DRAWN,
					     (SCHEMA_ID_MAX + 1) / 10};
	const uint64_t n = of ? number_of(of, round) : compat_random();

	*d = (struct drawing){0};
	for (int i = 0; i < DRAWS; i++) {
		d->id[i] = least[i] + (int64_t)(n % (uint64_t)(9 * least[i]));
	}
}

/* Set which ids of D are taken, and the number of memories, from the loaded ids. */
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

/* Set which ids of D are taken, and the number of memories. PURGED is the directory of
 * the markers of purged ids, or -1. */
static int find_taken(struct store *s, struct drawing *d, int purged,
		      struct err *e)
{
	/* A batch loads the ids once instead of asking the catalog each time. */
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

		draw_ids(&d, of, round++);
		r = find_taken(s, &d, purged, e);
		which = d.memories >= IDS_NINE_FROM ? NINE : SIX;
		*id = d.id[which];
		taken = d.taken[which];
	} while (r == 0 && taken);
	file_close(purged);
	return r;
}
