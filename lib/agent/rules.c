#include "agent/rules.h"

#include "base/strings.h"
#include "cache/cache.h"
#include "cache/write-hints.h"
#include "repo/marks.h"

#define WAIT_MS 3000 /* for another process that makes the cache */

/* Paths of memories that may be rules. */
struct candidates {
	struct arena *a;
	const char **paths;
	size_t n, cap;
	struct err
		unread; /* of the first file that cannot be read, if its code is set */
};

static int may_be_rule(void *ctx, unsigned who, const struct record *r,
		       struct err *e)
{
	(void)ctx;
	(void)who;
	(void)e;
	return record_keys_maybe(&r->keys, RULES_KEY);
}

static int add_candidate(void *ctx, const struct record *r)
{
	struct candidates *c = ctx;

	*MEM_ADD(c->paths, c->n, c->cap) = arena_strdup(c->a, r->path);
	return 0;
}

/* Return true if the N memories of S can be searched during the start of a
 * session: they are few, or the cache knows them. Make the cache if needed. */
static bool is_bounded(struct store *s, size_t n)
{
	bool known;

	if (n <= RULES_READ ||
	    cache_refresh(s->cache, REFRESH_MEMORIES, NULL) == 1)
		return true;
	if (!cache_lock(s->cache, WAIT_MS))
		return false;
	known = cache_refresh(s->cache, REFRESH_MEMORIES | REFRESH_MAKE,
			      NULL) == 1;
	cache_unlock(s->cache);
	return known;
}

/* A report: keep the first file in C that the system refused to read. Lists of memories
 * report the others. */
static void note_unread(void *ctx, const struct err *why)
{
	struct candidates *c = ctx;

	if (why->code == ERR_SYSTEM && !c->unread.code)
		c->unread = *why;
}

static int find_candidates(struct candidates *c, struct store *s, struct err *e)
{
	const struct report *report = s->report;
	const struct report unread = {note_unread, c};
	int r;
	struct write_hints_paths known;
	size_t n = 0;

	if (write_hints_with_key(s->cache, RULES_KEY, c->a, &known)) {
		for (size_t i = 0; i < known.n; i++)
			add_candidate(c, &(struct record){
						 .path = known.items[i].path});
		return 0;
	}
	if (store_count(s, AREA_MEMORIES, &n, e) < 0)
		return -1;
	if (!n)
		return 0;
	if (!is_bounded(s, n))
		return err_set(e, ERR_SYSTEM,
			       "'%s/memories' has more than %d memories, and "
			       "no cache can be kept: those that are always "
			       "loaded are left out",
			       s->repo.path, RULES_READ);
	s->report = &unread;
	r = store_each_wanted(s, AREA_MEMORIES, may_be_rule, add_candidate, c,
			      e);
	s->report = report;
	return r;
}

bool rules_has(const struct record *r)
{
	return value_is_true(value_get(r->frontmatter, RULES_KEY)) &&
	       !(marks_of_map(r->frontmatter, instant_now()) &
		 (marks_hidden() | MARK_EXTERNAL));
}

static int by_created(const void *a, const void *b)
{
	const struct record *x = a, *y = b;
	const int order = instant_cmp(x->at, y->at);

	return order ? order : record_by_id(x, y);
}

int rules_find(struct rules *rules, struct store *s, struct err *e)
{
	struct arena a = {0};
	struct candidates c = {.a = &a};
	struct record r;
	struct err why;
	int result = 0;

	*rules = (struct rules){0};
	if (s->repo.fd >= 0)
		result = find_candidates(&c, s, e);
	MEM_SORT(c.paths, c.n, strings_compare);
	rules->items = arena_alloc(&rules->arena, c.n * sizeof(r));
	for (size_t i = 0; i < c.n; i++) {
		int found;

		if (i && !strcmp(c.paths[i], c.paths[i - 1]))
			continue;
		found = store_read(s, c.paths[i], &rules->arena, &r, &why);
		if (found < 0)
			note_unread(&c, &why);
		if (found != 1 || !rules_has(&r) ||
		    store_marks(s, &r.keys, NULL) & MARK_OTHER_LANGUAGE)
			continue;
		rules->items[rules->n++] = r;
	}
	MEM_SORT(rules->items, rules->n, by_created);
	if (result == 0 && c.unread.code)
		result = err_take(e, &c.unread);
	free(c.paths);
	arena_release(&a);
	return result;
}

void rules_release(struct rules *rules)
{
	arena_release(&rules->arena);
	*rules = (struct rules){0};
}

void rules_bullet(struct buf *out, const char *p, size_t len, const char *nl)
{
	buf_adds(out, "- ");
	for (size_t i = 0; i < len; i++) {
		if (p[i] == '\r' && i + 1 < len && p[i + 1] == '\n')
			continue;
		if (p[i] != '\n') {
			buf_addc(out, p[i]);
			continue;
		}
		buf_adds(out, nl);
		if (i + 1 < len && p[i + 1] != '\n' && p[i + 1] != '\r')
			buf_adds(out, "  ");
	}
	buf_adds(out, nl);
}

void rules_text(struct buf *out, const struct rules *rules)
{
	if (!rules->n)
		return;
	buf_adds(out, "### Learned\n\n");
	for (size_t i = 0; i < rules->n; i++)
		rules_bullet(out, rules->items[i].content,
			     rules->items[i].content_len, "\n");
	buf_cut(out, out->len - 1);
}
