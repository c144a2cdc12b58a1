/* refresh.c: bring a catalog up to date in four steps.
 *
 * 1. Check each directory. 2. Check the stat of all known files in threads,
 * while changed directories are listed. 3. In one pass, read the known files
 * that changed. 4. Add new files in the order of their ids, so that numbers of
 * documents mostly follow ids.
 *
 * Files are reached through the descriptor of their directory. Those in the
 * many directories of the trash, where only ids count, are reached by their
 * path from knowledge/.
 */
#include "cache/refresh.h"

#include "base/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define REFRESH_PURGED LAYOUT_TRASH "/" LAYOUT_PURGED
#define REFRESH_SPILL ((size_t)3 * 1024 * 1024)
#define TRASH_DEPTH 3 /* trash, a removal, its drafts */

enum catalog_update_kind refresh_kind(const char *path)
{
	return !*path				? CATALOG_UPDATE_CATEGORY
	       : !strcmp(path, LAYOUT_ARTICLES) ? CATALOG_UPDATE_ARTICLE
	       : layout_is_memories(path)	? CATALOG_UPDATE_MEMORY
						: CATALOG_UPDATE_ID;
}

unsigned refresh_area(const char *path)
{
	return !*path || !strcmp(path, LAYOUT_ARTICLES) ? REFRESH_ARTICLES
	       : layout_is_memories(path)		? REFRESH_MEMORIES
	       : !strcmp(path, LAYOUT_ARCHIVE)		? REFRESH_ARCHIVE
	       : !strcmp(path, LAYOUT_DRAFTS)		? REFRESH_DRAFTS
	       : !strcmp(path, LAYOUT_SHARED)		? REFRESH_DRAFTS
							: REFRESH_TRASH;
}

/* The names found in directories are first added and forgotten, then found, then
 * sorted. */

/* Add NAME of LEN bytes; it is copied. */
static void add_name(struct names *l, uint32_t folder, uint32_t group,
		     const char *name, size_t len)
{
	*MEM_ADD(l->names, l->n, l->cap) = (struct names_entry){
		arena_copy(&l->arena, name, len), folder, group, false};
}

static void index_names(struct names *l)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct names_entry *at = &l->names[i];

		table_put(&l->table, at->name, strlen(at->name), at->folder, i);
	}
}

/* Return NAME in FOLDER, or NULL. The first call ends the adding. */
static struct names_entry *find_name(struct names *l, uint32_t folder,
				     const char *name)
{
	struct table_look k;
	size_t i;

	if (!l->table.n)
		index_names(l);
	k = table_look(&l->table, name, strlen(name), folder);
	while (table_next(&k, &i)) {
		struct names_entry *found = &l->names[i];

		if (found->folder == folder && !strcmp(found->name, name))
			return found;
	}
	return NULL;
}

/* Remove all names of FOLDER. Only before the first find_name(). */
static void forget_names(struct names *l, uint32_t folder)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (l->names[i].folder != folder)
			l->names[n++] = l->names[i];
	}
	l->n = n;
}

/* Compare the leading digits as numbers of any length. */
static int compare_digits(const char *a, const char *b)
{
	size_t m, n;

	a += strspn(a, "0");
	b += strspn(b, "0");
	m = strspn(a, "0123456789");
	n = strspn(b, "0123456789");
	if (m != n)
		return m < n ? -1 : 1;
	return strncmp(a, b, m);
}

static int compare_names(const void *a, const void *b)
{
	const struct names_entry *x = a, *y = b;
	int r;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	r = compare_digits(x->name, y->name);
	if (!r)
		r = strcmp(x->name, y->name);
	return r ? r : (x->folder > y->folder) - (x->folder < y->folder);
}

/* Remove the names that were seen, and sort `names` by group, leading number,
 * name, folder. This ends the lookups. */
static void sort_unseen(struct names *l)
{
	size_t n = 0;

	table_release(&l->table);
	for (size_t i = 0; i < l->n; i++) {
		if (!l->names[i].seen)
			l->names[n++] = l->names[i];
	}
	l->n = n;
	MEM_SORT(l->names, l->n, compare_names);
}

static struct refresh_folder *folder_work(struct refresh *rf, size_t index)
{
	while (rf->nfolders <= index) {
		*MEM_ADD(rf->folders, rf->nfolders, rf->capfolders) =
			(struct refresh_folder){.dir = -1};
	}
	return &rf->folders[index];
}

/* Return the index of the directory PATH; add it if it is new. */
static size_t folder_index(struct refresh *rf, const char *path)
{
	struct catalog_folder *f = catalog_find_folder(rf->catalog, path);

	if (!f)
		f = catalog_add_folder(rf->catalog, path);
	return (size_t)(f - rf->catalog->folders);
}

static bool is_folder_unchanged(const struct catalog_folder *f,
				const struct stat *st)
{
	const struct filestat now = filestat_of(st);

	return f->flags & CATALOG_KNOWN && !(f->flags & CATALOG_ABSENT) &&
	       f->dev == (uint64_t)st->st_dev && filestat_same(&f->st, &now);
}

bool refresh_folder_is(const struct catalog_folder *f, const struct stat *st)
{
	return S_ISDIR(st->st_mode) && is_folder_unchanged(f, st);
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

/* There are many of them, so each is checked by its name in memories/. */
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
		if (dir < 0 &&
		    layout_open(repo, LAYOUT_MEMORIES, &dir, NULL) != 1)
			return false;
		if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
			same = refresh_folder_is(f, &st);
		else
			same = errno == ENOENT && f->flags & CATALOG_ABSENT;
	}
	file_close(dir);
	return same;
}

/* The state of listing one directory. */
struct folder_listing {
	struct refresh *rf;
	const char *path; /* of the directory that is listed */
	uint32_t folder;
	uint32_t group; /* see struct names_entry */
	bool trash;
	bool numbered;	  /* this is memories/, which has numbered ones */
	struct buf below; /* names of directories to visit, each with its NUL */
	uint64_t names;	  /* see stat_check_names() */
	int32_t max_id;	  /* of the markers of purged memories */
};

static int add_listed_name(void *ctx, const char *name, enum file_kind kind)
{
	struct folder_listing *v = ctx;
	const size_t len = strlen(name);

	if (kind == FILE_FOLDER &&
	    ((v->trash && !layout_is_apart(name)) ||
	     (v->numbered && layout_is_numbered(name)))) {
		buf_add(&v->below, name, len + 1);
		return 0;
	}
	if (!layout_is_memory(name))
		return 0;
	add_name(&v->rf->names, v->folder, v->group, name, len);
	v->names += hash_bytes(name, len, v->rf->catalog->identity);
	return 0;
}

static int read_marker(void *ctx, const char *name, enum file_kind kind)
{
	struct folder_listing *v = ctx;
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

/* List the open directory DIR. */
static int list_folder(struct folder_listing *v, int dir, bool purged,
		       struct err *e)
{
	file_walk_fn *fn = purged ? read_marker : add_listed_name;
	struct arena a = {0};
	const int r =
		file_walk(dir, layout_path(v->rf->repo, v->path, &a), fn, v, e);

	arena_release(&a);
	if (r < 0)
		return -1;
	folder_work(v->rf, v->folder)->listed = true;
	folder_work(v->rf, v->folder)->names = v->names;
	folder_work(v->rf, v->folder)->row.max_id = v->max_id;
	return 0;
}

/* Record that the directory does not exist. */
static void set_absent(struct refresh_folder *work)
{
	work->listed = true;
	work->row = (struct catalog_folder){.flags = CATALOG_KNOWN |
						     CATALOG_ABSENT};
}

/* Return the new state of the directory ST. Its stat was taken before its files
 * were looked at, so a file replaced later changes the directory again. */
static struct catalog_folder folder_row(const struct refresh *rf,
					const struct stat *st)
{
	struct catalog_folder row = {.dev = (uint64_t)st->st_dev,
				     .st = filestat_of(st),
				     .flags = CATALOG_KNOWN};

	if (!filestat_is_sure(&row.st, rf->update.sure))
		row.flags |= CATALOG_UNSURE;
	return row;
}

/* Check the directory of V. If it is one of MANY (in the trash, or numbered),
 * list it if it changed, and close it. Otherwise keep its descriptor, and note
 * in `asked` that it must be listed. */
static int check_folder(struct folder_listing *v, bool many, struct err *e)
{
	struct refresh *rf = v->rf;
	const size_t index = v->folder;
	struct refresh_folder *work = folder_work(rf, index);
	const struct catalog_folder *f = &rf->catalog->folders[index];
	struct stat st;
	int dir, r = 0;

	/* Open one of many only if it changed. */
	if (many && !(f->flags & (CATALOG_UNSURE | CATALOG_ABSENT)) &&
	    refresh_folder_is_same(rf->repo, f) == 1)
		return 0;
	r = layout_open(rf->repo, v->path, &dir, e);
	if (r == 0)
		set_absent(work);
	if (r != 1)
		return r;
	r = 0;
	if (fstat(dir, &st) < 0) {
		r = err_sys(e, "cannot look at '%s/%s'", rf->path, v->path);
	} else if (!is_folder_unchanged(f, &st) || f->flags & CATALOG_UNSURE) {
		work->row = folder_row(rf, &st);
		work->asked = !many;
		rf->asked |= !many;
		r = many ? list_folder(v, dir, !strcmp(v->path, REFRESH_PURGED),
				       e)
			 : 0;
	}
	if (many || r < 0)
		close(dir);
	else
		work->dir = dir;
	return r;
}

/* Check the directory PATH. DEPTH: 0 for one whose descriptor is kept, 1 for a
 * numbered one, more for so many levels in the trash. */
static int visit_folder(struct refresh *rf, const char *path, int depth,
			struct err *e)
{
	const size_t index = folder_index(rf, path);
	const bool numbered = layout_number(path) >= 0;
	struct folder_listing v = {
		.rf = rf,
		.path = path,
		.folder = (uint32_t)index,
		/* All random ids share one order. */
		.group = (uint32_t)(numbered ? folder_index(rf, LAYOUT_MEMORIES)
					     : index),
		.trash = depth > 1};
	int r;

	folder_work(rf, index)->visited = true;
	r = check_folder(&v, depth > 0, e);
	if (!r && depth > 1 && !folder_work(rf, index)->listed)
		catalog_below(rf->catalog, rf->tree, index, &v.below);
	for (size_t at = 0; !r && at < v.below.len;
	     at += strlen(v.below.p + at) + 1) {
		struct buf below = {0};

		buf_addf(&below, "%s/%s", path, v.below.p + at);
		if (strcmp(below.p, REFRESH_PURGED) != 0)
			r = visit_folder(rf, below.p, depth - 1, e);
		buf_release(&below);
	}
	buf_release(&v.below);
	return r;
}

/* Check memories/ and the known directories in it. */
static int visit_memories(struct refresh *rf, struct err *e)
{
	const size_t known = rf->catalog->nfolders;
	int r = visit_folder(rf, LAYOUT_MEMORIES, 0, e);

	for (size_t i = 0; i < known && !r; i++) {
		const char *path = rf->catalog->folders[i].path;

		if (layout_number(path) >= 0)
			r = visit_folder(rf, path, 1, e);
	}
	return r;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Check the directories that the list V of memories/ has and that are new,
 * sorted, so that the catalog has the order of ids, as most readers want it. */
static int visit_numbered(struct folder_listing *v, struct err *e)
{
	const size_t size = sizeof("00");
	int r = 0;

	if (v->below.len)
		qsort(v->below.p, v->below.len / size, size, by_name);
	for (size_t at = 0; !r && at < v->below.len;
	     at += strlen(v->below.p + at) + 1) {
		char path[16];

		snprintf(path, sizeof(path), LAYOUT_MEMORIES "/%.2s",
			 v->below.p + at);
		if (!folder_work(v->rf, folder_index(v->rf, path))->visited)
			r = visit_folder(v->rf, path, 1, e);
	}
	return r;
}

/* List the directories that must be listed. */
static int list_asked(struct refresh *rf, struct err *e)
{
	const size_t n = rf->nfolders;
	int r = 0;

	for (size_t i = 0; i < n && !r; i++) {
		struct folder_listing v = {.rf = rf,
					   .path = rf->catalog->folders[i].path,
					   .folder = (uint32_t)i,
					   .group = (uint32_t)i};

		v.numbered = !strcmp(v.path, LAYOUT_MEMORIES);
		if (rf->folders[i].asked)
			r = list_folder(&v, rf->folders[i].dir, false, e);
		if (!r)
			r = visit_numbered(&v, e);
		buf_release(&v.below);
	}
	return r;
}

/* The category files in knowledge/ are checked one by one. */
static void visit_top(struct refresh *rf)
{
	const size_t index = folder_index(rf, "");
	struct refresh_folder *work = folder_work(rf, index);
	struct stat st;

	work->visited = true;
	work->listed = true;
	work->row.flags = CATALOG_KNOWN;
	for (size_t i = 0; i < LAYOUT_CATEGORIES; i++) {
		if (fstatat(rf->repo->fd, layout_categories[i], &st,
			    AT_SYMLINK_NOFOLLOW) == 0)
			add_name(&rf->names, (uint32_t)index, (uint32_t)index,
				 layout_categories[i],
				 strlen(layout_categories[i]));
	}
}

/* Check articles/. If it is a link or no directory, go on without its files. */
static int visit_articles(struct refresh *rf, struct err *e)
{
	struct err why;

	if (visit_folder(rf, LAYOUT_ARTICLES, 0, &why) == 0)
		return 0;
	if (why.code != ERR_DATA)
		return err_take(e, &why);
	set_absent(folder_work(rf, folder_index(rf, LAYOUT_ARTICLES)));
	rf->update.failed++;
	return 0;
}

static int visit_all(struct refresh *rf, struct err *e)
{
	if (rf->what & REFRESH_TRASH)
		rf->tree = catalog_tree(rf->catalog);
	if ((rf->what & REFRESH_MEMORIES && visit_memories(rf, e) < 0) ||
	    (rf->what & REFRESH_ARCHIVE &&
	     visit_folder(rf, LAYOUT_ARCHIVE, 0, e) < 0) ||
	    (rf->what & REFRESH_DRAFTS &&
	     (visit_folder(rf, LAYOUT_DRAFTS, 0, e) < 0 ||
	      visit_folder(rf, LAYOUT_SHARED, 0, e) < 0)) ||
	    (rf->what & REFRESH_TRASH &&
	     (visit_folder(rf, LAYOUT_TRASH, TRASH_DEPTH, e) < 0 ||
	      visit_folder(rf, REFRESH_PURGED, 1, e) < 0)))
		return -1;
	if (rf->what & REFRESH_ARTICLES) {
		visit_top(rf);
		if (visit_articles(rf, e) < 0)
			return -1;
	}
	/* Directories of the trash that were not met are gone. */
	for (size_t i = 0; i < rf->catalog->nfolders; i++) {
		struct refresh_folder *work = folder_work(rf, i);

		if (work->visited || !(rf->what & REFRESH_TRASH) ||
		    rf->catalog->folders[i].flags & CATALOG_GONE ||
		    refresh_area(rf->catalog->folders[i].path) != REFRESH_TRASH)
			continue;
		work->visited = work->listed = true;
		work->row.flags = CATALOG_GONE;
	}
	return 0;
}

/* Describe the file NAME in the directory INDEX. PATH receives its absolute
 * path, which the result borrows. */
static struct catalog_update_file describe_file(struct refresh *rf,
						size_t index, const char *name,
						struct buf *path)
{
	const struct catalog_folder *f = &rf->catalog->folders[index];
	const struct refresh_folder *work = folder_work(rf, index);
	struct catalog_update_file file = {.dir = work->dir,
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

/* Check the file of entry I, which its directory has, unless stat_check found
 * it unchanged. */
static int check_file(struct refresh *rf, size_t i, struct buf *path,
		      struct err *e)
{
	const struct catalog_entry *entry = catalog_entry(rf->catalog, i);
	const char *name = catalog_meta(rf->catalog, entry) + entry->place;
	const struct refresh_folder *work = folder_work(rf, entry->folder);
	struct catalog_update_file file;
	struct filestat now;
	struct stat st;
	int r;

	if (stat_check_state(&rf->check, i) == STAT_CHECK_SAME)
		return 0;
	if (stat_check_state(&rf->check, i) == STAT_CHECK_OTHER) {
		file = describe_file(rf, entry->folder, name, path);
		r = catalog_update_file(&rf->update, &file, NULL, i);
		rf->gone += !r;
		if (r >= 0)
			return 0;
	}
	if (work->dir >= 0) {
		r = fstatat(work->dir, name, &st, AT_SYMLINK_NOFOLLOW);
	} else {
		file = describe_file(rf, entry->folder, name, path);
		r = fstatat(file.dir, file.name, &st, AT_SYMLINK_NOFOLLOW);
	}
	if (r < 0 && errno != ENOENT)
		return err_sys(e, "cannot look at '%s/%s/%s'", rf->path,
			       rf->catalog->folders[entry->folder].path, name);
	if (r < 0) {
		rf->gone++;
		catalog_update_gone(&rf->update, i);
		return 0;
	}
	now = filestat_of(&st);
	if (filestat_same(&now, &entry->st) && !(entry->flags & CATALOG_UNSURE))
		return 0;
	file = describe_file(rf, entry->folder, name, path);
	if (!catalog_update_file(&rf->update, &file, &st, i))
		rf->gone++;
	return 0;
}

/* Check entry I: its file is gone if its directory was listed without its
 * name. */
static int check_entry(struct refresh *rf, size_t i, struct buf *path,
		       struct err *e)
{
	const struct catalog_entry *entry = catalog_entry(rf->catalog, i);
	const struct refresh_folder *work;
	struct names_entry *name;

	if (entry->flags & CATALOG_GONE || entry->kind == CATALOG_SECTION)
		return 0;
	work = folder_work(rf, entry->folder);
	if (!work->visited)
		return 0;
	if (work->listed && !work->stayed) {
		name = find_name(&rf->names, entry->folder,
				 catalog_meta(rf->catalog, entry) +
					 entry->place);
		if (!name || name->seen) {
			rf->gone++;
			catalog_update_gone(&rf->update, i);
			return 0;
		}
		name->seen = true;
	}
	return check_file(rf, i, path, e);
}

/* Spill what was read if it is large. */
static int spill_if_large(struct refresh *rf, struct err *e)
{
	if (!rf->spill ||
	    rf->catalog->fresh.len - rf->catalog->flushed <= REFRESH_SPILL)
		return 0;
	catalog_update_reset(&rf->update);
	return rf->spill(rf, e);
}

/* Add the new file NAME. */
static int add_new_file(struct refresh *rf, const struct names_entry *name,
			struct buf *path, struct err *e)
{
	const struct catalog_update_file file =
		describe_file(rf, name->folder, name->name, path);
	struct stat st;

	if (fstatat(file.dir, file.name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT
			       ? 0
			       : err_sys(e, "cannot look at '%s'", file.path);
	catalog_update_file(&rf->update, &file, &st, CATALOG_UPDATE_NONE);
	return spill_if_large(rf, e);
}

/* Record the new state of the directories, after all files were read. */
static void update_folders(struct refresh *rf)
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

/* Return an array with the descriptor of each directory, or what stat_check
 * uses instead. The caller frees it. */
static int *check_dirs(struct refresh *rf)
{
	int *dirs = mem_resize(NULL, rf->catalog->nfolders, sizeof(*dirs));
	size_t memories = 0;

	for (size_t i = 0; i < rf->catalog->nfolders; i++) {
		const struct refresh_folder *work = folder_work(rf, i);
		const char *path = rf->catalog->folders[i].path;

		if (!strcmp(path, LAYOUT_MEMORIES))
			memories = i;
		dirs[i] = !work->visited   ? STAT_CHECK_NOBODY
			  : work->dir >= 0 ? work->dir
			  : layout_number(path) >= 0
				  ? STAT_CHECK_BELOW(memories)
				  : STAT_CHECK_SKIP;
	}
	return dirs;
}

/* List the directories and check the stat of all known files. Forget the names
 * of a directory that lists what it had: most often, a file there was
 * replaced. */
static int check_stats(struct refresh *rf, struct err *e)
{
	const size_t n = rf->catalog->nfolders;
	int r, *dirs = check_dirs(rf);

	stat_check_begin(&rf->check, rf->catalog, dirs, rf->asked);
	r = list_asked(rf, e);
	stat_check_end(&rf->check);
	for (size_t i = 0; !r && i < rf->nfolders; i++) {
		struct refresh_folder *work = &rf->folders[i];

		if (!work->asked ||
		    stat_check_names(&rf->check, i) != work->names)
			continue;
		work->stayed = true;
		forget_names(&rf->names, (uint32_t)i);
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

/* Check the files that stat_check did not find unchanged. */
static int check_entries(struct refresh *rf, bool *damaged, struct buf *path,
			 struct err *e)
{
	const size_t n = catalog_count(rf->catalog);

	for (size_t i = 0; i < n; i++) {
		if (stat_check_state(&rf->check, i) == STAT_CHECK_IDLE)
			continue;
		/* The usual case: the entry need not be read again. */
		if (stat_check_state(&rf->check, i) == STAT_CHECK_SAME &&
		    !rf->named)
			continue;
		if (stat_check_state(&rf->check, i) == STAT_CHECK_NONE &&
		    !catalog_check(rf->catalog,
				   catalog_entry(rf->catalog, i))) {
			*damaged = true;
			return err_set(e, ERR_DATA, "a damaged cache");
		}
		if (check_entry(rf, i, path, e) < 0 ||
		    spill_if_large(rf, e) < 0)
			return -1;
	}
	return 0;
}

int refresh_run(struct refresh *rf, bool *damaged, struct err *e)
{
	struct buf path = {0};
	int r = -1;

	rf->update.catalog = rf->catalog;
	rf->update.sure = filestat_sure(rf->repo->fd);
	if (visit_all(rf, e) < 0 || check_stats(rf, e) < 0 ||
	    check_entries(rf, damaged, &path, e) < 0)
		goto out;
	sort_unseen(&rf->names);
	r = 0;
	for (size_t i = 0; i < rf->names.n && !r; i++)
		r = add_new_file(rf, &rf->names.names[i], &path, e);
	if (!r)
		update_folders(rf);
out:
	buf_release(&path);
	return r;
}

void refresh_release(struct refresh *rf)
{
	for (size_t i = 0; i < rf->nfolders; i++) {
		file_close(rf->folders[i].dir);
	}
	free(rf->folders);
	free(rf->tree);
	free(rf->names.names);
	table_release(&rf->names.table);
	arena_release(&rf->names.arena);
	stat_check_release(&rf->check);
	catalog_update_release(&rf->update);
}
