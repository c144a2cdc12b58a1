/* project-id.c: see project-id.h. */
#include "repo/project-id.h"

#include "base/compat.h"
#include "format/jsonc.h"
#include "sys/file.h"

#define SETTINGS_MAX ((size_t)64 * 1024)
#define LETTERS "abcdefghijklmnopqrstuvwxyz234567"

char *project_id_draw(char id[PROJECT_ID_LENGTH + 1])
{
	uint64_t bits = 0;

	for (size_t i = 0; i < PROJECT_ID_LENGTH; i++) {
		if (i % 10 == 0)
			bits = compat_random();
		id[i] = LETTERS[bits & 31];
		bits >>= 5;
	}
	id[PROJECT_ID_LENGTH] = '\0';
	return id;
}

bool project_id_is(const char *text)
{
	return strspn(text, LETTERS) == PROJECT_ID_LENGTH &&
	       !text[PROJECT_ID_LENGTH];
}

/* Take what MAP, the settings, say of the project. */
static void take(struct project *p, const struct value *map)
{
	const struct value *id, *share;

	id = jsonc_dotted(map, PROJECT_ID);
	share = jsonc_dotted(map, PROJECT_SHARE);
	if (id && id->kind == VALUE_STR && project_id_is(id->u.s.p))
		memcpy(p->id, id->u.s.p, sizeof(p->id));
	/* What is no word at all is no leave either. */
	p->closed = share && !value_is_true(share);
}

int project_look(struct project *p, int dir, const char *root, struct err *e)
{
	struct arena a = {0};
	struct buf path = {0}, text = {0};
	struct value map;
	struct err why;
	int r;

	*p = (struct project){0};
	buf_addf(&path, "%s/settings.json", root);
	r = dir < 0 ? 0
		    : file_read(dir, "settings.json", path.p, SETTINGS_MAX,
				&text, e);
	if (r == 1 && jsonc_parse(buf_str(&text), text.len, &a, &map, &why) < 0)
		r = err_set(e, ERR_DATA, "'%s':%s", path.p, why.text);
	else if (r == 1 && map.kind != VALUE_MAP)
		r = err_set(e, ERR_DATA, "'%s': not a JSON object", path.p);
	if (r == 1)
		take(p, &map);
	buf_release(&path);
	buf_release(&text);
	arena_release(&a);
	return r < 0 ? -1 : *p->id != '\0';
}

bool project_read(struct project *p, int dir, const char *root)
{
	return project_look(p, dir, root, NULL) == 1;
}
