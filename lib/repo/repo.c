/* repo.c: see repo.h. */
#include "repo/repo.h"

#include "sys/file.h"

int repo_open_knowledge(struct repo *repo, struct err *e)
{
	struct buf path = {0};
	const int found = root_open_knowledge(&repo->root, &path, &repo->fd, e);

	repo->path = buf_take(&path);
	if (found >= 0)
		return 0;
	repo_close(repo);
	return -1;
}

int repo_open(struct repo *repo, enum scope scope, struct err *e)
{
	*repo = (struct repo){.fd = -1};
	return root_find(&repo->root, scope, e) < 0
		       ? -1
		       : repo_open_knowledge(repo, e);
}

void repo_close(struct repo *repo)
{
	file_close(repo->fd);
	free(repo->path);
	root_release(&repo->root);
	*repo = (struct repo){.root = repo->root, .fd = -1};
}

int repo_make(struct repo *repo, bool *made, struct err *e)
{
	/* A killed writer may have left a root without knowledge/. Its .gitignore may
	 * be missing too. */
	if (repo->fd >= 0)
		return 0;
	if (root_make(&repo->root, made, e) < 0)
		return -1;
	return file_make_dir(repo->root.fd, "knowledge", repo->path,
			     root_dir_mode(&repo->root), &repo->fd, NULL, e) < 0
		       ? -1
		       : 0;
}
