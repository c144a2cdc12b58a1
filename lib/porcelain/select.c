/* select.c: see select.h. */
#include "porcelain/select.h"

#include "search/grep.h"

/* The memory at PATH, broken or not. */
static struct record read_named(struct store *s, const char *path,
				struct arena *a)
{
	struct record r;
	struct err e;
	int found = store_read(s, path, a, &r, &e);

	if (found == 1)
		return r;
	if (found < 0)
		err_report(s->report, &e);
	return (struct record){.path = path, .scope = s->repo.root.scope};
}

/* Add the memory that OPERAND names: 1, or 0 where it names none and so is
 * text; WHY then says why it is no path, if it could be one. */
static int add_named(struct selection *c, struct store *s, const char *operand,
		     struct arena *a, struct err *why, struct err *e)
{
	const char *path;
	int64_t id;
	bool is_id = store_is_id(operand, &id);
	int found = store_locate(s, AREA_MEMORIES, operand, a, &path, e);

	if (found == 1) {
		const struct record r = read_named(s, path, a);

		results_add(&c->found, s, &r, NULL);
	}
	if (found == 0 && is_id)
		return store_absent(s, operand, e);
	if (found >= 0 || is_id || e->code == ERR_DATA)
		return found;
	*why = *e;
	return 0;
}

static int find_text(struct selection *c, struct store *s, struct err *e)
{
	struct grep_query q = {0};
	int r = match_new(&q.match, c->text, strlen(c->text), MATCH_LITERAL, e);

	c->found.order = RESULTS_BY_ID;
	if (!r)
		r = grep_collect(s, AREA_MEMORIES, &q, &c->found, e);
	match_free(q.match);
	results_sort(&c->found);
	return r;
}

static const char *join(const char *const *operands, size_t n, struct arena *a)
{
	const char *text = operands[0];

	for (size_t i = 1; i < n; i++)
		text = arena_printf(a, "%s %s", text, operands[i]);
	return text;
}

int select_memories(struct selection *c, struct store *s,
		    const char *const *operands, size_t n, struct arena *a,
		    struct err *e)
{
	struct err why = {.code = ERR_NONE};

	*c = (struct selection){.text = NULL};
	for (size_t i = 0; i < n; i++) {
		if (add_named(c, s, operands[i], a, &why, e) < 0)
			return -1;
	}
	if (c->found.n == n)
		return 0;
	if (c->found.n)
		return err_set(e, ERR_USAGE,
			       "some of these name memories and some do not: "
			       "a text with a number in it stands in quotes");
	c->text = join(operands, n, a);
	if (find_text(c, s, e) < 0)
		return -1;
	if (c->found.n || why.code != ERR_USAGE || !strchr(c->text, '/'))
		return 0;
	*e = why;
	return -1;
}
