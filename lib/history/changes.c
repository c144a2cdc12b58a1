/* changes.c: within a step, versions that disappeared and appeared are matched
 * by id, then path. */
#include "history/changes.h"

#include "sys/git.h"

/* Unmodified files. Git is only asked about files that differ, and only if
 * .gitattributes mentions them. If nothing is edited or there are no attributes, this
 * costs one process or none. If git fails, the files count as modified. */

enum { FILTER, IDENT, ENCODING, ATTRIBUTES };

struct doubt {
	struct file_change *change;
	const char *path; /* relative to the top directory */
	bool has[ATTRIBUTES];
};

struct doubts {
	struct file_changes *all;
	struct doubt *items;
	size_t n;
	struct buf names; /* their paths, each terminated by NUL */
};

static void add_doubt(struct doubts *d, struct file_change *t)
{
	const char *path = arena_printf(&d->all->h->arena, "%s%s",
					d->all->prefix, t->now->path);

	d->items[d->n++] = (struct doubt){.change = t, .path = path};
	buf_add(&d->names, path, strlen(path) + 1);
}

/* List the files that differ from their old version in D. */
static void find_doubts(struct doubts *d)
{
	struct file_changes *all = d->all;

	d->items = mem_alloc((all->n + 1) * sizeof(*d->items));
	for (size_t i = 0; i < all->n && all->items[i].step == 0; i++) {
		struct file_change *t = &all->items[i];
		const struct version *was = t->was[0], *now = t->now;

		if (was && now && !now->blob && !version_same(was, now))
			add_doubt(d, t);
	}
}

/* Read the attributes of each file.  Git prints PATH, ATTRIBUTE, VALUE, each
 * terminated by NUL, in the order of the input.  Returns false if git fails. */
static bool read_attributes(struct doubts *d)
{
	static const char *const words[] = {
		"check-attr", "-z",    "--stdin",
		"filter",     "ident", "working-tree-encoding",
		NULL};
	struct buf out = {0};
	const char *p, *end;
	size_t i = 0;
	bool is = git_ask(d->all->dir, words, d->names.p, d->names.len, &out,
			  NULL) == 0;

	p = buf_str(&out);
	end = p + out.len;
	for (; is && i < d->n * ATTRIBUTES && p < end; i++) {
		struct doubt *at = &d->items[i / ATTRIBUTES];

		is = !strcmp(p, at->path);
		for (int skipped = 0; skipped < 2 && p < end; skipped++)
			p += strlen(p) + 1;
		if (p >= end)
			break;
		at->has[i % ATTRIBUTES] = strcmp(p, "unspecified") != 0 &&
					  strcmp(p, "unset") != 0;
		p += strlen(p) + 1;
	}
	buf_release(&out);
	return is && i == d->n * ATTRIBUTES;
}

/* Return true if git must compute the blob of AT.  Names that git would unquote
 * cannot be passed in a list. */
static bool needs_blob(const struct doubt *at)
{
	return !at->has[FILTER] &&
	       (at->has[IDENT] || at->has[ENCODING] ||
		at->change->was[0]->missing) &&
	       *at->path != '"' && !strchr(at->path, '\n');
}

static void set_unmodified(struct file_change *t)
{
	t->now = t->was[0];
}

/* Compare the blobs that git computes with the old ones.  A filter may be named
 * like git's words for "no filter"; such filters are disabled. */
static void compare_blobs(struct doubts *d)
{
	static const char *const words[] = {
		"-c",	       "filter.unspecified.clean=",
		"-c",	       "filter.unspecified.process=",
		"-c",	       "filter.unspecified.required=false",
		"-c",	       "filter.unset.clean=",
		"-c",	       "filter.unset.process=",
		"-c",	       "filter.unset.required=false",
		"hash-object", "--stdin-paths",
		NULL};
	struct buf names = {0}, out = {0};
	const char *p;

	for (size_t i = 0; i < d->n; i++) {
		if (needs_blob(&d->items[i]))
			buf_addf(&names, "%s\n", d->items[i].path);
	}
	if (!names.len ||
	    git_ask(d->all->dir, words, names.p, names.len, &out, NULL) != 0)
		goto out;
	p = buf_str(&out);
	for (size_t i = 0; i < d->n && *p; i++) {
		struct file_change *t = d->items[i].change;
		const size_t len = strcspn(p, "\n");

		if (!needs_blob(&d->items[i]))
			continue;
		if (strlen(t->was[0]->blob) == len &&
		    !strncmp(t->was[0]->blob, p, len))
			set_unmodified(t);
		else
			t->now->other = true;
		p += len + (p[len] == '\n');
	}
out:
	buf_release(&names);
	buf_release(&out);
}

/* Trust git's index about files with a filter. */
static void apply_index(struct doubts *d)
{
	bool any = false;

	for (size_t i = 0; i < d->n && !any; i++)
		any = d->items[i].has[FILTER];
	if (!any)
		return;
	file_changes_read_index(d->all);
	for (size_t i = 0; i < d->n; i++) {
		struct file_change *t = d->items[i].change;

		if (d->items[i].has[FILTER] &&
		    file_changes_is_current(d->all, t))
			set_unmodified(t);
	}
}

/* In the first step of ALL, the work tree, set NOW of unmodified files to their old
 * version. For missing versions, set whether the file differs. */
static void find_unmodified(struct file_changes *all)
{
	struct doubts d = {.all = all};

	find_doubts(&d);
	if (d.n && read_attributes(&d)) {
		compare_blobs(&d);
		apply_index(&d);
	}
	free(d.items);
	buf_release(&d.names);
}

/* Changes of memories. */

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

/* Match the versions that disappeared with those that appeared. */
static void match_versions(struct grouping *g)
{
	size_t i = 0, j = 0;

	if (g->ngone)
		qsort(g->gone, g->ngone, sizeof(struct version *),
		      version_by_id);
	if (g->ncame)
		qsort(g->came, g->ncame, sizeof(struct version *),
		      version_by_id);
	while (i < g->ngone || j < g->ncame) {
		struct version *was = i < g->ngone ? g->gone[i] : NULL;
		struct version *now = j < g->ncame ? g->came[j] : NULL;

		if (was && now && version_is_one(was, now)) {
			add_change(g, was, now);
			i++, j++;
		} else if (was && (!now || version_by_id(&was, &now) <= 0)) {
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

	return version_by_id(&v, &w);
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

	if (all->h->n && !all->h->steps->commit)
		find_unmodified(all);
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
