/* target.c: see target.h. */
#include "move/target.h"

/* True if the project P is called NAME. */
static bool is_called(const struct known_project *p, const char *name)
{
	return !strcmp(p->id, name) || !strcmp(strrchr(p->path, '/') + 1, name);
}

/* -1 if another folder of ALL than that of P, and of no work tree of its clone, has the
 * id of P: nobody can tell which is meant. */
static int check_alone(const struct known_projects *all,
		       const struct known_project *p, struct err *e)
{
	for (size_t i = 0; i < all->n; i++) {
		struct known_project *q = &all->items[i];

		if (!strcmp(q->id, p->id) && known_project_stands(q) &&
		    !known_project_is_same(q->path, p->path))
			return err_set(
				e, ERR_USAGE,
				"two directories have the project id '%s': "
				"name '%s' or '%s'",
				p->id, p->path, q->path);
	}
	return 0;
}

/* Open the known project NAME: 1, 0 where none is called so, -1.  Of several work
 * trees of one clone that which was written to last counts.  *GONE gets the path of
 * one that cannot be opened. */
static int open_known(struct store *s, const char *name, const struct report *r,
		      struct arena *a, struct known_project *gone,
		      struct err *e)
{
	const struct known_project *found = NULL;
	struct known_projects all;
	int opened = 0;

	if (known_projects_read(&all, a, e) < 0)
		return -1;
	for (size_t i = 0; i < all.n; i++) {
		struct known_project *p = &all.items[i];

		if (!is_called(p, name))
			continue;
		if (found && strcmp(found->id, p->id) != 0) {
			if (opened)
				store_close(s);
			return err_set(e, ERR_USAGE,
				       "two projects are called '%s': name "
				       "'%s' or '%s'",
				       name, found->path, p->path);
		}
		found = opened ? found : p;
		if (!opened)
			opened = store_open_known(s, p, r, e);
		if (opened < 0)
			return -1;
	}
	if (opened && check_alone(&all, found, e) < 0) {
		store_close(s);
		return -1;
	}
	if (found && !opened)
		*gone = *found;
	return opened;
}

int target_open(struct store *s, const char *name, const struct report *r,
		struct arena *a, struct err *e)
{
	struct known_project gone = {0};
	int found = 0;
	char *path;

	if (!strcmp(name, "global"))
		return store_open(s, SCOPE_GLOBAL, r, e);
	if (!strchr(name, '/') && *name != '.')
		found = open_known(s, name, r, a, &gone, e);
	if (found)
		return found < 0 ? -1 : 0;
	path = realpath(name, NULL);
	if (!path && gone.path && gone.gone)
		return err_set(e, ERR_USAGE,
			       "the project '%s' is no more at '%s': name the "
			       "directory where it is",
			       name, gone.path);
	if (!path && gone.path)
		return err_set(e, ERR_USAGE,
			       "the project '%s' at '%s' does not share: name "
			       "its directory, if it is meant",
			       name, gone.path);
	if (!path)
		return err_set(
			e, ERR_USAGE,
			"'%s' is neither a directory nor a known project",
			name);
	found = store_open_at(s, path, r, e);
	free(path);
	if (!found)
		err_set(e, ERR_USAGE,
			"'%s' has no store: 'co -C %s init' makes one", name,
			name);
	return found == 1 ? 0 : -1;
}
