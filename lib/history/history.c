/* history.c: what is asked, from touches to changes. */
#include "history/history.h"

#include "base/mem.h"
#include "history/changes.h"
#include "history/objects.h"
#include "store/ids.h"
#include "sys/file.h"
#include "sys/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* OPERAND as an absolute path: links are followed as far as there is something. */
static const char *absolute(const char *operand, struct arena *a)
{
	const char *slash = strrchr(operand, '/'), *real;

	real = file_absolute(operand, a, NULL);
	if (real && access(real, F_OK) == 0)
		return real;
	if (slash)
		real = absolute(slash == operand
					? "/"
					: arena_copy(a, operand,
						     (size_t)(slash - operand)),
				a);
	else
		real = file_absolute(".", a, NULL);
	return arena_printf(a, "%s/%s", real ? real : "",
			    slash ? slash + 1 : operand);
}

int history_want(struct history_want *w, struct store *s, const char *operand,
		 struct arena *a, struct err *e)
{
	const char *root = s->repo.root.path, *path;
	const size_t len = strlen(root);

	*w = (struct history_want){0};
	if (store_is_id(operand, &w->id) ||
	    (s->repo.root.scope == SCOPE_GLOBAL &&
	     store_is_global_id(operand, &w->id))) {
		if (w->id && store_locate(s, AREA_MEMORIES, operand, a, &path,
					  NULL) == 1)
			w->path = path + len + 1;
		return 0;
	}
	path = absolute(operand, a);
	if (strncmp(path, root, len) != 0 || path[len] != '/')
		return err_set(e, ERR_USAGE, "'%s' is outside the store",
			       operand);
	w->path = path + len + 1;
	if (version_kind(w->path) == VERSION_NONE)
		return err_set(e, ERR_USAGE, "'%s' is nothing that is known of",
			       operand);
	if (version_kind(w->path) == VERSION_MEMORY &&
	    ids_of_file(AT_FDCWD, path, path, &w->id, NULL) < 0)
		w->id = ids_of_name(strrchr(path, '/') + 1);
	return 0;
}

/* What is left to do where R is 0, and to release. */
static int finish(struct touches *all, int r, struct err *e)
{
	if (!r)
		r = touches_load_texts(all, e);
	if (!r)
		changes_make(all);
	touches_release(all);
	return r < 0 ? -1 : 0;
}

int history_load(struct history *h, struct repo *repo,
		 const struct history_want *w, struct err *e)
{
	struct touches all;
	struct err why;
	const char *head = NULL;
	int r = touches_open(&all, h, repo, w, e) < 0 ? -1 : 0;

	if (!r && h->in_git)
		head = touches_commit(&all, "HEAD", &why);
	if (!r && h->in_git && !head && why.code != ERR_USAGE) {
		*e = why;
		r = -1;
	}
	if (!r)
		r = touches_work_tree(&all, head, e);
	if (!r && head)
		r = touches_log(&all, head, e);
	r = finish(&all, r, e);
	if (!r)
		changes_mark_restored(h);
	return r;
}

/* Open ALL for all that there is: 0, or -1: ERR_SYSTEM, there is no git to be
 * asked. */
static int open_in_git(struct touches *all, struct history *h,
		       struct repo *repo, struct err *e)
{
	static const struct history_want everything = {0};
	const int r = touches_open(all, h, repo, &everything, e);

	if (!r)
		err_set(e, ERR_SYSTEM, "'%s' is in no git work tree",
			repo->root.path);
	return r > 0 ? 0 : -1;
}

int history_compare(struct history *h, struct repo *repo, const char *a,
		    const char *b, bool base, struct err *e)
{
	struct touches all;
	int r = open_in_git(&all, h, repo, e);

	if (!r && !(a = touches_commit(&all, a, e)))
		r = -1;
	if (!r && b && !(b = touches_commit(&all, b, e)))
		r = -1;
	if (!r && base && !(a = touches_base(&all, a, b ? b : "HEAD", e)))
		r = -1;
	h->from = a;
	if (!r)
		r = b ? touches_diff(&all, a, b, e)
		      : touches_work_tree(&all, a, e);
	return finish(&all, r, e);
}

int history_each_in(struct history *h, struct repo *repo, const char *rev,
		    history_version_fn *fn, void *ctx, struct err *e)
{
	struct touches all;
	int r = open_in_git(&all, h, repo, e);

	if (!r && rev && !(rev = touches_commit(&all, rev, e)))
		r = -1;
	if (!r)
		r = rev ? touches_tree(&all, rev, e)
			: touches_work_tree(&all, NULL, e);
	if (!r)
		r = touches_load_texts(&all, e);
	for (size_t i = 0; i < all.n && !r; i++)
		fn(ctx, rev ? all.items[i].was[0] : all.items[i].now);
	touches_release(&all);
	return r < 0 ? -1 : 0;
}

/* A file that is laid out. */
struct laid {
	const char *path; /* absolute */
	bool link;
};

struct laying {
	const char *folder; /* that gets them */
	struct arena *a;
	struct buf names;   /* of their objects, a line each */
	struct laid *files; /* in that order */
	size_t n, cap, next;
};

void history_release(struct history *h)
{
	free(h->steps);
	arena_release(&h->arena);
	*h = (struct history){.n = 0};
}
