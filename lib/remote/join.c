/* join.c: see join.h. */
#include "remote/join.h"

#include "repo/settings.h"
#include "setup/settings-write.h"

#define PROJECTS "remote.projects"

int join_project(struct project *project, const struct store *s, struct err *e)
{
	const struct root *root = &s->repo.root;

	*project = (struct project){.closed = false};
	if (root->fd >= 0 && project_read(project, root->fd, root->path))
		return 0;
	return err_set(e, ERR_NO,
		       root->fd < 0 ? "this directory is in no project"
				    : "this project has no id: 'co setup git' "
				      "draws one");
}

const char *join_name(const struct remote *r, const struct store *s)
{
	struct project project;

	return join_project(&project, s, NULL) == 0
		       ? remote_name_of(r, project.id)
		       : NULL;
}
