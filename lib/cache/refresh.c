/* refresh.c: folders first, then a glance at all entries while those that
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
	       : !strcmp(path, "memories") ? INGEST_MEMORY
					   : INGEST_ID;
}

unsigned refresh_area(const char *path)
{
	return !*path || !strcmp(path, "articles") ? REFRESH_ARTICLES
	       : !strcmp(path, "memories")	   ? REFRESH_MEMORIES
	       : !strcmp(path, "drafts")	   ? REFRESH_DRAFTS
	       : !strcmp(path, LAYOUT_SHARED)	   ? REFRESH_DRAFTS
						   : REFRESH_TRASH;
}

static struct refresh_folder *work_of(struct refresh *sw, size_t index)
{
	while (sw->nfolders <= index) {
		sw->folders = mem_grow(sw->folders, sw->nfolders,
				       &sw->capfolders, sizeof(*sw->folders));
		sw->folders[sw->nfolders++] =
			(struct refresh_folder){.dir = -1};
	}
	return &sw->folders[index];
}

/* The folder at PATH, known from now on. */
static size_t index_of(struct refresh *sw, const char *path)
{
	struct catalog_folder *f = catalog_find_folder(sw->side, path);

	if (!f)
		f = catalog_add_folder(sw->side, path);
	return (size_t)(f - sw->side->folders);
}

static bool is_same(const struct catalog_folder *f, const struct stat *st)
{
	const struct filestat now = filestat_of(st);

	return f->flags & CATALOG_KNOWN && !(f->flags & CATALOG_ABSENT) &&
	       f->dev == (uint64_t)st->st_dev && filestat_same(&f->st, &now);
}

int refresh_folder_is_same(struct repo *repo, const struct catalog_folder *f)
{
	struct stat st;
	const int r =
		f->flags & CATALOG_KNOWN ? layout_stat(repo, f->path, &st) : 2;

	if (r != 1)
		return r < 0 ? -1 : !r && f->flags & CATALOG_ABSENT;
	return S_ISDIR(st.st_mode) && is_same(f, &st);
}

/* What a listing goes through. */
struct visit {
	struct refresh *sw;
	const char *path; /* of the folder that is listed */
	uint32_t folder;
	bool trash;
	struct buf below; /* names of folders to visit, each with its NUL */
	uint64_t names;	  /* see stat_check_names() */
	int32_t max_id;	  /* of the markers of what is purged */
};

static int visit_name(void *ctx, const char *name, enum file_kind kind)
{
	struct visit *v = ctx;
	const size_t len = strlen(name);

	if (v->trash && kind == FILE_FOLDER && !layout_is_apart(name)) {
		buf_add(&v->below, name, len + 1);
		return 0;
	}
	if (!layout_is_memory(name))
		return 0;
	names_add(&v->sw->listing, v->folder, name, len);
	v->names += hash_bytes(name, len, v->sw->side->identity);
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

	if (file_walk(dir, v->path, fn, v, e) < 0)
		return -1;
	work_of(v->sw, v->folder)->listed = true;
	work_of(v->sw, v->folder)->names = v->names;
	work_of(v->sw, v->folder)->row.max_id = v->max_id;
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
static struct catalog_folder row_of(const struct refresh *sw,
				    const struct stat *st)
{
	struct catalog_folder row = {.dev = (uint64_t)st->st_dev,
				     .st = filestat_of(st),
				     .flags = CATALOG_KNOWN};

	if (!filestat_is_sure(&row.st, sw->intake.sure))
		row.flags |= CATALOG_UNSURE;
	return row;
}

/* Look at the folder PATH; in the trash, DEPTH levels down. */
static int visit(struct refresh *sw, const char *path, int depth, struct err *e)
{
	const size_t index = index_of(sw, path);
	struct visit v = {.sw = sw,
			  .path = path,
			  .folder = (uint32_t)index,
			  .trash = depth > 1};
	struct stat st;
	int dir, r;

	work_of(sw, index)->visited = true;
	r = layout_open(sw->repo, path, &dir, e);
	if (r == 0)
		absent(work_of(sw, index));
	if (r != 1)
		return r;
	if (fstat(dir, &st) < 0) {
		r = err_sys(e, "cannot look at '%s'", path);
	} else if (is_same(&sw->side->folders[index], &st) &&
		   !(sw->side->folders[index].flags & CATALOG_UNSURE)) {
		r = 0;
		if (depth > 1)
			catalog_below(sw->side, sw->tree, index, &v.below);
	} else {
		work_of(sw, index)->row = row_of(sw, &st);
		work_of(sw, index)->asked = !depth;
		sw->asked |= !depth;
		r = depth ? list(&v, dir, !strcmp(path, REFRESH_PURGED), e) : 0;
	}
	if (depth || r < 0)
		close(dir);
	else
		work_of(sw, index)->dir = dir;
	for (size_t at = 0; !r && at < v.below.len;
	     at += strlen(v.below.p + at) + 1) {
		struct buf below = {0};

		buf_addf(&below, "%s/%s", path, v.below.p + at);
		if (strcmp(below.p, REFRESH_PURGED) != 0)
			r = visit(sw, below.p, depth - 1, e);
		buf_release(&below);
	}
	buf_release(&v.below);
	return r;
}

/* List the folders of which that was asked. */
static int list_asked(struct refresh *sw, struct err *e)
{
	int r = 0;

	for (size_t i = 0; i < sw->nfolders && !r; i++) {
		struct visit v = {.sw = sw,
				  .path = sw->side->folders[i].path,
				  .folder = (uint32_t)i};

		if (sw->folders[i].asked)
			r = list(&v, sw->folders[i].dir, false, e);
	}
	return r;
}

/* The five files in knowledge/ itself are asked for one by one. */
static void visit_top(struct refresh *sw)
{
	const size_t index = index_of(sw, "");
	struct refresh_folder *work = work_of(sw, index);
	struct stat st;

	work->visited = true;
	work->listed = true;
	work->row.flags = CATALOG_KNOWN;
	for (size_t i = 0; i < LAYOUT_CATEGORIES; i++) {
		if (fstatat(sw->repo->fd, layout_categories[i], &st,
			    AT_SYMLINK_NOFOLLOW) == 0)
			names_add(&sw->listing, (uint32_t)index,
				  layout_categories[i],
				  strlen(layout_categories[i]));
	}
}

static int visit_all(struct refresh *sw, struct err *e)
{
	if (sw->what & REFRESH_TRASH)
		sw->tree = catalog_tree(sw->side);
	if ((sw->what & REFRESH_MEMORIES && visit(sw, "memories", 0, e) < 0) ||
	    (sw->what & REFRESH_DRAFTS &&
	     (visit(sw, "drafts", 0, e) < 0 ||
	      visit(sw, LAYOUT_SHARED, 0, e) < 0)) ||
	    (sw->what & REFRESH_TRASH &&
	     (visit(sw, "trash", TRASH_DEPTH, e) < 0 ||
	      visit(sw, REFRESH_PURGED, 1, e) < 0)))
		return -1;
	if (sw->what & REFRESH_ARTICLES) {
		visit_top(sw);
		if (visit(sw, "articles", 0, e) < 0)
			return -1;
	}
	/* What is known of the trash and was not met is gone. */
	for (size_t i = 0; i < sw->side->nfolders; i++) {
		struct refresh_folder *work = work_of(sw, i);

		if (work->visited || !(sw->what & REFRESH_TRASH) ||
		    sw->side->folders[i].flags & CATALOG_GONE ||
		    refresh_area(sw->side->folders[i].path) != REFRESH_TRASH)
			continue;
		work->visited = work->listed = true;
		work->row.flags = CATALOG_GONE;
	}
	return 0;
}

/* Describe the file NAME in folder INDEX: its path, in PATH, is absolute. */
static struct ingest_file describe(struct refresh *sw, size_t index,
				   const char *name, struct buf *path)
{
	const struct catalog_folder *f = &sw->side->folders[index];
	const struct refresh_folder *work = work_of(sw, index);
	struct ingest_file file = {.dir = work->dir,
				   .name = name,
				   .name_len = strlen(name),
				   .folder = (uint32_t)index,
				   .kind = refresh_kind(f->path)};

	buf_cut(path, 0);
	buf_addf(path, "%s%s%s/%s", sw->path, *f->path ? "/" : "", f->path,
		 name);
	file.path = path->p;
	if (work->dir < 0) {
		file.dir = sw->repo->fd;
		file.name = path->p + strlen(sw->path) + 1;
	}
	return file;
}

/* Entry I's file must be there, by its folder: look at it, but for what was
 * seen at a glance. */
static int look(struct refresh *sw, size_t i, struct buf *path, struct err *e)
{
	const struct catalog_entry *entry = catalog_entry(sw->side, i);
	const char *name = catalog_meta(sw->side, entry) + entry->place;
	const struct refresh_folder *work = work_of(sw, entry->folder);
	struct ingest_file file;
	struct filestat now;
	struct stat st;
	int r;

	sw->files++;
	if (stat_check_sight(&sw->glance, i) == STAT_CHECK_SAME)
		return 0;
	if (work->dir >= 0) {
		r = fstatat(work->dir, name, &st, AT_SYMLINK_NOFOLLOW);
	} else {
		file = describe(sw, entry->folder, name, path);
		r = fstatat(file.dir, file.name, &st, AT_SYMLINK_NOFOLLOW);
	}
	if (r < 0 && errno != ENOENT)
		return err_sys(e, "cannot look at '%s'", name);
	if (r < 0) {
		sw->gone++;
		ingest_gone(&sw->intake, i);
		return 0;
	}
	now = filestat_of(&st);
	if (filestat_same(&now, &entry->st) && !(entry->flags & CATALOG_UNSURE))
		return 0;
	file = describe(sw, entry->folder, name, path);
	if (!ingest_file(&sw->intake, &file, &st, i))
		sw->gone++;
	return 0;
}

/* Entry I's file, by what its folder's names say. */
static int look_up(struct refresh *sw, size_t i, struct buf *path,
		   struct err *e)
{
	const struct catalog_entry *entry = catalog_entry(sw->side, i);
	const struct refresh_folder *work;
	struct names_entry *name;

	if (entry->flags & CATALOG_GONE || entry->kind == CATALOG_SECTION)
		return 0;
	work = work_of(sw, entry->folder);
	if (!work->visited)
		return 0;
	if (work->listed && !work->stayed) {
		name = names_find(&sw->listing, entry->folder,
				  catalog_meta(sw->side, entry) + entry->place);
		if (!name || name->seen) {
			sw->gone++;
			ingest_gone(&sw->intake, i);
			return 0;
		}
		name->seen = true;
	}
	return look(sw, i, path, e);
}

/* Have what was read written, if that is much. */
static int ease(struct refresh *sw, struct err *e)
{
	if (!sw->spill ||
	    sw->side->fresh.len - sw->side->flushed <= REFRESH_SPILL)
		return 0;
	ingest_reset(&sw->intake);
	return sw->spill(sw, e);
}

/* A name that was not known. */
static int take(struct refresh *sw, const struct names_entry *name,
		struct buf *path, struct err *e)
{
	const struct ingest_file file =
		describe(sw, name->folder, name->name, path);
	struct stat st;

	if (fstatat(file.dir, file.name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT
			       ? 0
			       : err_sys(e, "cannot look at '%s'", file.path);
	sw->files++;
	ingest_file(&sw->intake, &file, &st, INGEST_NONE);
	return ease(sw, e);
}

/* Now that all is read, the names of the folders are known. */
static void settle(struct refresh *sw)
{
	for (size_t i = 0; i < sw->nfolders; i++) {
		const struct refresh_folder *work = &sw->folders[i];
		struct catalog_folder *f = &sw->side->folders[i], row;

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

/* What each thread of a glance is to know of the folders; yours. */
static int *dirs_of(struct refresh *sw)
{
	int *dirs = mem_resize(NULL, sw->side->nfolders, sizeof(*dirs));

	for (size_t i = 0; i < sw->side->nfolders; i++) {
		const struct refresh_folder *work = work_of(sw, i);

		dirs[i] = !work->visited  ? STAT_CHECK_NOBODY
			  : work->dir < 0 ? STAT_CHECK_SKIP
					  : work->dir;
	}
	return dirs;
}

/* Learn which names there are, and glance at those that are known.  Most often
 * they are the same: a file was put in the place of another. */
static int glance(struct refresh *sw, struct err *e)
{
	int r, *dirs = dirs_of(sw);

	stat_check_begin(&sw->glance, sw->side, dirs, sw->asked);
	r = list_asked(sw, e);
	stat_check_end(&sw->glance);
	for (size_t i = 0; !r && i < sw->nfolders; i++) {
		struct refresh_folder *work = &sw->folders[i];

		if (!work->asked ||
		    stat_check_names(&sw->glance, i) != work->names)
			continue;
		work->stayed = true;
		names_forget(&sw->listing, (uint32_t)i);
	}
	free(dirs);
	return r;
}

/* Whatever is known: look at what a glance did not settle. */
static int look_at_all(struct refresh *sw, bool *damaged, struct buf *path,
		       struct err *e)
{
	const size_t n = catalog_count(sw->side);

	for (size_t i = 0; i < n; i++) {
		if (stat_check_sight(&sw->glance, i) == STAT_CHECK_IDLE)
			continue;
		if (stat_check_sight(&sw->glance, i) == STAT_CHECK_NONE &&
		    !catalog_check(sw->side, catalog_entry(sw->side, i))) {
			*damaged = true;
			return err_set(e, ERR_DATA, "a damaged cache");
		}
		if (look_up(sw, i, path, e) < 0 || ease(sw, e) < 0)
			return -1;
	}
	return 0;
}

int refresh_run(struct refresh *sw, bool *damaged, struct err *e)
{
	struct buf path = {0};
	int r = -1;

	sw->intake.side = sw->side;
	sw->intake.sure = filestat_sure(sw->repo->fd);
	if (visit_all(sw, e) < 0 || glance(sw, e) < 0 ||
	    look_at_all(sw, damaged, &path, e) < 0)
		goto out;
	names_sort_unseen(&sw->listing);
	r = 0;
	for (size_t i = 0; i < sw->listing.n && !r; i++)
		r = take(sw, &sw->listing.names[i], &path, e);
	if (!r)
		settle(sw);
out:
	buf_release(&path);
	return r;
}

void refresh_release(struct refresh *sw)
{
	for (size_t i = 0; i < sw->nfolders; i++) {
		if (sw->folders[i].dir >= 0)
			close(sw->folders[i].dir);
	}
	free(sw->folders);
	free(sw->tree);
	names_release(&sw->listing);
	stat_check_release(&sw->glance);
	ingest_release(&sw->intake);
}
