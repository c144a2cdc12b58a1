/* keys.c: turn the options of saving.h into keys of frontmatter. */
#include "cli/saving.h"

#include "base/date.h"
#include "cli/cli.h"
#include "evidence/cites.h"

#include <unistd.h>

/* Return the date TEXT, the value of option NAME, as it is written to the file.
 * It is allocated in A. End the process with 2 if TEXT is not a date in the
 * future. */
static struct value date_of(const char *name, const char *text, struct arena *a)
{
	char date[INSTANT_TEXT];
	struct err e;

	if (date_ahead(text, date, &e) < 0)
		cli_usage("--%s: %s", name, e.text);
	return value_str(arena_strdup(a, date));
}

static struct value list_of(const struct strings *all, struct arena *a)
{
	struct value list = {.kind = VALUE_LIST};

	list.u.list.items = arena_alloc(a, all->n * sizeof(struct value));
	for (size_t i = 0; i < all->n; i++)
		list.u.list.items[list.u.list.n++] = value_str(all->items[i]);
	return list;
}

const char *cli_keys_given(const struct cli_keys *k)
{
	return k->expires	 ? "--expires"
	       : k->review_after ? "--review-after"
	       : k->sensitive	 ? "--sensitive"
	       : k->languages.n	 ? "--language"
	       : k->paths.n	 ? "--path"
				 : NULL;
}

void cli_keys_add(const struct cli_keys *k, struct store_new *n,
		  struct arena *a)
{
	const struct value *has = n->extra;
	const size_t most = (has ? has->u.map.n : 0) + 5;
	struct value *map = arena_alloc(a, sizeof(*map));

	if (!cli_keys_given(k))
		return;
	*map = (struct value){.kind = VALUE_MAP};
	map->u.map.pairs = arena_alloc(a, most * sizeof(*map->u.map.pairs));
	for (size_t i = 0; has && i < has->u.map.n; i++)
		map->u.map.pairs[map->u.map.n++] = has->u.map.pairs[i];
	if (k->expires)
		value_put(map, "expires", date_of("expires", k->expires, a));
	if (k->review_after)
		value_put(map, "review-after",
			  date_of("review-after", k->review_after, a));
	if (k->sensitive)
		value_put(map, "sensitive",
			  (struct value){.kind = VALUE_BOOL, .u.b = true});
	if (k->languages.n)
		value_put(map, "languages", list_of(&k->languages, a));
	if (k->paths.n)
		value_put(map, "paths", list_of(&k->paths, a));
	n->extra = map;
}

/* Return true if S's project has a file at PLACE. */
static bool has_place(const struct store *s, const char *place, struct arena *a)
{
	char *top = root_folder(&s->repo.root);
	struct citation c;
	struct err e;
	const bool r = citation_place(&c, place, a, &e) == 0 &&
		       access(arena_printf(a, "%s/%s", top, c.path), F_OK) == 0;

	free(top);
	return r;
}

int cli_suggest_place(const struct store *s, const char *place, struct err *e)
{
	struct arena a = {0};
	const char *near = root_relative(&s->repo.root, place, &a);
	struct err was = *e;

	if (near && !has_place(s, place, &a) && has_place(s, near, &a))
		err_set(e, was.code, "%s: did you mean '%s'?", was.text, near);
	arena_release(&a);
	return -1;
}

int cli_cite(struct store *s, const struct strings *places, struct store_new *n,
	     struct arena *a, struct err *e)
{
	int r = cites_settle(&s->repo, places, n->extra, a, &n->extra, e);

	return r < 0 && places->n == 1
		       ? cli_suggest_place(s, places->items[0], e)
		       : r;
}
