/* named-stores.c: see named-stores.h. */
#include "search/named-stores.h"

#include "sys/file.h"

#include <errno.h>
#include <stdlib.h>

/* Return the stores that OWN's project names, in A. */
static const struct settings_store *list_stores(const struct store *own,
						const struct report *report,
						struct arena *a, size_t *n)
{
	const struct root *root = &own->repo.root;
	const struct settings *s;

	*n = 0;
	if (root->scope != SCOPE_PROJECT || root->fd < 0)
		return NULL;
	s = settings_load(-1, "", root->fd, root->path, a, report);
	return settings_stores(s, a, n);
}

/* Return true if the user's settings list PATH in safe.stores. */
static bool is_trusted(const char *path, struct arena *a)
{
	const struct settings *s;
	const char *const *words;
	bool found = false;

	settings_user(&s, a, NULL, NULL);
	words = settings_words(s, "safe.stores", a);
	for (size_t i = 0; words[i] && !found; i++)
		found = !strcmp(words[i], path);
	return found;
}

/* Set *PATH, in A, to the directory of WHICH in OWN's project. Return 1, 0 if it is
 * absent, -1. */
static int find_directory(const struct settings_store *which,
			  const struct store *own, struct arena *a,
			  const char **path, struct err *e)
{
	char *folder = root_folder(&own->repo.root),
	     *top = realpath(folder, NULL), *real;
	int r = 1;

	free(folder);
	if (!top)
		return err_sys(e, "cannot find the project's directory");
	*path = arena_printf(a, "%s/%s", top, which->path);
	free(top);
	real = realpath(*path, NULL);
	if (!real && (errno == ENOENT || errno == ENOTDIR))
		r = 0;
	else if (!real)
		r = err_sys(e, "cannot look at '%s'", *path);
	else if (strcmp(real, *path) != 0)
		r = err_set(e, ERR_SYSTEM,
			    "refusing the store '%s': a symbolic link leads to "
			    "'%s'",
			    which->name, real);
	free(real);
	return r;
}

int named_store_open(struct store *s, const struct settings_store *which,
		     const struct store *own, struct arena *a, struct err *e)
{
	const char *path = NULL;
	int r = find_directory(which, own, a, &path, e);

	if (r == 1)
		r = store_open_at(s, path, own->report, e);
	if (r != 1)
		return r;
	s->elsewhere = path;
	s->prefix = arena_printf(a, "%s:", which->name);
	s->external = !is_trusted(path, a);
	return 1;
}

int named_store_find(struct store *s, const char *name, const struct store *own,
		     struct arena *a, struct err *e)
{
	const size_t len = strcspn(name, ":");
	const struct settings_store *all;
	size_t n, i = 0;
	int r;

	all = list_stores(own, own->report, a, &n);
	while (i < n && (strlen(all[i].name) != len ||
			 strncmp(all[i].name, name, len) != 0))
		i++;
	if (i == n)
		return err_set(e, ERR_USAGE,
			       "the project names no store '%.*s': 'co status' "
			       "lists those that it does",
			       (int)len, name);
	r = named_store_open(s, &all[i], own, a, e);
	if (r == 0)
		err_set(e, ERR_NO,
			"there is no store '%s' in '%s'; if that is a "
			"submodule, 'git submodule update --init' brings it",
			all[i].name, all[i].path);
	return r == 1 ? 0 : -1;
}

/* Report that WHICH and those after it are not opened. */
static void report_limit(const struct settings_store *which,
			 const struct store *own)
{
	struct err e;

	err_set(&e, ERR_SYSTEM,
		"the store '%s', and those that the project names after it, "
		"are not searched: no more files may be open ('ulimit -n')",
		which->name);
	err_report(own->report, &e);
}

void named_stores_open(struct projects *p, const struct store *own)
{
	const struct settings_store *all;
	size_t n, most;

	all = list_stores(own, NULL, &p->arena, &n);
	most = n ? projects_most_open(p) : 0;
	for (size_t i = 0; i < n; i++) {
		struct store *s;
		struct err e;
		int r;

		if (p->n - p->own >= most) {
			report_limit(&all[i], own);
			break;
		}
		s = mem_alloc(sizeof(*s));
		r = named_store_open(s, &all[i], own, &p->arena, &e);
		if (r == 1) {
			projects_take(p, s);
			continue;
		}
		if (r < 0) {
			e.code = ERR_SYSTEM; /* also for a link */
			err_report(own->report, &e);
		}
		free(s);
	}
}
