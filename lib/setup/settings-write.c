/* settings-write.c: comments and the order of keys are preserved. The file is
 * read and replaced under the lock, so that concurrent changes are not lost.
 */
#include "setup/settings-write.h"

#include "format/jsonc.h"
#include "repo/format-number.h"
#include "repo/settings.h"
#include "store/ids.h"
#include "store/operation.h"

#include <unistd.h>

#define NAME "settings.json"
#define FILE_MAX ((size_t)64 * 1024) /* limit of reading and writing */

/* Write TEXT to NAME in DIR and log the operation. If EXISTS, the file must
 * still contain WAS; otherwise it must not exist. */
static int replace_file(struct store *s, int dir, const char *name,
			const char *path, bool exists, const struct buf *was,
			const struct buf *text, struct err *e)
{
	int r;

	if (text->len > FILE_MAX)
		return err_set(e, ERR_DATA, "'%s' would be over %zu bytes",
			       path, FILE_MAX);
	operation_note(s, path, exists ? was : NULL, text, NULL);
	r = exists ? file_replace_from(s->repo.fd, dir, name, path, was,
				       text->p, text->len, NULL, e)
		   : file_create(dir, name, path, root_file_mode(&s->repo.root),
				 text->p, text->len, e);
	if (r < 0 || (!exists && !r))
		operation_failed(s, path);
	if (exists)
		return r < 0 ? -1 : 0;
	return r ? (r < 0 ? -1 : 0)
		 : err_set(e, ERR_BUSY, "'%s' was changed meanwhile", path);
}

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

/* True if TEXT has a value for KEY. */
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
	const char *name = NAME,
		   *path = arena_printf(&a, "%s/" NAME, s->repo.root.path);
	int dir = s->repo.root.fd, exists, r = 0;

	if (s->repo.root.scope == SCOPE_GLOBAL)
		r = file_follow(dir, NAME, path, &a, &dir, &name, e);
	exists = r < 0 ? -1 : file_read(dir, name, path, FILE_MAX, &was, e);
	r = exists < 0 ? -1 : 0;
	buf_add(&text, buf_str(&was), was.len);
	if (!r && !(new &&has_key(&was, key)))
		r = settings_edit(&text, key, v, &why);
	if (r >= 0 && (r = edit_format(s, &text, key, v, &why)) < 0 &&
	    why.code == ERR_SYSTEM)
		exists = err_set(e, why.code, "%s", why.text);
	else if (r >= 0)
		r = text.len != was.len ||
		    memcmp(buf_str(&text), buf_str(&was), was.len) != 0;
	if (r < 0 && exists >= 0)
		err_set(e, why.code, "'%s':%s", path, why.text);
	if (r > 0 &&
	    replace_file(s, dir, name, path, exists, &was, &text, e) < 0)
		r = -1;
	if (dir >= 0 && dir != s->repo.root.fd)
		close(dir);
	buf_release(&was);
	buf_release(&text);
	arena_release(&a);
	return r;
}

static int write_key(struct store *s, const char *key, const struct value *v,
		     bool new, struct err *e)
{
	int r;

	if (store_lock(s, e) < 0)
		return -1;
	r = write_locked(s, key, v, new, e);
	store_unlock(s);
	return r;
}

int settings_write(struct store *s, const char *key, const struct value *v,
		   struct err *e)
{
	return write_key(s, key, v, false, e);
}

int settings_write_new(struct store *s, const char *key, const struct value *v,
		       struct err *e)
{
	return write_key(s, key, v, true, e);
}
