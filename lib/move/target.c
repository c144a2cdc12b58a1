/* target.c: see target.h. */
#include "move/target.h"

#include <stdlib.h>

/* True if the project P is called NAME. */
static bool is_called(const struct known_project *p, const char *name)
{
	return !strcmp(p->id, name) || !strcmp(strrchr(p->path, '/') + 1, name);
}

/* Open the known project NAME: 1, 0, -1.  One may stand in several places: the one
 * that was written to last counts. */
static int open_known(struct store *s, const char *name, const struct report *r,
		      struct arena *a, struct err *e)
{
	struct known_project *found = NULL;
	struct known_projects all;

	if (known_projects_read(&all, a, e) < 0)
		return -1;
	for (size_t i = 0; i < all.n; i++) {
		struct known_project *p = &all.items[i];

		if (!is_called(p, name) || (found && !strcmp(found->id, p->id)))
			continue;
		if (found)
			return err_set(e, ERR_USAGE,
				       "two projects are called '%s': name "
				       "'%s' or '%s'",
				       name, found->path, p->path);
		found = p;
	}
	return found ? store_open_known(s, found, r, e) : 0;
}

int target_open(struct store *s, const char *name, const struct report *r,
		struct arena *a, struct err *e)
{
	int found = 0;
	char *path;

	if (!strcmp(name, "global"))
		return store_open(s, SCOPE_GLOBAL, r, e);
	if (!strchr(name, '/') && *name != '.')
		found = open_known(s, name, r, a, e);
	if (found)
		return found < 0 ? -1 : 0;
	path = realpath(name, NULL);
	if (!path)
		return err_set(
			e, ERR_USAGE,
			"'%s' is no folder, and no project that is known",
			name);
	found = store_open_at(s, path, r, e);
	free(path);
	if (!found)
		err_set(e, ERR_USAGE,
			"'%s' has no store: 'co -C %s init' makes one", name,
			name);
	return found == 1 ? 0 : -1;
}
