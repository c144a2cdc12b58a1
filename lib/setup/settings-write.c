/* settings-write.c: comments and the order of keys are preserved. The file is
 * read and replaced under the lock, so that concurrent changes are not lost.
 */
#include "setup/settings-write.h"

#include "format/jsonc.h"
#include "repo/settings.h"
#include "store/ids.h"
#include "store/journal.h"

#include <unistd.h>

#define NAME "settings.json"
#define FILE_MAX ((size_t)64 * 1024) /* limit of reading and writing */

/* Refuse to return to sequential ids if random ones were assigned: the next id
 * would follow the highest, and two clones would assign the same one. */
static int check_random_ids(struct store *s, struct err *e)
{
	static const enum area areas[] = {AREA_MEMORIES, AREA_ARCHIVE};
	size_t n = 0;

	for (size_t k = 0; k < ARRAY_LEN(areas); k++) {
		const struct ids *ids = ids_load(s, areas[k], e);

		if (!ids)
			return -1;
		for (size_t i = 0; i < ids->n; i++)
			n += ids->items[i].path &&
			     ids->items[i].id >= LAYOUT_DRAWN;
	}
	if (!n)
		return 0;
	return err_set(e, ERR_SYSTEM,
		       "'" FORMAT_TEAM "' stays: %zu %s an id that was drawn, "
		       "and ids that are counted would go on from the highest",
		       n, n == 1 ? "memory has" : "memories have");
}

/* Change the format number of the file together with KEY: the store of a team
 * has its own format. */
static int edit_format(struct store *s, struct buf *text, const char *key,
		       const struct value *v, struct err *e)
{
	const bool on = value_is_true(v);
	const struct value format = value_int(on ? FORMAT_OURS : FORMAT_NEW);

	if (strcmp(key, FORMAT_TEAM) != 0)
		return 0;
	if (!on && store_is_team(s) && check_random_ids(s, e) < 0)
		return -1;
	return settings_edit(text, FORMAT_KEY, &format, e);
}

/* Return true if TEXT has a value for KEY. */
static bool has_key(const struct buf *text, const char *key)
{
	struct arena a = {0};
	struct value map;
	const bool is = text->len &&
			jsonc_parse(text->p, text->len, &a, &map, NULL) == 0 &&
			jsonc_dotted(&map, key);

	arena_release(&a);
	return is;
}

static int write_locked(struct store *s, const char *key, const struct value *v,
			bool new, struct err *e)
{
	struct arena a = {0};
	struct buf was = {0}, text = {0};
	struct err why;
	const char *path = arena_printf(&a, "%s/" NAME, s->repo.root.path);
	struct operation_change c = {s->repo.root.fd, NAME, path, NULL,
				     &text,	      NULL, NULL};
	int exists, r = 0;

	if (s->repo.root.scope == SCOPE_GLOBAL)
		r = file_follow(c.dir, NAME, path, &a, &c.dir, &c.name, e);
	exists = r < 0 ? -1 : file_read(c.dir, c.name, path, FILE_MAX, &was, e);
	r = exists < 0 ? -1 : 0;
	buf_add(&text, buf_str(&was), was.len);
	if (!r && !(new &&has_key(&was, key)))
		r = settings_edit(&text, key, v, &why);
	if (r >= 0 && (r = edit_format(s, &text, key, v, &why)) < 0 &&
	    why.code == ERR_SYSTEM)
		exists = err_set(e, why.code, "%s", why.text);
	else if (r >= 0)
		r = !buf_equal(&text, &was);
	if (r < 0 && exists >= 0)
		err_set(e, why.code, "'%s':%s", path, why.text);
	c.was = exists > 0 ? &was : NULL;
	if (r > 0 && text.len > FILE_MAX)
		r = err_set(e, ERR_DATA, "'%s' would be over %zu bytes", path,
			    FILE_MAX);
	else if (r > 0 && operation_change(s, &c, e) < 0)
		r = -1;
	if (c.dir >= 0 && c.dir != s->repo.root.fd)
		close(c.dir);
	buf_release(&was);
	buf_release(&text);
	arena_release(&a);
	return r;
}

int settings_write(struct store *s, const char *key, const struct value *v,
		   bool new, struct err *e)
{
	int r;

	if (store_lock(s, e) < 0)
		return -1;
	r = write_locked(s, key, v, new, e);
	store_unlock(s);
	return r;
}
