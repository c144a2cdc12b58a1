/* quality.c: DOCS QUERIES QRELS: how well ranking alone does on a set, in
 * memory, without stores or an index.  Documents: {"id","group","text"}, with
 * "title", "speaker" (a tag) and "session" (a source) where they have them; a
 * group is a store of its own. */
#include "evaluation.h"
#include "file.h"
#include "json.h"

#include "../unit/corpus.h"

#include <time.h>

#define GROUPS_MAX 64

struct group {
	const char *name;
	struct held held;
	const char **ids;
	size_t cap;
};

static struct group groups[GROUPS_MAX];
static size_t ngroups;
static struct arena arena;

static const char *string(const struct value *row, const char *key)
{
	const struct value *v = value_get(row, key);

	if (v && v->kind == VALUE_INT)
		return arena_printf(&arena, "%lld", (long long)v->u.i);
	return v && v->kind == VALUE_STR ? v->u.s.p : NULL;
}

static struct group *group_of(const char *name)
{
	for (size_t i = 0; i < ngroups; i++) {
		if (!strcmp(groups[i].name, name ? name : ""))
			return &groups[i];
	}
	if (ngroups == GROUPS_MAX)
		abort();
	groups[ngroups].name = name ? name : "";
	return &groups[ngroups++];
}

/* The text as a memory's: title, blank line, text. */
static const char *content(const struct value *row)
{
	const char *title = string(row, "title"), *text = string(row, "text");

	if (!title || !*title)
		return text ? text : "";
	return text && *text ? arena_printf(&arena, "%s\n\n%s", title, text)
			     : title;
}

static void add(const struct value *row)
{
	struct group *g = group_of(string(row, "group"));
	const char *speaker = string(row, "speaker");
	const char *session = string(row, "session");
	const char **tags = arena_alloc(&arena, sizeof(*tags));
	struct rank_doc d = {.id = g->held.corpus.n + 1, .tags = tags};

	tags[0] = speaker;
	d.ntags = speaker != NULL;
	d.created.sec = d.id;
	if (session)
		d.source = arena_printf(&arena, "session-%s", session);
	d.text = content(row);
	d.text_len = strlen(d.text);
	g->ids = mem_grow(g->ids, g->held.corpus.n, &g->cap, sizeof(*g->ids));
	g->ids[g->held.corpus.n] = string(row, "id");
	held_add(&g->held, d, NULL);
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static struct outcome ask(const struct golden *golden)
{
	struct group *g = group_of(golden->group);
	struct question q;
	struct rank_ask asked = {.question = &q, .max = EVALUATION_DEPTH};
	struct rank_result result;
	struct arena a = {0};
	struct outcome o = {.ms = now_ms()};
	struct err e;

	question_parse(&q, golden->text, strlen(golden->text), &a);
	if (rank(held_finish(&g->held), &asked, &a, &result, &e) < 0)
		abort();
	o.ms = now_ms() - o.ms;
	for (size_t i = 0; i < result.n; i++) {
		for (size_t k = 0; k < golden->nanswers; k++)
			o.hits[i] |= !strcmp(g->ids[result.hits[i].doc],
					     golden->answers[k]);
	}
	arena_release(&a);
	return o;
}

int main(int argc, char **argv)
{
	struct outcome *outcomes;
	struct goldens goldens;
	struct evaluation v;
	struct buf text = {0}, out = {0};
	struct value row;
	struct err e;
	size_t at = 0;

	if (argc != 4 || file_read_path(argv[1], SIZE_MAX / 2, &text, &e) < 0 ||
	    goldens_read(&goldens, argv[2], argv[3], &arena, &e) < 0) {
		fprintf(stderr, "quality: %s\n", argc == 4 ? e.text : "usage");
		return 1;
	}
	while (json_parse_at(text.p, text.len, &at, &arena, &row, &e) > 0)
		add(&row);
	outcomes = arena_alloc(&arena, (goldens.n + 1) * sizeof(*outcomes));
	for (size_t i = 0; i < goldens.n; i++)
		outcomes[i] = ask(&goldens.items[i]);
	v = evaluate(&goldens, outcomes, NULL);
	evaluation_text(&out, &v, argv[1]);
	fputs(out.p, stdout);
	for (size_t i = 0; i < ngroups; i++) {
		held_release(&groups[i].held);
		free(groups[i].ids);
	}
	buf_release(&text);
	buf_release(&out);
	arena_release(&arena);
	return 0;
}
