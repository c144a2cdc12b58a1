/* changes.c: within a step, versions that disappeared and appeared are matched
 * by id, then path. */
#include "history/changes.h"

/* Return the kind of the change from WAS to NOW; one may be NULL. */
static enum change_kind change_kind_of(const struct version *was,
				       const struct version *now)
{
	const bool put_away = now && version_is_archived(now->path) &&
			      !(was && version_is_archived(was->path));

	if (!now)
		return CHANGE_FORGOTTEN;
	if (now->superseded && !(was && was->superseded))
		return CHANGE_SUPERSEDED;
	if (put_away)
		return CHANGE_ARCHIVED;
	if (!was)
		return CHANGE_LEARNED;
	if ((version_is_archived(was->path) &&
	     !version_is_archived(now->path)) ||
	    (was->superseded && !now->superseded))
		return CHANGE_RESTORED;
	return version_same(was, now) ? CHANGE_MOVED : CHANGE_EDITED;
}

/* The changes of a step, and the versions not matched yet. */
struct grouping {
	struct file_changes *all;
	const struct step *step;
	struct change *changes;
	size_t n, cap;
	struct version **gone, **came;
	size_t ngone, gone_cap, ncame, came_cap;
};

static bool is_wanted(const struct file_changes *all, const struct version *v)
{
	const struct history_want *w = all->want;

	return v && ((!w->id && !w->path) || (w->id && v->id == w->id) ||
		     (w->path && !strcmp(v->path, w->path)));
}

/* Set the time of a change that is not committed: when the memory was created,
 * or the file modified. */
static void set_date(struct change *c)
{
	const char *created = c->now ? c->now->created : NULL;

	if (c->now)
		c->at = c->now->changed;
	if (c->kind == CHANGE_LEARNED && created)
		instant_parse(created, strlen(created), &c->at);
}

static struct change *add_change(struct grouping *g, const struct version *was,
				 const struct version *now)
{
	if (!is_wanted(g->all, was) && !is_wanted(g->all, now))
		return NULL;
	g->changes = mem_grow(g->changes, g->n, &g->cap, sizeof(*g->changes));
	g->changes[g->n] = (struct change){.kind = change_kind_of(was, now),
					   .was = was,
					   .now = now,
					   .at = g->step->at};
	if (!g->step->commit)
		set_date(&g->changes[g->n]);
	return &g->changes[g->n++];
}

static void add_version(struct version ***list, size_t *n, size_t *cap,
			struct version *v)
{
	if (!v)
		return;
	*list = mem_grow(*list, *n, cap, sizeof(struct version *));
	(*list)[(*n)++] = v;
}

/* Add the change of a merge that differs from all its parents. */
static void add_merged(struct grouping *g, const struct file_change *t)
{
	const struct version *first = NULL;
	struct change *c;

	for (size_t i = 0; i < t->nwas && !first; i++)
		first = t->was[i];
	c = add_change(g, first, t->now);
	if (!c || !t->now)
		return;
	c->kind = CHANGE_MERGED;
	c->others = arena_alloc(&g->all->h->arena,
				t->nwas * sizeof(struct version *));
	for (size_t i = 0; i < t->nwas; i++) {
		if (t->was[i])
			c->others[c->nothers++] = t->was[i];
	}
}

/* Add the change of T, or keep its versions to be matched. */
static void add_file_change(struct grouping *g, const struct file_change *t)
{
	struct version *was = t->was[0], *now = t->now;

	if (t->nwas > 1) {
		add_merged(g, t);
	} else if (was == now) {
		return;
	} else if (was && now && was->missing) {
		/* The old text is missing.  Add a change only if git says that
		 * it differs. */
		if (now->blob || now->other)
			add_change(g, was, now);
	} else if (was && now && version_is_one(was, now)) {
		if (!version_same(was, now))
			add_change(g, was, now);
	} else {
		add_version(&g->gone, &g->ngone, &g->gone_cap, was);
		add_version(&g->came, &g->ncame, &g->came_cap, now);
	}
}

static int by_id(const void *a, const void *b)
{
	const struct version *x = *(struct version *const *)a,
			     *y = *(struct version *const *)b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return strcmp(x->path, y->path);
}

/* Match the versions that disappeared with those that appeared. */
static void match_versions(struct grouping *g)
{
	size_t i = 0, j = 0;

	if (g->ngone)
		qsort(g->gone, g->ngone, sizeof(struct version *), by_id);
	if (g->ncame)
		qsort(g->came, g->ncame, sizeof(struct version *), by_id);
	while (i < g->ngone || j < g->ncame) {
		struct version *was = i < g->ngone ? g->gone[i] : NULL;
		struct version *now = j < g->ncame ? g->came[j] : NULL;

		if (was && now && version_is_one(was, now)) {
			add_change(g, was, now);
			i++, j++;
		} else if (was && (!now || by_id(&was, &now) <= 0)) {
			add_change(g, was, NULL);
			i++;
		} else {
			add_change(g, NULL, now);
			j++;
		}
	}
}

static int by_document(const void *a, const void *b)
{
	const struct change *x = a, *y = b;
	const struct version *v = x->now ? x->now : x->was;
	const struct version *w = y->now ? y->now : y->was;

	return by_id(&v, &w);
}

/* Set the latest version.  Prefer the committed version if it is equal. */
static void set_latest(struct file_changes *all, const struct file_change *t)
{
	const struct version *was = t->was[0], *now = t->now;

	if (t->step == 0 && is_wanted(all, now))
		all->h->latest = was && version_same(was, now) ? was : now;
}

void changes_make(struct file_changes *all)
{
	struct grouping g = {.all = all};

	for (size_t i = 0, t = 0; i < all->h->n; i++) {
		struct step *s = &all->h->steps[i];
		size_t bytes;

		g.step = s;
		g.n = g.ngone = g.ncame = 0;
		for (; t < all->n && all->items[t].step == i; t++) {
			set_latest(all, &all->items[t]);
			add_file_change(&g, &all->items[t]);
		}
		match_versions(&g);
		if (!g.n)
			continue;
		qsort(g.changes, g.n, sizeof(*g.changes), by_document);
		bytes = g.n * sizeof(*g.changes);
		s->changes = arena_alloc(&all->h->arena, bytes);
		memcpy(s->changes, g.changes, bytes);
		s->n = g.n;
	}
	free(g.changes);
	free(g.gone);
	free(g.came);
}

static int by_newest(const void *a, const void *b)
{
	const struct change *x = a, *y = b;
	const int order = instant_cmp(y->at, x->at);

	return order ? order : by_document(b, a);
}

void changes_order(struct history *h)
{
	for (size_t i = 0; i < h->n; i++) {
		struct step *s = &h->steps[i];

		if (s->n)
			qsort(s->changes, s->n, sizeof(*s->changes), by_newest);
	}
}

void changes_mark_restored(struct history *h)
{
	struct table seen = {0};
	struct table_look look;
	size_t n = 0, which;

	for (size_t i = h->n; i-- > 0;) {
		for (size_t k = 0; k < h->steps[i].n; k++) {
			struct change *c = &h->steps[i].changes[k];
			const struct version *v = c->now ? c->now : c->was;
			const char *path = v->id ? "" : v->path;

			look = table_look(&seen, path, strlen(path),
					  (uint64_t)v->id);
			if (!table_next(&look, &which))
				table_put(&seen, path, strlen(path),
					  (uint64_t)v->id, n++);
			else if (c->kind == CHANGE_LEARNED)
				c->kind = CHANGE_RESTORED;
		}
	}
	table_release(&seen);
}
