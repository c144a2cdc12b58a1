/* replacement.c: in a team's store an old memory stays in its directory. If it moved,
 * and git merges without our driver, git looks for a similar file as the new name of
 * the missing one. It may choose the new memory, and merge into it what the other side
 * changed in the old one.
 */
#include "store/replacement.h"

#include "store/compose.h"
#include "store/ids.h"
#include "store/operation.h"
#include "store/store.h"

const char *replacement_next(const char **p, struct arena *a)
{
	const size_t len = strcspn(*p, "\n");
	const char *line = **p ? arena_copy(a, *p, len) : NULL;

	*p += len + ((*p)[len] == '\n');
	return line;
}

bool replacement_has(const char *text, const char *line)
{
	const size_t len = strlen(line);

	for (const char *p = text; p && *p; p += strcspn(p, "\n"), p += !!*p) {
		if (strcspn(p, "\n") == len && !memcmp(p, line, len))
			return true;
	}
	return false;
}

/* Parse the frontmatter of TEXT. Return false if it has none that can be read. */
static bool parse_text(struct frontmatter *fm, const struct buf *text,
		       struct arena *a)
{
	return frontmatter_parse(fm, buf_str(text), text->len, "", a, NULL) ==
		       0 &&
	       fm->present;
}

/* Return TEXT with KEY set to V, or without KEY if V is NULL, allocated in A. Return
 * TEXT itself if that changes nothing, or it has no frontmatter that can be read. */
static const struct buf *with_key(const struct buf *text, const char *key,
				  const struct value *v, struct arena *a)
{
	struct buf with = {0};
	struct frontmatter fm;

	buf_add(&with, buf_str(text), text->len);
	if (parse_text(&fm, text, a) &&
	    compose_keys(&with, "", key, v, NULL) == 1)
		text = journal_text(a, buf_str(&with), with.len);
	buf_release(&with);
	return text;
}

const struct buf *replacement_supersede(const struct buf *text, int64_t id,
					bool does, struct arena *a)
{
	struct value v = {.kind = VALUE_LIST};
	struct frontmatter fm;
	const struct value *list;
	size_t n;

	if (!parse_text(&fm, text, a))
		return text;
	list = value_get(&fm.data, REPLACEMENT_NEW);
	if (!does && (!list || list->kind != VALUE_LIST))
		return text;
	n = list && list->kind == VALUE_LIST ? list->u.list.n : 0;
	v.u.list.items = arena_alloc(a, (n + 1) * sizeof(struct value));
	for (size_t i = 0; i < n; i++) {
		const struct value *item = &list->u.list.items[i];

		if (item->kind != VALUE_INT || item->u.i != id)
			v.u.list.items[v.u.list.n++] = *item;
	}
	if (does)
		v.u.list.items[v.u.list.n++] = value_int(id);
	return with_key(text, REPLACEMENT_NEW, v.u.list.n ? &v : NULL, a);
}

/* Add to J the steps that mark the memory at PATH as replaced by the one with ID. */
static int archive_one(struct journal *j, const char *path, int64_t id,
		       struct err *e)
{
	const struct value v = value_int(id);
	const char *below = operation_path(j->s, path, j->a), *name;
	const struct buf *was, *text;
	struct frontmatter fm;

	if (journal_read(j, path, &was, e) < 0)
		return -1;
	text = id ? with_key(was, REPLACEMENT_OLD, &v, j->a) : was;
	if (store_is_team(j->s) && parse_text(&fm, was, j->a)) {
		journal_edit(j, below, was, text);
		return 0;
	}
	name = journal_free_name(j, LAYOUT_ARCHIVE, strrchr(path, '/') + 1, e);
	if (!name)
		return -1;
	journal_move(
		j, below,
		arena_printf(j->a, LAYOUT_KNOWLEDGE LAYOUT_ARCHIVE "/%s", name),
		was, text);
	return 0;
}

int replacement_add(struct journal *j, const char *old, int64_t id,
		    struct err *e)
{
	const char *path;
	int r = 0;

	while (!r && (path = replacement_next(&old, j->a)))
		r = archive_one(j, path, id, e);
	return r;
}

/* Add to J the step that removes OLD from the list `supersedes` of the memory at
 * PATH. */
static int unsupersede(struct journal *j, const char *path, int64_t old,
		       struct err *e)
{
	const char *below = operation_path(j->s, path, j->a);
	struct journal_step *step = journal_find(j, below);
	const struct buf *was, *text;

	if (step) {
		step->text =
			replacement_supersede(step->text, old, false, j->a);
		return 0;
	}
	if (journal_read(j, path, &was, e) < 0)
		return -1;
	text = replacement_supersede(was, old, false, j->a);
	journal_edit(j, below, was, text);
	return 0;
}

int replacement_free(struct journal *j, const char *path,
		     const struct buf **text, struct err *e)
{
	static const enum area areas[] = {AREA_MEMORIES, AREA_ARCHIVE};
	struct frontmatter fm;
	const struct value *new, *id;
	int r = 0;

	if (!parse_text(&fm, *text, j->a))
		return 0;
	new = value_get(&fm.data, REPLACEMENT_OLD);
	id = value_get(&fm.data, "id");
	for (size_t i = 0; new &&new->kind == VALUE_INT &&id &&
			   id->kind == VALUE_INT &&i < ARRAY_LEN(areas) && !r;
	     i++) {
		const struct ids *ids = ids_load(j->s, areas[i], e);
		const struct id_entry *entry = NULL;

		r = ids ? 0 : -1;
		while (!r && (entry = ids_find(ids, new->u.i, entry))) {
			if (strcmp(entry->path, path) != 0)
				r = unsupersede(j, entry->path, id->u.i, e);
		}
	}
	*text = with_key(*text, REPLACEMENT_OLD, NULL, j->a);
	return r;
}
