/* reading.c: each file is read into one buffer and forgotten with one arena;
 * only what a caller keeps is copied.
 */
#include "reading.h"

#include "handout.h"

#include <sys/stat.h>
#include <unistd.h>

#define LARGE_FOLDER (64 * 1024) /* bytes of names: a thousand or so */

static int hand(struct reading *rd, const struct record *r, struct err *e)
{
	int wanted = rd->test ? rd->test(rd->ctx, 0, r, e) : 1;

	return wanted == 1 ? rd->fn(rd->ctx, r) : wanted;
}

static int read_file(void *ctx, const struct shelf_file *f, struct err *e)
{
	struct reading *rd = ctx;
	struct record rec;
	struct err why;
	int r;

	arena_reset(&rd->arena);
	r = file_read_walked(f->dir, f->name, f->path, f->kind, SHELF_FILE_MAX,
			     &rd->text, &why);
	if (r == 1)
		r = record_read(&rec, rd->text.p, rd->text.len, f->path,
				rd->store->root.scope, &rd->arena, &why) < 0
			    ? -1
			    : 1;
	if (r < 0 && rd->strict && why.code == ERR_SYSTEM) {
		*e = why;
		return -1;
	}
	if (r < 0)
		complaints_add(&rd->complaints, f->path, &why);
	return r == 1 ? hand(rd, &rec, e) : 0;
}

/* A memory of which the cache knows all: is it wanted, and if it is. */
static int test_record(void *ctx, unsigned who, const struct record *r,
		       struct err *e)
{
	const struct reading *rd = ctx;

	return rd->test(rd->ctx, who, r, e);
}

static int hand_record(void *ctx, const struct record *r)
{
	const struct reading *rd = ctx;

	return rd->fn(rd->ctx, r);
}

/* A file of a store that has no cache. */
static int read_uncached(void *ctx, const struct shelf_file *f, struct err *e)
{
	struct reading *rd = ctx;

	rd->files++;
	return read_file(ctx, f, e);
}

/* Is the list of names in memories/ so long that what is kept of each while all
 * are read would be much? */
static bool is_large(struct store *s)
{
	struct stat st = {0};
	int dir;

	if (shelf_open(s, "memories", &dir, NULL) != 1)
		return false;
	if (fstat(dir, &st) < 0)
		st.st_size = 0;
	close(dir);
	return st.st_size > LARGE_FOLDER;
}

/* The cache of a store, 1 and as cache_sweep().  Of a large one it is made
 * first, since what is kept of memories then lies in it. */
static int open_cache(struct store *s, struct cache **cache)
{
	int r = cache_sweep(s, CACHE_MEMORIES, cache, NULL);

	if (r == 1 || !is_large(s))
		return r;
	cache_make(s);
	return cache_sweep(s, CACHE_MEMORIES, cache, NULL);
}

static void finish(struct reading *rd)
{
	complaints_report(&rd->complaints, rd->store->report);
	buf_release(&rd->text);
	arena_release(&rd->arena);
}

int reading_run(struct reading *rd, enum area area, struct err *e)
{
	struct store *s = rd->store;
	struct cache *cache = NULL;
	int r;

	if (area == AREA_MEMORIES && open_cache(s, &cache) == 1) {
		r = cache_each_record(cache, rd->test ? test_record : NULL,
				      hand_record, read_file, rd, e);
	} else {
		r = shelf_walk(s, area, read_uncached, rd, e);
		s->worth_caching |= rd->files >= CACHE_WORTH;
	}
	finish(rd);
	return r;
}

int reading_run_broken(struct reading *rd, struct cache *c, struct err *e)
{
	int r = cache_each_record(c, NULL, NULL, read_file, rd, e);

	finish(rd);
	return r;
}
