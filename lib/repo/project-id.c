/* project-id.c: see project-id.h. */
#include "repo/project-id.h"

#include "base/compat.h"
#include "format/jsonc.h"
#include "sys/file.h"

#define PROJECT_SHARE "project.share"
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

/* Set P from MAP, the settings. */
static void set_project(struct project *p, const struct value *map)
{
	const struct value *id, *share;

	id = jsonc_dotted(map, PROJECT_ID);
	share = jsonc_dotted(map, PROJECT_SHARE);
	if (id && id->kind == VALUE_STR && project_id_is(id->u.s.p))
		memcpy(p->id, id->u.s.p, sizeof(p->id));
	/* If the key is there, only `true` shares the project. */
	p->closed = share && !value_is_true(share);
}

int project_parse(struct project *p, const char *name, const char *text,
		  size_t len, struct err *e)
{
	struct arena a = {0};
	struct value map;
	struct err why;
	int r = 0;

	*p = (struct project){0};
	if (jsonc_parse(text, len, &a, &map, &why) < 0)
		r = err_set(e, ERR_DATA, "'%s':%s", name, why.text);
	else if (map.kind != VALUE_MAP)
		r = err_set(e, ERR_DATA, "'%s': not a JSON object", name);
	else
		set_project(p, &map);
	arena_release(&a);
	return r < 0 ? -1 : *p->id != '\0';
}

int project_look(struct project *p, int dir, const char *root, struct err *e)
{
	struct buf path = {0}, text = {0};
	int r;

	*p = (struct project){0};
	buf_addf(&path, "%s/settings.json", root);
	r = dir < 0 ? 0
		    : file_read(dir, "settings.json", path.p, SETTINGS_MAX,
				&text, e);
	if (r == 1)
		r = project_parse(p, path.p, buf_str(&text), text.len, e);
	buf_release(&path);
	buf_release(&text);
	return r;
}

bool project_read(struct project *p, int dir, const char *root)
{
	return project_look(p, dir, root, NULL) == 1;
}
