/* scan.c: each file is read into one buffer and forgotten with one arena;
 * only what a caller keeps is copied.
 *
 * Where a large folder has no cache, its names are cut into shifts: while one
 * is listed, a crew reads the files of the one before, and keeps the memories
 * that are wanted.  What it could not read, for whatever reason, is read again
 * when they are handed out, in the order of the folder: so complaints are the
 * same as without a crew.
 */
#include "store/scan.h"

#include "base/compat.h"
#include "base/parallel.h"
#include "cache/cache.h"
#include "text/conflict.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGE_FOLDER (64 * 1024) /* bytes of names: a thousand or so */
#define SHIFT 1024	/* files; for fewer in all, threads do not pay */
#define SHIFT_LEAST 128 /* for what is left in the end they do */
#define SHIFT_BYTES ((size_t)2 * 1024 * 1024) /* that each thread may keep */

static int hand(struct scan *rd, const struct record *r, struct err *e)
{
	int wanted = rd->test ? rd->test(rd->ctx, 0, r, e) : 1;

	return wanted == 1 ? rd->fn(rd->ctx, r) : wanted;
}

static int read_file(void *ctx, const struct layout_file *f, struct err *e)
{
	struct scan *rd = ctx;
	struct record rec;
	struct err why;
	int r;

	arena_reset(&rd->arena);
	r = file_read_walked(f->dir, f->name, f->path, f->kind, LAYOUT_FILE_MAX,
			     &rd->text, &why);
	if (r == 1)
		r = record_read(&rec, rd->text.p, rd->text.len, f->path,
				rd->store->repo.root.scope, &rd->arena,
				&why) < 0
			    ? -1
			    : 1;
	if (r < 0 && rd->strict && why.code == ERR_SYSTEM) {
		*e = why;
		return -1;
	}
	if (r == 1 && rec.conflict)
		conflict_err(&why, f->path, rec.conflict);
	if (r < 0 || (r == 1 && rec.conflict))
		complaints_add(&rd->complaints, f->path, &why);
	return r == 1 ? hand(rd, &rec, e) : 0;
}

/* A memory of which the cache knows all: is it wanted, and if it is. */
static int test_record(void *ctx, unsigned who, const struct record *r,
		       struct err *e)
{
	const struct scan *rd = ctx;

	return rd->test(rd->ctx, who, r, e);
}

static int hand_record(void *ctx, const struct record *r)
{
	const struct scan *rd = ctx;

	return rd->fn(rd->ctx, r);
}

/* A file of a store that has no cache. */
static int read_uncached(void *ctx, const struct layout_file *f, struct err *e)
{
	struct scan *rd = ctx;

	rd->files++;
	return read_file(ctx, f, e);
}

/* Some files of memories/. */
struct shift {
	struct slot {
		const char *name;
		enum file_kind kind;
		enum { SLOT_LEFT, SLOT_UNWANTED, SLOT_WANTED } state;
		struct record record;
	} slots[SHIFT];
	size_t n;
	struct arena names;
	struct arena kept[PARALLEL_MAX]; /* wanted records */
	size_t bytes[PARALLEL_MAX];	 /* of them */
};

/* What is one thread's; apart from the others', since processors that write
 * side by side wait for one another. */
struct scan_reader {
	_Alignas(128) int dir; /* the folder */
	bool parted;
	struct buf text, path; /* PATH: the folder's, and a slash; a name */
	size_t path_len;
	struct arena arena;
};

struct shifts {
	struct scan *rd;
	struct scan_reader readers[PARALLEL_MAX];
	struct shift *listed, *read;
	struct parallel crew;
	bool busy;	  /* with what is read */
	atomic_bool over; /* somebody could not tell what is wanted */
	struct err *e;
};

static const char *path_of(struct scan_reader *reader, const char *name)
{
	buf_cut(&reader->path, reader->path_len);
	buf_adds(&reader->path, name);
	return reader->path.p;
}

/* Read SLOT's memory: 1, 0: it is not wanted, -1: it is left to the caller. */
static int read_slot(struct shifts *sh, struct scan_reader *reader,
		     unsigned who, const struct slot *slot, struct record *r)
{
	const char *path = path_of(reader, slot->name);
	struct buf *text = &reader->text;
	int wanted;

	arena_reset(&reader->arena);
	if (slot->kind != FILE_REGULAR ||
	    file_read_walked(reader->dir, slot->name, path, slot->kind,
			     LAYOUT_FILE_MAX, text, NULL) != 1 ||
	    record_read(r, text->p, text->len, path,
			sh->rd->store->repo.root.scope, &reader->arena,
			NULL) < 0 ||
	    r->conflict)
		return -1;
	if (!sh->rd->test)
		return 1;
	wanted = sh->rd->test(sh->rd->ctx, who, r, NULL);
	if (wanted < 0)
		atomic_store(&sh->over, true);
	return wanted;
}

static void read_some(void *ctx, unsigned who, size_t from, size_t to)
{
	struct shifts *sh = ctx;
	struct scan_reader *reader = &sh->readers[who];
	struct shift *shift = sh->read;
	struct record r;

	/* Each file opened and closed waits for the others' otherwise, and
	 * none of the caller's may stay open here. */
	if (who && !reader->parted)
		compat_own_descriptors(reader->dir);
	reader->parted = true;
	for (size_t i = from; i < to && !atomic_load(&sh->over) &&
			      shift->bytes[who] < SHIFT_BYTES;
	     i++) {
		struct slot *slot = &shift->slots[i];
		int wanted = read_slot(sh, reader, who, slot, &r);

		if (wanted < 0)
			continue;
		slot->state = wanted ? SLOT_WANTED : SLOT_UNWANTED;
		if (!wanted)
			continue;
		slot->record = record_copy(&r, &shift->kept[who]);
		shift->bytes[who] += r.content_len;
	}
}

/* Hand out what a shift has read, and forget it. */
static int hand_shift(struct shifts *sh)
{
	struct shift *shift = sh->read;
	int r = 0;

	if (sh->busy)
		parallel_end(&sh->crew);
	sh->busy = false;
	for (size_t i = 0; i < shift->n && !r; i++) {
		const struct slot *slot = &shift->slots[i];
		struct layout_file f = {.dir = sh->readers[0].dir,
					.name = slot->name,
					.kind = slot->kind};

		if (slot->state == SLOT_WANTED) {
			r = sh->rd->fn(sh->rd->ctx, &slot->record);
		} else if (slot->state == SLOT_LEFT) {
			f.path = path_of(&sh->readers[0], slot->name);
			r = read_file(sh->rd, &f, sh->e);
		}
	}
	for (size_t i = 0; i < PARALLEL_MAX; i++) {
		arena_release(&shift->kept[i]);
		shift->bytes[i] = 0;
	}
	arena_reset(&shift->names);
	shift->n = 0;
	return r;
}

/* What is listed is read from now on, as what was read before is handed out. */
static int change_shifts(struct shifts *sh)
{
	int r = hand_shift(sh);
	struct shift *listed = sh->listed;

	sh->listed = sh->read;
	sh->read = listed;
	if (r || sh->rd->files < SHIFT || listed->n < SHIFT_LEAST)
		return r;
	for (size_t i = 0; i < PARALLEL_MAX; i++)
		sh->readers[i].parted = false;
	parallel_begin(&sh->crew, read_some, sh, listed->n, SHIFT_LEAST);
	sh->busy = true;
	return 0;
}

static int list_name(void *ctx, const char *name, enum file_kind kind)
{
	struct shifts *sh = ctx;
	struct shift *shift = sh->listed;

	if (!layout_is_memory(name))
		return 0;
	shift->slots[shift->n++] = (struct slot){
		.name = arena_strdup(&shift->names, name), .kind = kind};
	sh->rd->files++;
	return shift->n == SHIFT ? change_shifts(sh) : 0;
}

static void open_readers(struct shifts *sh, int dir, const char *path)
{
	for (unsigned who = 0; who < PARALLEL_MAX; who++) {
		struct scan_reader *reader = &sh->readers[who];

		reader->dir =
			who ? file_open(dir, ".", O_RDONLY | O_DIRECTORY, 0)
			    : dir;
		buf_addf(&reader->path, "%s/", path);
		reader->path_len = reader->path.len;
	}
}

static void release(struct shifts *sh)
{
	for (unsigned who = 0; who < PARALLEL_MAX; who++) {
		struct scan_reader *reader = &sh->readers[who];

		if (who && reader->dir >= 0)
			close(reader->dir);
		buf_release(&reader->text);
		buf_release(&reader->path);
		arena_release(&reader->arena);
		arena_release(&sh->listed->kept[who]);
		arena_release(&sh->read->kept[who]);
	}
	arena_release(&sh->listed->names);
	arena_release(&sh->read->names);
	free(sh->listed);
	free(sh->read);
}

/* Read all files of the open folder DIR at PATH. */
static int read_folder(struct scan *rd, int dir, const char *path,
		       struct err *e)
{
	struct shifts sh = {.rd = rd, .e = e};
	int r;

	sh.listed = mem_alloc(sizeof(*sh.listed));
	sh.read = mem_alloc(sizeof(*sh.read));
	open_readers(&sh, dir, path);
	r = file_walk(dir, path, list_name, &sh, e);
	if (!r)
		r = change_shifts(&sh);
	if (!r)
		r = hand_shift(&sh);
	if (sh.busy)
		parallel_end(&sh.crew);
	release(&sh);
	return r;
}

static int read_memories(struct scan *rd, struct err *e)
{
	struct buf path = {0};
	int dir, r = layout_open(&rd->store->repo, "memories", &dir, e);

	if (r != 1)
		return r;
	buf_addf(&path, "%s/memories", rd->store->repo.path);
	r = read_folder(rd, dir, path.p, e);
	buf_release(&path);
	close(dir);
	return r;
}

/* Is the list of names in memories/ so long that what is kept of each while all
 * are read would be much? */
static bool is_large(struct store *s)
{
	struct stat st = {0};
	int dir;

	if (layout_open(&s->repo, "memories", &dir, NULL) != 1)
		return false;
	if (fstat(dir, &st) < 0)
		st.st_size = 0;
	close(dir);
	return st.st_size > LARGE_FOLDER;
}

/* Sweep, as cache_refresh().  The cache of a large store is made first, since
 * what is kept of memories then lies in it. */
static int sweep(struct store *s)
{
	int r = cache_refresh(s->cache, REFRESH_MEMORIES, NULL);

	if (r == 1 || !is_large(s))
		return r;
	cache_make(s->cache);
	return cache_refresh(s->cache, REFRESH_MEMORIES, NULL);
}

static void finish(struct scan *rd)
{
	complaints_report(&rd->complaints, rd->store->report);
	buf_release(&rd->text);
	arena_release(&rd->arena);
}

int scan_run(struct scan *rd, enum area area, struct err *e)
{
	struct store *s = rd->store;
	int r;

	if (area == AREA_MEMORIES && sweep(s) == 1) {
		r = view_each_record(s->cache, rd->test ? test_record : NULL,
				     hand_record, read_file, rd, e);
	} else {
		r = area == AREA_MEMORIES
			    ? read_memories(rd, e)
			    : layout_walk(&s->repo, area, read_uncached, rd, e);
		s->worth_caching |= rd->files >= CACHE_WORTH;
	}
	finish(rd);
	return r;
}

/* Say of an article or a category file what is amiss with it: all searches
 * leave out what cannot be read. */
static int report_document(void *ctx, const struct layout_file *f,
			   struct err *e)
{
	struct scan *rd = ctx;
	const char *below = f->path + strlen(rd->store->repo.path);
	const bool article = !strncmp(below, "/articles/", 10);
	struct record r;
	struct err why;
	int found;

	(void)e;
	arena_reset(&rd->arena);
	found = file_read_walked(f->dir, f->name, f->path, f->kind,
				 LAYOUT_FILE_MAX, &rd->text, &why);
	if (found == 0)
		return 0;
	if (found == 1)
		found = record_read_document(&r, buf_str(&rd->text),
					     rd->text.len, f->path, article,
					     &rd->arena, &why);
	if (found == 0 && !r.conflict)
		return 0;
	if (found == 0)
		conflict_err(&why, f->path, r.conflict);
	complaints_add(&rd->complaints, f->path, &why);
	return 0;
}

int scan_run_amiss(struct scan *rd, struct cache *c, struct err *e)
{
	const int r = view_each_amiss(c, report_document, rd, e);

	finish(rd);
	return r;
}

int scan_run_broken(struct scan *rd, struct cache *c, struct err *e)
{
	int r = view_each_record(c, NULL, NULL, read_file, rd, e);

	if (!r)
		r = view_each_amiss(c, report_document, rd, e);

	finish(rd);
	return r;
}
