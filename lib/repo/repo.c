/* repo.c: see repo.h. */
#include "repo/repo.h"

#include "sys/file.h"

#include <unistd.h>

/* Open the folder below the root of REPO. */
static int open_below(struct repo *repo, struct err *e)
{
	struct buf path = {0};
	int found;

	found = root_open_knowledge(&repo->root, &path, &repo->fd, e);
	repo->path = buf_take(&path);
	if (found >= 0)
		return 0;
	repo_close(repo);
	return -1;
}

int repo_open(struct repo *repo, enum scope scope, struct err *e)
{
	*repo = (struct repo){.fd = -1};
	return root_find(&repo->root, scope, e) < 0 ? -1 : open_below(repo, e);
}

int repo_open_known(struct repo *repo, struct known_project *p, struct err *e)
{
	int found;

	*repo = (struct repo){.fd = -1};
	found = known_project_open(p, &repo->root, e);
	return found == 1 && open_below(repo, e) < 0 ? -1 : found;
}

int repo_open_at(struct repo *repo, const char *folder, struct err *e)
{
	int found;

	*repo = (struct repo){.fd = -1};
	found = root_at(&repo->root, folder, e);
	if (found == 1)
		return open_below(repo, e) < 0 ? -1 : 1;
	if (found == 0)
		root_release(&repo->root);
	return found;
}

void repo_close(struct repo *repo)
{
	if (repo->fd >= 0)
		close(repo->fd);
	free(repo->path);
	root_release(&repo->root);
	*repo = (struct repo){.root = repo->root, .fd = -1};
}

int repo_make(struct repo *repo, bool *made, struct err *e)
{
	/* A root without knowledge/ may be what a killed writer left: then
	 * its .gitignore may be missing too. */
	if (repo->fd >= 0)
		return 0;
	if (root_make(&repo->root, made, e) < 0)
		return -1;
	return file_make_dir(repo->root.fd, "knowledge", repo->path,
			     root_dir_mode(&repo->root), &repo->fd, NULL, e) < 0
		       ? -1
		       : 0;
}
