/* projects.c: a store that is open takes some descriptors, and there may be more
 * of them than a process gets unasked.
 */
#include "search/projects.h"

#include "base/table.h"
#include "repo/known-projects.h"
#include "search/reach.h"

#include <stdlib.h>
#include <sys/resource.h>

#define FILES_OF_ONE 5 /* of a store that is searched, and room */
#define FILES_OWN 24   /* of the caller's own, of the program and its index */

void projects_add(struct projects *p, struct store *s)
{
	p->items = mem_grow(p->items, p->n, &p->cap, sizeof(*p->items));
	p->items[p->n++] = s;
	p->own++;
}

/* Say that E kept one from answering, as no failure. */
static void leave(const struct projects *p, const struct err *e)
{
	struct err say;

	err_set(&say, ERR_NONE, "%s", e->text);
	err_report(p->report, &say);
}

/* How many stores may be open at once, with as many files as the system grants. */
static size_t most_open(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return SIZE_MAX;
	if (limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	if (limit.rlim_cur == RLIM_INFINITY)
		return SIZE_MAX;
	return limit.rlim_cur < FILES_OWN
		       ? 0
		       : (limit.rlim_cur - FILES_OWN) / FILES_OF_ONE;
}

/* The known projects, while they are gone through. */
struct walk {
	struct known_projects known;
	struct table ids; /* of those that were opened */
	struct reach *reach;
	size_t i, lost; /* LOST: how many do not answer */
};

/* True if the project ID was opened already. */
static bool is_opened(const struct walk *w, const char *id)
{
	struct table_look k = table_look(&w->ids, id, strlen(id), 0);
	size_t i;

	while (table_next(&k, &i)) {
		if (!strcmp(w->known.items[i].id, id))
			return true;
	}
	return false;
}

/* Look whether others than OWN, the id of the project or NULL, answer. */
static void begin_reach(struct walk *w, const char *own, struct arena *a)
{
	const char **folders = arena_alloc(a, w->known.n * sizeof(*folders));
	size_t others = 0;

	for (size_t i = 0; i < w->known.n; i++)
		others += !own || strcmp(own, w->known.items[i].id) != 0;
	if (!others)
		return;
	for (size_t i = 0; i < w->known.n; i++)
		folders[i] = arena_printf(a, "%s/.co-cli/knowledge",
					  w->known.items[i].path);
	w->reach = reach_begin(folders, w->known.n);
}

static void begin(struct walk *w, struct projects *p, struct store *own)
{
	const struct root *root = &own->repo.root;
	struct project is;
	struct err e;

	*w = (struct walk){0};
	p->report = own->report;
	if (project_read(&is, root->fd, root->path ? root->path : ""))
		own->project = arena_strdup(&p->arena, is.id);
	if (known_projects_read(&w->known, &p->arena, &e) < 0)
		leave(p, &e);
	if (w->known.n)
		begin_reach(w, own->project, &p->arena);
}

/* Say of the project at PATH that it does not answer, of the last that is told of
 * that the others are not waited for. */
static void leave_lost(struct walk *w, const struct projects *p,
		       const char *path)
{
	struct err e;

	if (++w->lost > REACH_LOST_MAX)
		return;
	err_set(&e, ERR_NONE, "'%s' does not answer, and is not asked%s", path,
		w->lost < REACH_LOST_MAX ? ""
					 : ", nor is any that comes later "
					   "and does not at once");
	err_report(p->report, &e);
}

/* Open what KNOWN names, or NULL where it is not to be asked. */
static struct store *open_one(const struct projects *p,
			      struct known_project *known)
{
	struct store *s = mem_alloc(sizeof(*s));
	struct err e;
	size_t n;
	int r = store_open_known(s, known, p->report, &e);

	/* What cannot be looked through is found out before it can spoil the
	 * answer of the others. */
	if (r == 1 && store_count(s, AREA_MEMORIES, &n, &e) < 0) {
		store_close(s);
		r = -1;
	}
	if (r < 0)
		leave(p, &e);
	if (r != 1) {
		free(s);
		return NULL;
	}
	s->project = known->id;
	s->elsewhere = known->path;
	return s;
}

/* Say that KNOWN, which has the id of the project at PATH, is not asked. */
static void leave_rival(const struct projects *p,
			const struct known_project *known, const char *path)
{
	struct err e;

	err_set(&e, ERR_NONE,
		"'%s' is not asked: it has the project id of '%s'", known->path,
		path);
	err_report(p->report, &e);
}

/* True if another of W, or the project OWN that asks, may have the id of KNOWN. */
static bool has_rivals(const struct walk *w, const struct known_project *known,
		       const struct store *own)
{
	size_t n = own->project && !strcmp(own->project, known->id);

	for (size_t i = 0; i < w->known.n && n < 2; i++)
		n += !strcmp(w->known.items[i].id, known->id);
	return n > 1;
}

/* The folder of the project that has the id of KNOWN: OWN's, which asks, else the one
 * that was noted first; in A.  NULL where KNOWN is in that, or in a work tree of the
 * same clone. */
static const char *find_owner(const struct walk *w,
			      const struct known_project *known,
			      const struct store *own, struct arena *a)
{
	const struct known_project *first = NULL;
	const char *path = NULL;

	if (own->project && !strcmp(own->project, known->id)) {
		path = own->repo.root.path;
		path = arena_copy(a, path, (size_t)(strrchr(path, '/') - path));
	}
	for (size_t i = 0; i < w->known.n && !path; i++) {
		struct known_project *q = &w->known.items[i];

		if (!strcmp(q->id, known->id) &&
		    (!first || instant_cmp(q->since, first->since) <= 0) &&
		    (!w->reach || reach_answers(w->reach, i)) &&
		    known_project_stands(q))
			first = q;
	}
	if (first)
		path = first->path;
	return path && !known_project_is_same(path, known->path) ? path : NULL;
}

/* True if KNOWN is the project OWN itself, whose id may be broken. */
static bool is_own(const struct known_project *known, const struct store *own)
{
	const char *root = own->repo.root.path;
	const size_t len = strlen(known->path);

	return (own->project && !strcmp(own->project, known->id)) ||
	       (root && !strncmp(root, known->path, len) &&
		!strcmp(root + len, "/.co-cli"));
}

/* Open the next that can be asked, which is the caller's, or NULL. */
static struct store *next(struct walk *w, struct projects *p,
			  const struct store *own)
{
	while (w->i < w->known.n) {
		struct known_project *one = &w->known.items[w->i++];
		const bool rivals = has_rivals(w, one, own);
		const char *owner = NULL;
		struct store *s;

		if (!rivals && is_own(one, own))
			continue;
		if (w->reach && !reach_answers(w->reach, w->i - 1)) {
			leave_lost(w, p, one->path);
			continue;
		}
		if (rivals)
			owner = find_owner(w, one, own, &p->arena);
		if (owner && !p->quiet && known_project_stands(one))
			leave_rival(p, one, owner);
		if (owner || is_own(one, own) || is_opened(w, one->id))
			continue;
		s = open_one(p, one);
		if (s) {
			table_put(&w->ids, one->id, strlen(one->id), 0,
				  w->i - 1);
			return s;
		}
	}
	return NULL;
}

static void end(struct walk *w)
{
	known_projects_forget(&w->known);
	reach_end(w->reach);
	table_release(&w->ids);
}

static void shut(struct store *s)
{
	store_close(s);
	free(s);
}

/* Say that no more than MOST are asked. */
static void leave_rest(const struct projects *p, size_t most)
{
	struct err e;

	err_set(&e, ERR_NONE,
		"only %zu other project%s asked, written to last: no more "
		"files may be open ('ulimit -n')",
		most, most == 1 ? " is" : "s are");
	err_report(p->report, &e);
}

void projects_open(struct projects *p, struct store *own)
{
	const size_t most = most_open();
	struct store *s;
	struct walk w;

	begin(&w, p, own);
	while ((!p->most || p->n - p->own < p->most) &&
	       (s = next(&w, p, own))) {
		if (p->n - p->own == most) {
			shut(s);
			leave_rest(p, most);
			break;
		}
		projects_add(p, s);
		p->own--;
	}
	end(&w);
}

void projects_each(struct store *own, projects_fn *fn, void *ctx)
{
	struct projects p = {.quiet = true};
	struct store *s;
	struct walk w;

	begin(&w, &p, own);
	fn(ctx, own);
	while ((s = next(&w, &p, own))) {
		fn(ctx, s);
		shut(s);
	}
	end(&w);
	own->project = NULL;
	arena_release(&p.arena);
}

int projects_grep(const struct projects *p, enum area area,
		  const struct grep_query *q, struct results *found, size_t *n,
		  struct err *e)
{
	for (size_t i = 0; i < p->n; i++) {
		size_t one = 0;
		int r = found ? grep_collect(p->items[i], area, q, found, e)
			      : grep_count(p->items[i], area, q, &one, e);

		if (r < 0 && i < p->own)
			return -1;
		if (r < 0)
			leave(p, e);
		if (!found)
			*n += one;
	}
	return 0;
}

void projects_collect(struct projects *p, struct store *own, enum area area,
		      const struct grep_query *q, struct results *found)
{
	struct err e;

	projects_open(p, own);
	projects_grep(p, area, q, found, NULL, &e);
}

void projects_close(struct projects *p)
{
	for (size_t i = p->own; i < p->n; i++) {
		shut(p->items[i]);
	}
	for (size_t i = 0; i < p->own; i++)
		p->items[i]->project = NULL;
	free(p->items);
	arena_release(&p->arena);
	*p = (struct projects){0};
}
