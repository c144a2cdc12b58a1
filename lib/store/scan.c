/* scan.c: all files are read into the same buffer, and each resets the same arena.
 *
 * A large directory without a cache is read in shifts of SHIFT files. While the main
 * thread lists the names of one shift, other threads read the files of the one before
 * and keep copies of the wanted memories. The main thread then calls FN for them in the
 * order of the directory. A file that a thread could not read is read again at that
 * point, so the complaints are the same as without threads.
 */
#include "store/scan.h"

#include "base/compat.h"
#include "cache/cache.h"
#include "text/conflict.h"

#include <fcntl.h>
#include <unistd.h>

#define LARGE_FOLDER (64 * 1024) /* bytes of names: a thousand or so */
#define LEAST_FOLDER 4096	 /* an empty one's, on most file systems */
#define SHIFT 512	/* files; for fewer in all, threads do not pay */
#define SHIFT_LEAST 128 /* files of the last shift; for fewer, no threads */
#define SHIFT_BYTES ((size_t)2 * 1024 * 1024) /* that each thread may keep */

static void complain(struct scan *sc, const char *path, const struct err *e)
{
	*MEM_ADD(sc->complaints, sc->ncomplaints, sc->capcomplaints) =
		(struct scan_complaint){
			.path = arena_strdup(&sc->complained, path),
			.text = arena_strdup(&sc->complained, e->text),
			.code = e->code};
}

static int by_path(const void *a, const void *b)
{
	const struct scan_complaint *x = a, *y = b;

	return strcmp(x->path, y->path);
}

/* Report the complaints, ordered by path, since directories list their files in an
 * unspecified order. Then free them. */
static void report_complaints(struct scan *sc, const struct report *report)
{
	MEM_SORT(sc->complaints, sc->ncomplaints, by_path);
	for (size_t i = 0; i < sc->ncomplaints; i++)
		err_warn(report, sc->complaints[i].code, "%s",
			 sc->complaints[i].text);
	free(sc->complaints);
	arena_release(&sc->complained);
	sc->complaints = NULL;
	sc->ncomplaints = sc->capcomplaints = 0;
}

/* Call FN for R if TEST wants it. Return the result, 0 if R is not wanted, or -1. */
static int hand_if_wanted(struct scan *sc, const struct record *r,
			  struct err *e)
{
	int wanted = sc->test ? sc->test(sc->ctx, 0, r, e) : 1;

	return wanted == 1 ? sc->fn(sc->ctx, r) : wanted;
}

/* Set R from SC's text, that of the file at PATH. */
static int read_text(struct scan *sc, const char *path, struct record *r,
		     struct err *e)
{
	const enum scope scope = sc->store->repo.root.scope;

	if (!sc->articles)
		return record_read(r, buf_str(&sc->text), sc->text.len, path,
				   scope, &sc->arena, e);
	if (record_read_document(r, buf_str(&sc->text), sc->text.len, path,
				 true, &sc->arena, e) < 0)
		return -1;
	r->scope = scope;
	return 0;
}

/* Read F and pass it to FN if it is wanted. A broken file becomes a complaint. */
static int read_file(void *ctx, const struct layout_file *f, struct err *e)
{
	struct scan *sc = ctx;
	struct record rec;
	struct err why;
	int r;

	arena_reset(&sc->arena);
	r = file_read_walked(f->dir, f->name, f->path, f->kind, LAYOUT_FILE_MAX,
			     &sc->text, &why);
	if (r == 1)
		r = read_text(sc, f->path, &rec, &why) < 0 ? -1 : 1;
	if (r < 0 && sc->strict && why.code == ERR_SYSTEM)
		return err_take(e, &why);
	if (r == 1 && rec.conflict)
		conflict_err(&why, f->path, rec.conflict,
			     record_scope_option(sc->store->repo.root.scope));
	if (r < 0 || (r == 1 && rec.conflict))
		complain(sc, f->path, &why);
	return r == 1 ? hand_if_wanted(sc, &rec, e) : 0;
}

/* Call TEST, and FN, for a memory from the cache. */
static int test_record(void *ctx, unsigned who, const struct record *r,
		       struct err *e)
{
	const struct scan *sc = ctx;

	return sc->test(sc->ctx, who, r, e);
}

static int hand_record(void *ctx, const struct record *r)
{
	const struct scan *sc = ctx;

	return sc->fn(sc->ctx, r);
}

/* Count F and read it; for a scan without a cache. */
static int read_uncached(void *ctx, const struct layout_file *f, struct err *e)
{
	struct scan *sc = ctx;

	sc->files++;
	return read_file(ctx, f, e);
}

/* Some files of memories/ and of its numbered subdirectories, "00" to "99". */
struct shift {
	struct slot {
		char folder[3]; /* the subdirectory, or "" */
		const char *name;
		enum file_kind kind;
		enum { SLOT_LEFT, SLOT_UNWANTED, SLOT_WANTED } state;
		const struct record *record; /* if it is wanted */
	} slots[SHIFT];
	size_t n;
	struct arena names;
	struct arena kept[PARALLEL_MAX]; /* wanted records of each thread */
	size_t bytes[PARALLEL_MAX];	 /* of these */
};

/* The state of one thread, in cache lines of its own: threads that write to the same
 * one slow each other down. */
struct scan_reader {
	_Alignas(128) int dir; /* memories/ */
	int below;	       /* the last subdirectory, FOLDER, or -1 */
	char folder[3];
	bool parted; /* this thread has its own table of descriptors */
	struct buf text, path; /* PATH: that of DIR, a slash and a name */
	size_t path_len;
	struct arena arena;
};

struct shifts {
	struct scan *sc;
	struct scan_reader readers[PARALLEL_MAX];
	struct shift *listed, *read;
	struct parallel threads;
	bool busy;	    /* the threads read a shift */
	atomic_bool over;   /* TEST failed */
	char folder[3];	    /* the subdirectory that is listed, or "" */
	bool numbered[100]; /* subdirectories that exist */
	struct err *e;
};

static const char *path_of(struct scan_reader *reader, const struct slot *slot)
{
	buf_cut(&reader->path, reader->path_len);
	buf_adds(&reader->path, slot->folder);
	if (*slot->folder)
		buf_addc(&reader->path, '/');
	buf_adds(&reader->path, slot->name);
	return reader->path.p;
}

static void close_below(struct scan_reader *reader)
{
	file_close(reader->below);
	reader->below = -1;
}

/* Return the open directory of SLOT, which belongs to READER, or -1. */
static int folder_of(struct scan_reader *reader, const struct slot *slot)
{
	if (!*slot->folder)
		return reader->dir;
	if (reader->below >= 0 && !strcmp(reader->folder, slot->folder))
		return reader->below;
	close_below(reader);
	memcpy(reader->folder, slot->folder, sizeof(reader->folder));
	return file_open_dir(reader->dir, slot->folder, slot->folder,
			     &reader->below, NULL) == 1
		       ? reader->below
		       : -1;
}

/* Read the memory of SLOT into R. Return 1; 0 if it is not wanted; or -1 if the main
 * thread must read it again. */
static int read_slot(struct shifts *sh, struct scan_reader *reader,
		     unsigned who, const struct slot *slot, struct record *r)
{
	const char *path = path_of(reader, slot);
	struct buf *text = &reader->text;
	int wanted, dir;

	arena_reset(&reader->arena);
	if (slot->kind != FILE_REGULAR || (dir = folder_of(reader, slot)) < 0 ||
	    file_read_walked(dir, slot->name, path, slot->kind, LAYOUT_FILE_MAX,
			     text, NULL) != 1 ||
	    record_read(r, text->p, text->len, path,
			sh->sc->store->repo.root.scope, &reader->arena,
			NULL) < 0 ||
	    r->conflict)
		return -1;
	if (!sh->sc->test)
		return 1;
	wanted = sh->sc->test(sh->sc->ctx, who, r, NULL);
	if (wanted < 0)
		atomic_store(&sh->over, true);
	return wanted;
}

/* Copy R, which is wanted, for the main thread. */
static void keep_record(struct shift *shift, unsigned who, struct slot *slot,
			const struct record *r)
{
	struct arena *a = &shift->kept[who];
	struct record *kept = arena_alloc(a, sizeof(*kept));

	*kept = record_copy(r, a);
	slot->record = kept;
	shift->bytes[who] += r->content_len;
}

/* Read the slots FROM to TO, in the thread WHO. */
static void read_some(void *ctx, unsigned who, size_t from, size_t to)
{
	struct shifts *sh = ctx;
	struct scan_reader *reader = &sh->readers[who];
	struct shift *shift = sh->read;
	struct record r;

	/* With a shared table of descriptors, each open() and close() waits for those
	 * of other threads. The thread closes its copies of the caller's. */
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
		if (wanted)
			keep_record(shift, who, slot, &r);
	}
	if (who)
		close_below(reader);
}

/* Call FN for the wanted memories of the shift that was read, and empty it. */
static int hand_shift(struct shifts *sh)
{
	struct shift *shift = sh->read;
	int r = 0;

	if (sh->busy)
		parallel_end(&sh->threads);
	sh->busy = false;
	for (size_t i = 0; i < shift->n && !r; i++) {
		const struct slot *slot = &shift->slots[i];
		struct layout_file f = {.name = slot->name, .kind = slot->kind};

		if (slot->state == SLOT_WANTED) {
			r = sh->sc->fn(sh->sc->ctx, slot->record);
		} else if (slot->state == SLOT_LEFT) {
			f.path = path_of(&sh->readers[0], slot);
			f.dir = folder_of(&sh->readers[0], slot);
			if (f.dir >= 0)
				r = read_file(sh->sc, &f, sh->e);
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

/* Finish the shift that was read, and let the threads read the one that was listed. */
static int change_shifts(struct shifts *sh)
{
	int r = hand_shift(sh);
	struct shift *listed = sh->listed;

	sh->listed = sh->read;
	sh->read = listed;
	if (r || sh->sc->files < SHIFT || listed->n < SHIFT_LEAST)
		return r;
	for (size_t i = 0; i < PARALLEL_MAX; i++)
		sh->readers[i].parted = false;
	parallel_begin(&sh->threads, read_some, sh, listed->n, SHIFT_LEAST);
	sh->busy = true;
	return 0;
}

static int list_name(void *ctx, const char *name, enum file_kind kind)
{
	struct shifts *sh = ctx;
	struct shift *shift = sh->listed;
	struct slot *slot;

	if (kind == FILE_FOLDER && !*sh->folder && layout_is_numbered(name))
		sh->numbered[(name[0] - '0') * 10 + name[1] - '0'] = true;
	if (!layout_is_memory(name))
		return 0;
	slot = &shift->slots[shift->n++];
	*slot = (struct slot){.name = arena_strdup(&shift->names, name),
			      .kind = kind};
	memcpy(slot->folder, sh->folder, sizeof(slot->folder));
	sh->sc->files++;
	return shift->n == SHIFT ? change_shifts(sh) : 0;
}

/* List the numbered subdirectories of DIR that list_name() found. */
static int list_numbered(struct shifts *sh, int dir, const char *path)
{
	int r = 0;

	for (unsigned i = 0; i < ARRAY_LEN(sh->numbered) && !r; i++) {
		int below;

		if (!sh->numbered[i])
			continue;
		snprintf(sh->folder, sizeof(sh->folder), "%02u", i % 100);
		r = file_open_dir(dir, sh->folder, path, &below, sh->e);
		if (r != 1)
			continue;
		r = file_walk(below, path, list_name, sh, sh->e);
		close(below);
	}
	return r;
}

static void open_readers(struct shifts *sh, int dir, const char *path)
{
	for (unsigned who = 0; who < PARALLEL_MAX; who++) {
		struct scan_reader *reader = &sh->readers[who];

		reader->dir =
			who ? file_open(dir, ".", O_RDONLY | O_DIRECTORY, 0)
			    : dir;
		reader->below = -1;
		buf_addf(&reader->path, "%s/", path);
		reader->path_len = reader->path.len;
	}
}

static void release_shifts(struct shifts *sh)
{
	for (unsigned who = 0; who < PARALLEL_MAX; who++) {
		struct scan_reader *reader = &sh->readers[who];

		if (who && reader->dir >= 0)
			close(reader->dir);
		close_below(reader);
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

/* Read all files of the open directory DIR at PATH. */
static int read_folder(struct scan *sc, int dir, const char *path,
		       struct err *e)
{
	struct shifts sh = {.sc = sc, .e = e};
	int r;

	sh.listed = mem_alloc(sizeof(*sh.listed));
	sh.read = mem_alloc(sizeof(*sh.read));
	open_readers(&sh, dir, path);
	r = file_walk(dir, path, list_name, &sh, e);
	if (!r)
		r = list_numbered(&sh, dir, path);
	if (!r)
		r = change_shifts(&sh);
	if (!r)
		r = hand_shift(&sh);
	if (sh.busy)
		parallel_end(&sh.threads);
	release_shifts(&sh);
	return r;
}

static int read_memories(struct scan *sc, struct err *e)
{
	struct buf path = {0};
	int dir, r = layout_open(&sc->store->repo, LAYOUT_MEMORIES, &dir, e);

	if (r != 1)
		return r;
	buf_addf(&path, "%s/" LAYOUT_MEMORIES, sc->store->repo.path);
	r = read_folder(sc, dir, path.p, e);
	buf_release(&path);
	close(dir);
	return r;
}

/* Return true if memories/ and its subdirectories have so many names that a scan
 * without a cache would need much memory. Their sizes tell, without a listing. */
static bool is_large(struct store *s)
{
	struct stat st = {0}, below;
	char name[16];
	off_t names;
	int dir;

	if (layout_open(&s->repo, LAYOUT_MEMORIES, &dir, NULL) != 1)
		return false;
	if (fstat(dir, &st) < 0)
		st = (struct stat){0};
	names = st.st_size;
	/* A directory with two links has no subdirectories. */
	for (unsigned i = 0; st.st_nlink != 2 && i < 100; i++) {
		snprintf(name, sizeof(name), "%02u", i);
		if (fstatat(dir, name, &below, AT_SYMLINK_NOFOLLOW) == 0 &&
		    below.st_size > LEAST_FOLDER)
			names += below.st_size - LEAST_FOLDER;
	}
	close(dir);
	return names > LARGE_FOLDER;
}

/* Refresh the cache as cache_refresh() does. A large store gets one if it has none:
 * records then are part of the cache, and not copied. */
static int refresh(struct store *s)
{
	int r = cache_refresh(s->cache, REFRESH_MEMORIES, NULL);

	return r == 1 || !is_large(s) ? r : cache_make(s->cache);
}

static void finish_scan(struct scan *sc)
{
	report_complaints(sc, sc->store->report);
	buf_release(&sc->text);
	arena_release(&sc->arena);
}

int scan_run(struct scan *sc, enum area area, struct err *e)
{
	struct store *s = sc->store;
	int r;

	sc->articles = area == AREA_ARTICLES;
	if (area == AREA_DRAFTS)
		shared_warn_moved(&s->repo.root, s->report);
	if (area == AREA_MEMORIES && refresh(s) == 1) {
		r = view_each_record(s->cache, sc->test ? test_record : NULL,
				     hand_record, read_file, sc, e);
	} else {
		r = area == AREA_MEMORIES
			    ? read_memories(sc, e)
			    : layout_walk(&s->repo, area, read_uncached, sc, e);
		s->worth_caching |= sc->files >= CACHE_WORTH;
	}
	finish_scan(sc);
	return r;
}

/* Note that the file at PATH, which is broken in the cache, is no longer broken. */
static void note_mended(struct scan *sc, const char *path)
{
	struct err why;

	sc->mended = true;
	if (!sc->last)
		return;
	err_set(&why, ERR_SYSTEM,
		"'%s' could not be read at first, and is left out: try again",
		path);
	complain(sc, path, &why);
}

/* Complain about an article or a category file that cannot be read. */
static int report_document(void *ctx, const struct layout_file *f,
			   struct err *e)
{
	struct scan *sc = ctx;
	const char *below = f->path + strlen(sc->store->repo.path);
	const bool article = !strncmp(below, "/" LAYOUT_ARTICLES "/", 10);
	struct record r;
	struct err why;
	int found;

	(void)e;
	arena_reset(&sc->arena);
	found = file_read_walked(f->dir, f->name, f->path, f->kind,
				 LAYOUT_FILE_MAX, &sc->text, &why);
	if (found == 0)
		return 0;
	if (found == 1)
		found = record_read_document(&r, buf_str(&sc->text),
					     sc->text.len, f->path, article,
					     &sc->arena, &why);
	if (found == 0 && !r.conflict) {
		note_mended(sc, f->path);
		return 0;
	}
	if (found == 0)
		conflict_err(&why, f->path, r.conflict,
			     record_scope_option(sc->store->repo.root.scope));
	complain(sc, f->path, &why);
	return 0;
}

/* Complain about the articles and category files that a search leaves out. */
static int report_documents(struct scan *sc, struct cache *c, struct err *e)
{
	struct repo *repo = &sc->store->repo;
	struct err why;
	int dir = -1;

	if (view_news(c)->failed &&
	    layout_open(repo, LAYOUT_ARTICLES, &dir, &why) < 0)
		complain(sc, repo->path, &why);
	file_close(dir);
	return view_each_amiss(c, report_document, sc, e);
}

int scan_run_amiss(struct scan *sc, struct cache *c, struct err *e)
{
	const int r = report_documents(sc, c, e);

	finish_scan(sc);
	return r;
}

static int see_mended(void *ctx, const struct record *r)
{
	if (!r->conflict)
		note_mended(ctx, r->path);
	return 0;
}

int scan_run_broken(struct scan *sc, struct cache *c, struct err *e)
{
	int r;

	sc->fn = see_mended;
	sc->ctx = sc;
	r = view_each_record(c, NULL, NULL, read_file, sc, e);
	if (!r)
		r = report_documents(sc, c, e);
	if (!r && sc->mended && !sc->last) {
		report_complaints(sc, NULL);
		r = 1;
	}
	finish_scan(sc);
	return r;
}
