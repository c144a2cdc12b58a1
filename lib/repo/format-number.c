/* format-number.c: only the format is read from settings.json here. settings.c
 * reports other errors in it.
 */
#include "repo/format-number.h"

#include "format/jsonc.h"
#include "sys/file.h"

#include <inttypes.h>

#define FILE_MAX (64 * 1024)

bool format_of(const struct value *v, int64_t *format)
{
	*format = v->kind == VALUE_INT ? v->u.i : 0;
	return *format >= 1;
}

static int check_number(const struct value *v, const char *path, struct err *e)
{
	int64_t format;

	if (!format_of(v, &format))
		return err_set(e, ERR_DATA,
			       "'%s/settings.json': setting '" FORMAT_KEY
			       "' must be a whole number",
			       path);
	if (format > FORMAT_OURS)
		return err_set(e, ERR_SYSTEM,
			       "'%s' has format %" PRId64
			       ", and this co (" CO_VERSION
			       ") writes format %d: install one that knows "
			       "format %" PRId64,
			       path, format, FORMAT_OURS, format);
	return 0;
}

static bool is_team(const struct value *map)
{
	return value_is_true(value_get(map, FORMAT_TEAM));
}

int format_check(int dir, const char *path, bool own, bool *team, struct err *e)
{
	struct arena a = {0};
	struct buf text = {0};
	const struct value *v;
	struct value map;
	struct err why;
	int r = (own ? file_read_followed
		     : file_read)(dir, "settings.json",
				  arena_printf(&a, "%s/settings.json", path),
				  FILE_MAX, &text, &why);

	if (team)
		*team = false;
	if (r < 0) {
		r = why.code == ERR_SYSTEM
			    ? err_set(e, ERR_SYSTEM, "%s", why.text)
			    : 0;
	} else if (r == 1 &&
		   jsonc_parse(text.p, text.len, &a, &map, &why) == 0 &&
		   map.kind == VALUE_MAP) {
		v = value_get(&map, FORMAT_KEY);
		r = v ? check_number(v, path, e) : 0;
		if (team && !own)
			*team = is_team(&map);
	} else {
		r = 0;
	}
	buf_release(&text);
	arena_release(&a);
	return r;
}
