/* glance.c: each thread has descriptors of its own, since each question asked
 * through one counts its users, and processors that count in the same place
 * wait for one another: it takes a fifth longer.
 */
#include "glance.h"

#include "file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Fewer are asked about sooner than a thread is started. */
#define LEAST 768

static enum glance_sight sight_of(const struct glance *g, const int *dirs,
				  size_t i)
{
	const struct sidecar_entry *e = sidecar_entry(g->side, i);
	struct filestat now;
	struct stat st;

	if (!sidecar_check(g->side, e))
		return GLANCE_NONE;
	if (e->flags & SIDECAR_GONE || e->kind == SIDECAR_SECTION ||
	    dirs[e->folder] == GLANCE_NOBODY)
		return GLANCE_IDLE;
	if (dirs[e->folder] == GLANCE_SKIP || e->flags & SIDECAR_UNSURE ||
	    fstatat(dirs[e->folder], sidecar_meta(g->side, e) + e->place, &st,
		    AT_SYMLINK_NOFOLLOW) < 0)
		return GLANCE_NONE;
	now = filestat_of(&st);
	return filestat_same(&now, &e->st) ? GLANCE_SAME : GLANCE_NONE;
}

static void look(void *ctx, unsigned who, size_t from, size_t to)
{
	struct glance *g = ctx;
	const int *dirs = who ? g->own + (who - 1) * g->nfolders : g->dirs;

	for (size_t i = from; i < to; i++)
		g->sight[i] = (unsigned char)sight_of(g, dirs, i);
}

/* Open the folders once more for each of the others. */
static void open_again(struct glance *g)
{
	const size_t n = g->nfolders;

	g->own = mem_alloc((CREW_MAX - 1) * n * sizeof(*g->own));
	for (size_t i = 0; i < (CREW_MAX - 1) * n; i++) {
		const int dir = g->dirs[i % n];

		g->own[i] = dir < 0 ? dir
				    : file_open(dir, ".",
						O_RDONLY | O_DIRECTORY, 0);
	}
}

void glance_begin(struct glance *g, const struct sidecar *side, const int *dirs)
{
	const size_t n = sidecar_count(side);

	*g = (struct glance){
		.side = side, .dirs = dirs, .nfolders = side->nfolders};
	g->sight = mem_alloc(n);
	if (n >= LEAST)
		open_again(g);
	crew_begin(&g->crew, look, g, n, LEAST);
}

void glance_end(struct glance *g)
{
	crew_end(&g->crew);
	for (size_t i = 0; g->own && i < (CREW_MAX - 1) * g->nfolders; i++) {
		if (g->own[i] >= 0)
			close(g->own[i]);
	}
	free(g->own);
	g->own = NULL;
}

void glance_release(struct glance *g)
{
	free(g->sight);
}
