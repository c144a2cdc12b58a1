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

int join_write(struct store *user, const char *id, const char *name,
	       struct err *e)
{
	const struct root *root = &user->repo.root;
	struct arena a = {0};
	const struct settings *s =
		settings_load(root->fd, root->path, -1, "", &a, NULL);
	const char *const *words = settings_words(s, PROJECTS, &a);
	struct value list = {.kind = VALUE_LIST};
	size_t n = 0;
	int r;

	while (words[n])
		n++;
	list.u.list.items = arena_alloc(&a, (n + 1) * sizeof(struct value));
	for (size_t i = 0; i < n; i++) {
		if (strncmp(words[i], id, strlen(id)) != 0 ||
		    words[i][strlen(id)] != '=')
			list.u.list.items[list.u.list.n++] =
				value_str(words[i]);
	}
	if (!name && list.u.list.n == n) {
		arena_release(&a);
		return 0;
	}
	if (name)
		list.u.list.items[list.u.list.n++] =
			value_str(arena_printf(&a, "%s=%s", id, name));
	r = settings_write(user, PROJECTS, list.u.list.n ? &list : NULL, e);
	arena_release(&a);
	return r;
}
