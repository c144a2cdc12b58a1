/* stat-check.c: check the stat of many files in threads.
 *
 * Each thread has its own descriptors: the system counts the users of a
 * descriptor, and threads that share one wait for each other, a fifth longer in
 * all. If a numbered directory has several files in a row, a thread opens it,
 * which saves the system one path component for each file.
 */
#include "cache/stat-check.h"

#include "base/hash.h"

#include <fcntl.h>

/* Below this number of files, starting a thread takes longer. */
#define LEAST 768

/* The last numbered directory of a thread; fd is -1 if it is not open. */
struct numbered_dir {
	uint32_t folder;
	int fd;
};

/* Open in LAST the numbered directory FOLDER of entry I if the next entry is
 * there too. PARENT is its parent, and NAME begins with its number. Return true
 * if LAST has FOLDER open. */
static bool open_numbered(const struct stat_check *g, struct numbered_dir *last,
			  size_t i, uint32_t folder, int parent,
			  const char *name)
{
	const char number[] = {name[0], name[1], '\0'};

	if (last->folder == folder)
		return last->fd >= 0;
	if (i + 1 >= catalog_count(g->catalog) ||
	    catalog_entry(g->catalog, i + 1)->folder != folder)
		return false;
	file_close(last->fd);
	*last = (struct numbered_dir){
		folder, file_open(parent, number,
				  O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0)};
	return last->fd >= 0;
}

static enum stat_check_state check_file(const struct stat_check *g,
					const int *dirs, size_t i,
					struct numbered_dir *last, bool *whole)
{
	const struct catalog_entry *e = catalog_entry(g->catalog, i);
	const char *name;
	struct filestat now;
	struct stat st;
	int dir;

	*whole = catalog_check(g->catalog, e);
	if (!*whole)
		return STAT_CHECK_NONE;
	if (e->flags & CATALOG_GONE || e->kind == CATALOG_SECTION ||
	    dirs[e->folder] == STAT_CHECK_NOBODY)
		return STAT_CHECK_IDLE;
	dir = dirs[e->folder];
	name = catalog_meta(g->catalog, e) + e->place;
	if (dir < STAT_CHECK_NOBODY) {
		dir = dirs[STAT_CHECK_BELOW(0) - dir];
		if (dir >= 0 && open_numbered(g, last, i, e->folder, dir,
					      name - STAT_CHECK_NAME))
			dir = last->fd;
		else
			name -= STAT_CHECK_NAME;
	}
	if (dir < 0 || e->flags & CATALOG_UNSURE ||
	    fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return STAT_CHECK_NONE;
	now = filestat_of(&st);
	return filestat_same(&now, &e->st) ? STAT_CHECK_SAME
	       : S_ISREG(st.st_mode)	   ? STAT_CHECK_OTHER
					   : STAT_CHECK_NONE;
}

/* A sum of names of one directory, added to the shared one at its end: threads
 * that write to one place wait for each other. */
struct name_sum {
	uint32_t folder;
	uint64_t names;
};

static void add_sum(struct stat_check *g, struct name_sum *sum)
{
	if (sum->names)
		atomic_fetch_add(&g->names[sum->folder], sum->names);
	sum->names = 0;
}

static void add_name(struct stat_check *g, struct name_sum *sum, size_t i)
{
	const struct catalog_entry *e = catalog_entry(g->catalog, i);
	const char *name = catalog_meta(g->catalog, e) + e->place;

	if (e->flags & CATALOG_GONE || e->kind == CATALOG_SECTION)
		return;
	if (sum->folder != e->folder)
		add_sum(g, sum);
	sum->folder = e->folder;
	sum->names += hash_bytes(name, strlen(name), g->catalog->identity);
}

static void check_range(void *ctx, unsigned who, size_t from, size_t to)
{
	struct stat_check *g = ctx;
	const int *dirs = who ? g->own + (who - 1) * g->nfolders : g->dirs;
	struct numbered_dir last = {UINT32_MAX, -1};
	struct name_sum sum = {0, 0};

	for (size_t i = from; i < to; i++) {
		bool whole;

		catalog_expect(g->catalog, i);
		g->state[i] =
			(unsigned char)check_file(g, dirs, i, &last, &whole);
		if (g->naming && whole)
			add_name(g, &sum, i);
	}
	add_sum(g, &sum);
	file_close(last.fd);
}

/* Open all directories again for each additional thread. */
static void open_own_dirs(struct stat_check *g)
{
	const size_t n = g->nfolders;

	g->own = mem_alloc((PARALLEL_MAX - 1) * n * sizeof(*g->own));
	for (size_t i = 0; i < (PARALLEL_MAX - 1) * n; i++) {
		const int dir = g->dirs[i % n];

		g->own[i] = dir < 0 ? dir
				    : file_open(dir, ".",
						O_RDONLY | O_DIRECTORY, 0);
	}
}

void stat_check_begin(struct stat_check *g, const struct catalog *catalog,
		      const int *dirs, bool naming)
{
	const size_t n = catalog_count(catalog);

	*g = (struct stat_check){.catalog = catalog,
				 .dirs = dirs,
				 .nfolders = catalog->nfolders,
				 .naming = naming};
	g->state = mem_alloc(n);
	g->names = mem_alloc(g->nfolders * sizeof(*g->names));
	if (n >= LEAST)
		open_own_dirs(g);
	parallel_begin(&g->threads, check_range, g, n, LEAST);
}

void stat_check_end(struct stat_check *g)
{
	parallel_end(&g->threads);
	for (size_t i = 0; g->own && i < (PARALLEL_MAX - 1) * g->nfolders;
	     i++) {
		file_close(g->own[i]);
	}
	free(g->own);
	g->own = NULL;
}

uint64_t stat_check_names(const struct stat_check *g, size_t folder)
{
	return atomic_load(&g->names[folder]);
}

void stat_check_release(struct stat_check *g)
{
	free(g->state);
	free(g->names);
}
