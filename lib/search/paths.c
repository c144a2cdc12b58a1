/* paths.c: a glob is compared name by name. After `**`, each possible rest of
 * the path is tried. Only the last `**` is tried again, since it also covers
 * what an earlier one could match, so the work is bounded. */
#include "search/recall.h"

#include "format/json-read.h"

#include <fnmatch.h>

/* Return true if the name at GLOB matches the one at PATH. */
static bool name_matches(const char *glob, size_t glob_len, const char *path,
			 size_t path_len)
{
	struct buf g = {0}, p = {0};
	bool does;

	buf_add(&g, glob, glob_len);
	buf_add(&p, path, path_len);
	does = fnmatch(buf_str(&g), buf_str(&p), 0) == 0;
	buf_release(&g);
	buf_release(&p);
	return does;
}

static const char *skip_name(const char *p, size_t len)
{
	return p + len + (p[len] == '/');
}

bool recall_path_matches(const char *glob, const char *path)
{
	const char *again = NULL, *from = NULL;

	for (;;) {
		const size_t g = strcspn(glob, "/"), p = strcspn(path, "/");

		/* The rest of PATH is below GLOB, or GLOB may match below PATH. */
		if (!*glob || (!*path && !glob[g]))
			return true;
		if (g == 2 && !memcmp(glob, "**", 2)) {
			again = glob = skip_name(glob, g);
			from = path;
			continue;
		}
		if (*path && name_matches(glob, g, path, p)) {
			glob = skip_name(glob, g);
			path = skip_name(path, p);
			continue;
		}
		if (!again || !*from)
			return false;
		glob = again;
		path = from = skip_name(from, strcspn(from, "/"));
	}
}

int recall_compare_paths(const struct record_keys *k, const char *path)
{
	struct arena a = {0};
	struct value map;
	const struct value *v = NULL;
	int state = 0;

	if (k->json && strstr(k->json, "\"paths\"") &&
	    json_parse(k->json, strlen(k->json), &a, &map, NULL) == 0)
		v = value_get(&map, "paths");
	if (v && value_is_texts(v) && v->u.list.n)
		state = -1;
	for (size_t i = 0; state < 0 && i < v->u.list.n; i++) {
		if (recall_path_matches(v->u.list.items[i].u.s.p, path))
			state = 1;
	}
	arena_release(&a);
	return state;
}
