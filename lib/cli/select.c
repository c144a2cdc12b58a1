/* select.c: see choose.h. */
#include "cli/choose.h"

#include "article/article.h"
#include "repo/marks.h"
#include "search/grep.h"
#include "store/trash.h"

#define HINT_MAX 5 /* ids of one hint */

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

/* Find the article with the file name NAME, as store_locate() does. */
static int locate_article(struct store *s, const char *name, struct arena *a,
			  const char **path)
{
	const char *dir = layout_path(&s->repo, LAYOUT_ARTICLES, a);

	return strchr(name, '/')
		       ? 0
		       : store_locate(s, AREA_ARTICLES,
				      arena_printf(a, "%s/%s", dir, name), a,
				      path, NULL);
}

int cli_select_locate(struct store *s, const char *operand, struct arena *a,
		      const char **path, struct err *e)
{
	const int found = store_locate(s, AREA_MEMORIES, operand, a, path, e);

	if (found < 0 && e->code == ERR_USAGE &&
	    (store_locate(s, AREA_ARTICLES, operand, a, path, NULL) == 1 ||
	     locate_article(s, operand, a, path) == 1))
		return 1;
	return found;
}

static bool has_path(const struct cli_selection *c, const char *path)
{
	struct arena a = {0};
	struct record r;
	bool found = false;

	for (size_t i = 0; i < c->found.n && !found; i++) {
		results_get(&c->found, &c->found.items[i], &a, &r);
		found = !strcmp(r.path, path);
	}
	arena_release(&a);
	return found;
}

/* Add the memory at PATH, or the article, with the other parts of it. */
static int add_path(struct cli_selection *c, struct store *s, const char *path,
		    struct arena *a, struct err *e)
{
	const struct record r = read_named(s, path, a);
	struct strings parts = {0};

	if (article_parts_with(s, &r, a, &parts, e) < 0)
		return -1;
	if (!parts.n && !has_path(c, r.path))
		results_add(&c->found, s, &r, NULL);
	for (size_t i = 0; i < parts.n; i++) {
		const struct record part = read_named(s, parts.items[i], a);

		if (!has_path(c, part.path))
			results_add(&c->found, s, &part, NULL);
	}
	free(parts.items);
	return 1;
}

/* Add the memory that OPERAND names: 1, or 0 where it names none and so is
 * text; WHY then says why it is not a path, if it could be one. */
static int add_named(struct cli_selection *c, struct store *s,
		     const char *operand, struct arena *a, struct err *why,
		     struct err *e)
{
	const char *path;
	int64_t id;
	bool is_id = store_is_id(operand, &id);
	int found = cli_select_locate(s, operand, a, &path, e);

	if (found == 1)
		return add_path(c, s, path, a, e);
	if (found == 0 && is_id)
		return store_absent(s, operand, e);
	if (found >= 0 || is_id || e->code == ERR_DATA ||
	    store_is_named_id(operand, &id))
		return found;
	*why = *e;
	return 0;
}

void cli_select_words(struct strings *words, const char *text, struct arena *a)
{
	static const char blanks[] = " \t\n";

	for (text += strspn(text, blanks); *text;
	     text += strspn(text, blanks)) {
		const size_t len = strcspn(text, blanks);

		strings_add(words, arena_copy(a, text, len));
		text += len;
	}
}

/* A search for the articles that words name. */
struct article_search {
	struct store *s;
	struct match **words;
	size_t n;
	struct results *out;
	struct arena arena; /* for one article */
	struct err *e;
};

/* Return true if R is a part of an article, but not the first. */
static bool is_later_part(const struct record *r, struct arena *a)
{
	struct value part;

	return record_find_key(r, "part", a, &part) == 1 &&
	       part.kind == VALUE_INT && part.u.i > 1;
}

/* Add R if its title, name and tags contain all words. */
static int add_named_article(void *ctx, const struct record *r)
{
	struct article_search *search = ctx;
	struct buf text = {0};
	int found = 1;

	arena_reset(&search->arena);
	if (is_later_part(r, &search->arena))
		return 0;
	buf_addf(&text, "%s\n%s", r->title ? r->title : "",
		 strrchr(r->path, '/') + 1);
	for (size_t i = 0; i < r->ntags; i++)
		buf_addf(&text, "\n%s", r->tags[i]);
	for (size_t i = 0; i < search->n && found == 1; i++)
		found = match_test(search->words[i], text.p, text.len,
				   search->e);
	if (found == 1)
		results_add(search->out, search->s, r, NULL);
	buf_release(&text);
	return found < 0 ? -1 : 0;
}

int cli_select_articles(struct store *s, bool trash,
			const struct strings *words, struct results *out,
			struct err *e)
{
	struct article_search search = {.s = s, .out = out, .e = e};
	int r = 0;

	search.words = mem_alloc((words->n + 1) * sizeof(*search.words));
	while (search.n < words->n && !r) {
		r = match_new_word(&search.words[search.n],
				   words->items[search.n], e);
		search.n += !r;
	}
	if (!r && words->n)
		r = trash ? trash_each_article(s, add_named_article, &search, e)
			  : store_each(s, AREA_ARTICLES, add_named_article,
				       &search, e);
	while (search.n)
		match_free(search.words[--search.n]);
	free(search.words);
	arena_release(&search.arena);
	return r < 0 ? -1 : 0;
}

static int find_text(struct cli_selection *c, struct store *s, struct err *e)
{
	struct grep_query q = {
		.narrow = {.lifted = marks_past() | MARK_OTHER_LANGUAGE}};
	int r = match_new(&q.match, c->text, strlen(c->text), MATCH_LITERAL, e);

	c->found.order = RESULTS_BY_ID;
	if (!r)
		r = grep_collect(s, AREA_MEMORIES, &q, &c->found, e);
	match_free(q.match);
	results_sort(&c->found);
	return r;
}

static const char *join_operands(const char *const *operands, size_t n,
				 struct arena *a)
{
	const char *text = operands[0];

	for (size_t i = 1; i < n; i++)
		text = arena_printf(a, "%s %s", text, operands[i]);
	return text;
}

int cli_select_memories(struct cli_selection *c, struct store *s,
			const char *const *operands, size_t n, struct arena *a,
			struct err *e)
{
	struct err why = {.code = ERR_NONE};
	size_t named = 0;

	*c = (struct cli_selection){.no_text = c->no_text};
	for (size_t i = 0; i < n; i++) {
		const int r = add_named(c, s, operands[i], a, &why, e);

		if (r < 0)
			return -1;
		if (!r && c->no_text)
			return err_set(e, ERR_USAGE,
				       "'%s' is not an id or a file of the "
				       "store",
				       operands[i]);
		named += r == 1;
	}
	if (named == n)
		return 0;
	if (c->found.n)
		return err_set(e, ERR_USAGE,
			       "some of these name memories and some do not: "
			       "put a text with a number in it in quotes");
	c->text = join_operands(operands, n, a);
	if (find_text(c, s, e) < 0)
		return -1;
	if (c->found.n || why.code != ERR_USAGE || !strchr(c->text, '/'))
		return 0;
	return err_take(e, &why);
}

size_t cli_count_articles(const struct results *found)
{
	struct arena a = {0};
	size_t articles = 0;
	struct record r;

	for (size_t i = 0; i < found->n; i++) {
		results_get(found, &found->items[i], &a, &r);
		articles += layout_is_article(r.path);
	}
	arena_release(&a);
	return articles;
}

const char *cli_select_noun(const struct results *found)
{
	const size_t n = found->n, articles = cli_count_articles(found);

	if (articles && articles < n)
		return "memories and articles";
	if (articles)
		return n == 1 ? "article" : "articles";
	return n == 1 ? "memory" : "memories";
}

bool cli_select_has_broken(const struct cli_selection *c)
{
	struct arena a = {0};
	struct record r;
	bool any = false;

	for (size_t i = 0; i < c->found.n && !any; i++) {
		results_get(&c->found, &c->found.items[i], &a, &r);
		any = !r.id && !layout_is_article(r.path);
	}
	arena_release(&a);
	return any;
}

/* Append a hint that names the path of an article of S that has the words of TEXT.
 * Return false if there is none. */
static bool hint_article(struct buf *out, struct store *s, const char *text,
			 struct arena *a)
{
	struct strings words = {0};
	struct results found = {0};
	struct record r;
	struct err e;
	bool any;

	cli_select_words(&words, text, a);
	any = cli_select_articles(s, false, &words, &found, &e) == 0 && found.n;
	if (any) {
		results_get(&found, &found.items[0], a, &r);
		buf_addf(out, "to forget the article: co forget '%s'", r.path);
	}
	if (found.n > 1)
		buf_addf(out, " and %zu more", found.n - 1);
	results_release(&found);
	free(words.items);
	return any;
}

void cli_select_elsewhere(struct buf *out, struct store *s, const char *text,
			  struct arena *a)
{
	const bool global = s->repo.root.scope == SCOPE_GLOBAL;
	struct cli_selection c = {0};
	struct store other;
	struct buf ids = {0};
	struct err e;

	if (hint_article(out, s, text, a) ||
	    store_open(&other, global ? SCOPE_PROJECT : SCOPE_GLOBAL, NULL,
		       NULL) < 0)
		return;
	cli_select_memories(&c, &other, &text, 1, a, &e);
	for (size_t i = 0; i < c.found.n && i < HINT_MAX; i++)
		buf_addf(&ids, "%s%s%d", i ? ", " : "",
			 record_scope_prefix(other.repo.root.scope),
			 c.found.items[i].id);
	if (c.found.n > HINT_MAX)
		buf_addf(&ids, " and %zu more", c.found.n - HINT_MAX);
	if (ids.len && global)
		buf_addf(out, "the project has %s: leave --global out", ids.p);
	else if (ids.len)
		buf_addf(out, "the user's store has %s", ids.p);
	results_release(&c.found);
	buf_release(&ids);
	store_close(&other);
}
