/* stat-check.c: each thread has descriptors of its own, since each question
 * asked through one counts its users, and processors that count in the same
 * place wait for one another: it takes a fifth longer.
 */
#include "cache/stat-check.h"

#include "base/hash.h"
#include "sys/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Fewer are asked about sooner than a thread is started. */
#define LEAST 768

static enum stat_check_sight sight_of(const struct stat_check *g,
				      const int *dirs, size_t i, bool *whole)
{
	const struct catalog_entry *e = catalog_entry(g->side, i);
	struct filestat now;
	struct stat st;

	*whole = catalog_check(g->side, e);
	if (!*whole)
		return STAT_CHECK_NONE;
	if (e->flags & CATALOG_GONE || e->kind == CATALOG_SECTION ||
	    dirs[e->folder] == STAT_CHECK_NOBODY)
		return STAT_CHECK_IDLE;
	if (dirs[e->folder] == STAT_CHECK_SKIP || e->flags & CATALOG_UNSURE ||
	    fstatat(dirs[e->folder], catalog_meta(g->side, e) + e->place, &st,
		    AT_SYMLINK_NOFOLLOW) < 0)
		return STAT_CHECK_NONE;
	now = filestat_of(&st);
	return filestat_same(&now, &e->st) ? STAT_CHECK_SAME : STAT_CHECK_NONE;
}

/* Names that are summed up, of one folder at a time: one place for all would
 * make the threads wait for one another. */
struct sum {
	uint32_t folder;
	uint64_t names;
};

static void add_sum(struct stat_check *g, struct sum *sum)
{
	if (sum->names)
		atomic_fetch_add(&g->names[sum->folder], sum->names);
	sum->names = 0;
}

static void add_name(struct stat_check *g, struct sum *sum, size_t i)
{
	const struct catalog_entry *e = catalog_entry(g->side, i);
	const char *name = catalog_meta(g->side, e) + e->place;

	if (e->flags & CATALOG_GONE || e->kind == CATALOG_SECTION)
		return;
	if (sum->folder != e->folder)
		add_sum(g, sum);
	sum->folder = e->folder;
	sum->names += hash_bytes(name, strlen(name), g->side->identity);
}

static void look(void *ctx, unsigned who, size_t from, size_t to)
{
	struct stat_check *g = ctx;
	const int *dirs = who ? g->own + (who - 1) * g->nfolders : g->dirs;
	struct sum sum = {0, 0};

	for (size_t i = from; i < to; i++) {
		bool whole;

		g->sight[i] = (unsigned char)sight_of(g, dirs, i, &whole);
		if (g->naming && whole)
			add_name(g, &sum, i);
	}
	add_sum(g, &sum);
}

/* Open the folders once more for each of the others. */
static void open_again(struct stat_check *g)
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

void stat_check_begin(struct stat_check *g, const struct catalog *side,
		      const int *dirs, bool naming)
{
	const size_t n = catalog_count(side);

	*g = (struct stat_check){.side = side,
				 .dirs = dirs,
				 .nfolders = side->nfolders,
				 .naming = naming};
	g->sight = mem_alloc(n);
	g->names = mem_alloc(g->nfolders * sizeof(*g->names));
	if (n >= LEAST)
		open_again(g);
	parallel_begin(&g->crew, look, g, n, LEAST);
}

void stat_check_end(struct stat_check *g)
{
	parallel_end(&g->crew);
	for (size_t i = 0; g->own && i < (PARALLEL_MAX - 1) * g->nfolders;
	     i++) {
		if (g->own[i] >= 0)
			close(g->own[i]);
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
	free(g->sight);
	free(g->names);
}
