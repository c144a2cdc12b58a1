/* refresh.c: folders first, then the stat of all entries while those that
 * changed are listed, then one pass over what it did not settle, then what is
 * new, in the order of its ids, so that numbers follow ids as far as they can.
 *
 * Files are reached through their folder's descriptor; those of the trash, with
 * its many folders, where ids count alone, by their path from knowledge/.
 */
#include "cache/refresh.h"

#include "base/hash.h"
#include "repo/schema.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define TRASH_DEPTH 3 /* trash, a removal, its drafts */

enum ingest_kind refresh_kind(const char *path)
{
	return !*path			   ? INGEST_CATEGORY
	       : !strcmp(path, "articles") ? INGEST_ARTICLE
	       : layout_is_memories(path)  ? INGEST_MEMORY
					   : INGEST_ID;
}

unsigned refresh_area(const char *path)
{
	return !*path || !strcmp(path, "articles") ? REFRESH_ARTICLES
	       : layout_is_memories(path)	   ? REFRESH_MEMORIES
	       : !strcmp(path, LAYOUT_ARCHIVE)	   ? REFRESH_ARCHIVE
	       : !strcmp(path, "drafts")	   ? REFRESH_DRAFTS
	       : !strcmp(path, LAYOUT_SHARED)	   ? REFRESH_DRAFTS
						   : REFRESH_TRASH;
}

static struct refresh_folder *work_of(struct refresh *rf, size_t index)
{
	while (rf->nfolders <= index) {
		rf->folders = mem_grow(rf->folders, rf->nfolders,
				       &rf->capfolders, sizeof(*rf->folders));
		rf->folders[rf->nfolders++] =
			(struct refresh_folder){.dir = -1};
	}
	return &rf->folders[index];
}

/* The folder at PATH, known from now on. */
static size_t index_of(struct refresh *rf, const char *path)
{
	struct catalog_folder *f = catalog_find_folder(rf->catalog, path);

	if (!f)
		f = catalog_add_folder(rf->catalog, path);
	return (size_t)(f - rf->catalog->folders);
}

static bool is_same(const struct catalog_folder *f, const struct stat *st)
{
	const struct filestat now = filestat_of(st);

	return f->flags & CATALOG_KNOWN && !(f->flags & CATALOG_ABSENT) &&
	       f->dev == (uint64_t)st->st_dev && filestat_same(&f->st, &now);
}

bool refresh_folder_is(const struct catalog_folder *f, const struct stat *st)
{
	return S_ISDIR(st->st_mode) && is_same(f, st);
}

int refresh_folder_is_same(struct repo *repo, const struct catalog_folder *f)
{
	struct stat st;
	const int r =
		f->flags & CATALOG_KNOWN ? layout_stat(repo, f->path, &st) : 2;

	if (r != 1)
		return r < 0 ? -1 : !r && f->flags & CATALOG_ABSENT;
	return refresh_folder_is(f, &st);
}

/* They are many: none is asked for by more than its own name. */
bool refresh_numbered_are_same(struct repo *repo, const struct catalog *catalog)
{
	struct stat st;
	bool same = true;
	int dir = -1;

	for (size_t i = 0; i < LAYOUT_NUMBERS && same; i++) {
		const struct catalog_folder *f = catalog_numbered(catalog, i);
		const char name[] = {(char)('0' + i / 10), (char)('0' + i % 10),
				     '\0'};

		if (!f)
			continue;
		if (dir < 0 && layout_open(repo, "memories", &dir, NULL) != 1)
			return false;
		if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
			same = refresh_folder_is(f, &st);
		else
			same = errno == ENOENT && f->flags & CATALOG_ABSENT;
	}
	if (dir >= 0)
		close(dir);
	return same;
}

/* What listing a folder goes through. */
struct visit {
	struct refresh *rf;
	const char *path; /* of the folder that is listed */
	uint32_t folder;
	uint32_t group; /* see names.h */
	bool trash;
	bool numbered;	  /* it is memories/: so are the folders in it */
	struct buf below; /* names of folders to visit, each with its NUL */
	uint64_t names;	  /* see stat_check_names() */
	int32_t max_id;	  /* of the markers of what is purged */
};

static int visit_name(void *ctx, const char *name, enum file_kind kind)
{
	struct visit *v = ctx;
	const size_t len = strlen(name);

	if (kind == FILE_FOLDER &&
	    ((v->trash && !layout_is_apart(name)) ||
	     (v->numbered && layout_is_numbered(name)))) {
		buf_add(&v->below, name, len + 1);
		return 0;
	}
	if (!layout_is_memory(name))
		return 0;
	names_add(&v->rf->names, v->folder, v->group, name, len);
	v->names += hash_bytes(name, len, v->rf->catalog->identity);
	return 0;
}

static int visit_marker(void *ctx, const char *name, enum file_kind kind)
{
	struct visit *v = ctx;
	const size_t n = strspn(name, "0123456789");
	int64_t id = 0;

	(void)kind;
	if (name[n])
		return 0;
	for (const char *p = name; *p && id <= SCHEMA_ID_MAX; p++)
		id = id * 10 + (*p - '0');
	if (id <= SCHEMA_ID_MAX && id > v->max_id)
		v->max_id = (int32_t)id;
	return 0;
}

/* List the open folder DIR. */
static int list(struct visit *v, int dir, bool purged, struct err *e)
{
	file_walk_fn *fn = purged ? visit_marker : visit_name;
	struct arena a = {0};
	const int r =
		file_walk(dir, layout_path(v->rf->repo, v->path, &a), fn, v, e);

	arena_release(&a);
	if (r < 0)
		return -1;
	work_of(v->rf, v->folder)->listed = true;
	work_of(v->rf, v->folder)->names = v->names;
	work_of(v->rf, v->folder)->row.max_id = v->max_id;
	return 0;
}

/* An absent folder is known to be empty. */
static void absent(struct refresh_folder *work)
{
	work->listed = true;
	work->row = (struct catalog_folder){.flags = CATALOG_KNOWN |
						     CATALOG_ABSENT};
}

/* What is to be known of the folder that is ST.  It was looked at before any of
 * its files, so that whoever changes one by putting another in its place
 * changes it too. */
static struct catalog_folder row_of(const struct refresh *rf,
				    const struct stat *st)
{
	struct catalog_folder row = {.dev = (uint64_t)st->st_dev,
				     .st = filestat_of(st),
				     .flags = CATALOG_KNOWN};

	if (!filestat_is_sure(&row.st, rf->ingest.sure))
		row.flags |= CATALOG_UNSURE;
	return row;
}

/* Look at the folder of V, whose descriptor is wanted unless it is one of MANY:
 * in the trash, or by number. */
static int look_into(struct visit *v, bool many, struct err *e)
{
	struct refresh *rf = v->rf;
	const size_t index = v->folder;
	struct refresh_folder *work = work_of(rf, index);
	const struct catalog_folder *f = &rf->catalog->folders[index];
	struct stat st;
	int dir, r = 0;

	/* Of so many, none is opened without need. */
	if (many && !(f->flags & (CATALOG_UNSURE | CATALOG_ABSENT)) &&
	    refresh_folder_is_same(rf->repo, f) == 1)
		return 0;
	r = layout_open(rf->repo, v->path, &dir, e);
	if (r == 0)
		absent(work);
	if (r != 1)
		return r;
	r = 0;
	if (fstat(dir, &st) < 0) {
		r = err_sys(e, "cannot look at '%s/%s'", rf->path, v->path);
	} else if (!is_same(f, &st) || f->flags & CATALOG_UNSURE) {
		work->row = row_of(rf, &st);
		work->asked = !many;
		rf->asked |= !many;
		r = many ? list(v, dir, !strcmp(v->path, REFRESH_PURGED), e)
			 : 0;
	}
	if (many || r < 0)
		close(dir);
	else
		work->dir = dir;
	return r;
}

/* Look at the folder PATH; in the trash, DEPTH levels down; of those by number,
 * one. */
static int visit(struct refresh *rf, const char *path, int depth, struct err *e)
{
	const size_t index = index_of(rf, path);
	const bool numbered = layout_number(path) >= 0;
	struct visit v = {
		.rf = rf,
		.path = path,
		.folder = (uint32_t)index,
		/* All that bear drawn ids are in their order. */
		.group =
			(uint32_t)(numbered ? index_of(rf, "memories") : index),
		.trash = depth > 1};
	int r;

	work_of(rf, index)->visited = true;
	r = look_into(&v, depth > 0, e);
	if (!r && depth > 1 && !work_of(rf, index)->listed)
		catalog_below(rf->catalog, rf->tree, index, &v.below);
	for (size_t at = 0; !r && at < v.below.len;
	     at += strlen(v.below.p + at) + 1) {
		struct buf below = {0};

		buf_addf(&below, "%s/%s", path, v.below.p + at);
		if (strcmp(below.p, REFRESH_PURGED) != 0)
			r = visit(rf, below.p, depth - 1, e);
		buf_release(&below);
	}
	buf_release(&v.below);
	return r;
}

/* Look at memories/, and at those in it that were known. */
static int visit_memories(struct refresh *rf, struct err *e)
{
	const size_t known = rf->catalog->nfolders;
	int r = visit(rf, "memories", 0, e);

	for (size_t i = 0; i < known && !r; i++) {
		const char *path = rf->catalog->folders[i].path;

		if (layout_number(path) >= 0)
			r = visit(rf, path, 1, e);
	}
	return r;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Look at those that V, the list of memories/, has and that were not known: in
 * order, so that the catalog is in the order of ids, as most who ask want it. */
static int visit_numbered(struct visit *v, struct err *e)
{
	const size_t size = sizeof("00");
	int r = 0;

	if (v->below.len)
		qsort(v->below.p, v->below.len / size, size, by_name);
	for (size_t at = 0; !r && at < v->below.len;
	     at += strlen(v->below.p + at) + 1) {
		char path[16];

		snprintf(path, sizeof(path), "memories/%.2s", v->below.p + at);
		if (!work_of(v->rf, index_of(v->rf, path))->visited)
			r = visit(v->rf, path, 1, e);
	}
	return r;
}

/* List the folders of which that was asked. */
static int list_asked(struct refresh *rf, struct err *e)
{
	const size_t n = rf->nfolders;
	int r = 0;

	for (size_t i = 0; i < n && !r; i++) {
		struct visit v = {.rf = rf,
				  .path = rf->catalog->folders[i].path,
				  .folder = (uint32_t)i,
				  .group = (uint32_t)i};

		v.numbered = !strcmp(v.path, "memories");
		if (rf->folders[i].asked)
			r = list(&v, rf->folders[i].dir, false, e);
		if (!r)
			r = visit_numbered(&v, e);
		buf_release(&v.below);
	}
	return r;
}

/* The five files in knowledge/ itself are asked for one by one. */
static void visit_top(struct refresh *rf)
{
	const size_t index = index_of(rf, "");
	struct refresh_folder *work = work_of(rf, index);
	struct stat st;

	work->visited = true;
	work->listed = true;
	work->row.flags = CATALOG_KNOWN;
	for (size_t i = 0; i < LAYOUT_CATEGORIES; i++) {
		if (fstatat(rf->repo->fd, layout_categories[i], &st,
			    AT_SYMLINK_NOFOLLOW) == 0)
			names_add(&rf->names, (uint32_t)index, (uint32_t)index,
				  layout_categories[i],
				  strlen(layout_categories[i]));
	}
}

static int visit_all(struct refresh *rf, struct err *e)
{
	if (rf->what & REFRESH_TRASH)
		rf->tree = catalog_tree(rf->catalog);
	if ((rf->what & REFRESH_MEMORIES && visit_memories(rf, e) < 0) ||
	    (rf->what & REFRESH_ARCHIVE &&
	     visit(rf, LAYOUT_ARCHIVE, 0, e) < 0) ||
	    (rf->what & REFRESH_DRAFTS &&
	     (visit(rf, "drafts", 0, e) < 0 ||
	      visit(rf, LAYOUT_SHARED, 0, e) < 0)) ||
	    (rf->what & REFRESH_TRASH &&
	     (visit(rf, "trash", TRASH_DEPTH, e) < 0 ||
	      visit(rf, REFRESH_PURGED, 1, e) < 0)))
		return -1;
	if (rf->what & REFRESH_ARTICLES) {
		visit_top(rf);
		if (visit(rf, "articles", 0, e) < 0)
			return -1;
	}
	/* What is known of the trash and was not met is gone. */
	for (size_t i = 0; i < rf->catalog->nfolders; i++) {
		struct refresh_folder *work = work_of(rf, i);

		if (work->visited || !(rf->what & REFRESH_TRASH) ||
		    rf->catalog->folders[i].flags & CATALOG_GONE ||
		    refresh_area(rf->catalog->folders[i].path) != REFRESH_TRASH)
			continue;
		work->visited = work->listed = true;
		work->row.flags = CATALOG_GONE;
	}
	return 0;
}

/* Describe the file NAME in folder INDEX: its path, in PATH, is absolute. */
static struct ingest_file describe(struct refresh *rf, size_t index,
				   const char *name, struct buf *path)
{
	const struct catalog_folder *f = &rf->catalog->folders[index];
	const struct refresh_folder *work = work_of(rf, index);
	struct ingest_file file = {.dir = work->dir,
				   .name = name,
				   .name_len = strlen(name),
				   .folder = (uint32_t)index,
				   .kind = refresh_kind(f->path)};

	buf_cut(path, 0);
	buf_adds(path, rf->path);
	buf_adds(path, *f->path ? "/" : "");
	buf_adds(path, f->path);
	buf_addc(path, '/');
	buf_add(path, name, file.name_len);
	file.path = path->p;
	if (work->dir < 0) {
		file.dir = rf->repo->fd;
		file.name = path->p + strlen(rf->path) + 1;
	}
	return file;
}

/* Entry I's file must be there, by its folder: look at it, but for what was
 * settled by stat_check. */
static int look(struct refresh *rf, size_t i, struct buf *path, struct err *e)
{
	const struct catalog_entry *entry = catalog_entry(rf->catalog, i);
	const char *name = catalog_meta(rf->catalog, entry) + entry->place;
	const struct refresh_folder *work = work_of(rf, entry->folder);
	struct ingest_file file;
	struct filestat now;
	struct stat st;
	int r;

	rf->files++;
	if (stat_check_state(&rf->check, i) == STAT_CHECK_SAME)
		return 0;
	if (stat_check_state(&rf->check, i) == STAT_CHECK_OTHER) {
		file = describe(rf, entry->folder, name, path);
		r = ingest_file(&rf->ingest, &file, NULL, i);
		rf->gone += !r;
		if (r >= 0)
			return 0;
	}
	if (work->dir >= 0) {
		r = fstatat(work->dir, name, &st, AT_SYMLINK_NOFOLLOW);
	} else {
		file = describe(rf, entry->folder, name, path);
		r = fstatat(file.dir, file.name, &st, AT_SYMLINK_NOFOLLOW);
	}
	if (r < 0 && errno != ENOENT)
		return err_sys(e, "cannot look at '%s/%s/%s'", rf->path,
			       rf->catalog->folders[entry->folder].path, name);
	if (r < 0) {
		rf->gone++;
		ingest_gone(&rf->ingest, i);
		return 0;
	}
	now = filestat_of(&st);
	if (filestat_same(&now, &entry->st) && !(entry->flags & CATALOG_UNSURE))
		return 0;
	file = describe(rf, entry->folder, name, path);
	if (!ingest_file(&rf->ingest, &file, &st, i))
		rf->gone++;
	return 0;
}

/* Entry I's file, by what its folder's names say. */
static int look_up(struct refresh *rf, size_t i, struct buf *path,
		   struct err *e)
{
	const struct catalog_entry *entry = catalog_entry(rf->catalog, i);
	const struct refresh_folder *work;
	struct names_entry *name;

	if (entry->flags & CATALOG_GONE || entry->kind == CATALOG_SECTION)
		return 0;
	work = work_of(rf, entry->folder);
	if (!work->visited)
		return 0;
	if (work->listed && !work->stayed) {
		name = names_find(&rf->names, entry->folder,
				  catalog_meta(rf->catalog, entry) +
					  entry->place);
		if (!name || name->seen) {
			rf->gone++;
			ingest_gone(&rf->ingest, i);
			return 0;
		}
		name->seen = true;
	}
	return look(rf, i, path, e);
}

/* Have what was read written, if that is much. */
static int ease(struct refresh *rf, struct err *e)
{
	if (!rf->spill ||
	    rf->catalog->fresh.len - rf->catalog->flushed <= REFRESH_SPILL)
		return 0;
	ingest_reset(&rf->ingest);
	return rf->spill(rf, e);
}

/* A name that was not known. */
static int take(struct refresh *rf, const struct names_entry *name,
		struct buf *path, struct err *e)
{
	const struct ingest_file file =
		describe(rf, name->folder, name->name, path);
	struct stat st;

	if (fstatat(file.dir, file.name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT
			       ? 0
			       : err_sys(e, "cannot look at '%s'", file.path);
	rf->files++;
	ingest_file(&rf->ingest, &file, &st, INGEST_NONE);
	return ease(rf, e);
}

/* Now that all is read, the names of the folders are known. */
static void settle(struct refresh *rf)
{
	for (size_t i = 0; i < rf->nfolders; i++) {
		const struct refresh_folder *work = &rf->folders[i];
		struct catalog_folder *f = &rf->catalog->folders[i], row;

		row = work->row;
		if (!work->visited || !work->listed ||
		    (f->flags == row.flags && f->dev == row.dev &&
		     f->max_id == row.max_id && filestat_same(&f->st, &row.st)))
			continue;
		row.path = f->path;
		row.changed = true;
		*f = row;
	}
}

/* What each thread of stat_check is to know of the folders; yours. */
static int *dirs_of(struct refresh *rf)
{
	int *dirs = mem_resize(NULL, rf->catalog->nfolders, sizeof(*dirs));
	size_t memories = 0;

	for (size_t i = 0; i < rf->catalog->nfolders; i++) {
		const struct refresh_folder *work = work_of(rf, i);
		const char *path = rf->catalog->folders[i].path;

		if (!strcmp(path, "memories"))
			memories = i;
		dirs[i] = !work->visited   ? STAT_CHECK_NOBODY
			  : work->dir >= 0 ? work->dir
			  : layout_number(path) >= 0
				  ? STAT_CHECK_BELOW(memories)
				  : STAT_CHECK_SKIP;
	}
	return dirs;
}

/* Learn which names there are, and check the stat of those that are known.  Most
 * often they are the same: a file was put in the place of another. */
static int check_stats(struct refresh *rf, struct err *e)
{
	const size_t n = rf->catalog->nfolders;
	int r, *dirs = dirs_of(rf);

	stat_check_begin(&rf->check, rf->catalog, dirs, rf->asked);
	r = list_asked(rf, e);
	stat_check_end(&rf->check);
	for (size_t i = 0; !r && i < rf->nfolders; i++) {
		struct refresh_folder *work = &rf->folders[i];

		if (!work->asked ||
		    stat_check_names(&rf->check, i) != work->names)
			continue;
		work->stayed = true;
		names_forget(&rf->names, (uint32_t)i);
	}
	for (size_t i = 0; i < n; i++) {
		const struct refresh_folder *work = &rf->folders[i];

		rf->named |= work->listed && !work->stayed &&
			     dirs[i] != STAT_CHECK_SKIP &&
			     !(work->row.flags & CATALOG_ABSENT);
	}
	free(dirs);
	return r;
}

/* Whatever is known: look at what stat_check did not settle. */
static int look_at_all(struct refresh *rf, bool *damaged, struct buf *path,
		       struct err *e)
{
	const size_t n = catalog_count(rf->catalog);

	for (size_t i = 0; i < n; i++) {
		if (stat_check_state(&rf->check, i) == STAT_CHECK_IDLE)
			continue;
		/* Most are, and their entries need not be read once more. */
		if (stat_check_state(&rf->check, i) == STAT_CHECK_SAME &&
		    !rf->named) {
			rf->files++;
			continue;
		}
		if (stat_check_state(&rf->check, i) == STAT_CHECK_NONE &&
		    !catalog_check(rf->catalog,
				   catalog_entry(rf->catalog, i))) {
			*damaged = true;
			return err_set(e, ERR_DATA, "a damaged cache");
		}
		if (look_up(rf, i, path, e) < 0 || ease(rf, e) < 0)
			return -1;
	}
	return 0;
}

int refresh_run(struct refresh *rf, bool *damaged, struct err *e)
{
	struct buf path = {0};
	int r = -1;

	rf->ingest.catalog = rf->catalog;
	rf->ingest.sure = filestat_sure(rf->repo->fd);
	if (visit_all(rf, e) < 0 || check_stats(rf, e) < 0 ||
	    look_at_all(rf, damaged, &path, e) < 0)
		goto out;
	names_sort_unseen(&rf->names);
	r = 0;
	for (size_t i = 0; i < rf->names.n && !r; i++)
		r = take(rf, &rf->names.names[i], &path, e);
	if (!r)
		settle(rf);
out:
	buf_release(&path);
	return r;
}

void refresh_release(struct refresh *rf)
{
	for (size_t i = 0; i < rf->nfolders; i++) {
		if (rf->folders[i].dir >= 0)
			close(rf->folders[i].dir);
	}
	free(rf->folders);
	free(rf->tree);
	names_release(&rf->names);
	stat_check_release(&rf->check);
	ingest_release(&rf->ingest);
}
