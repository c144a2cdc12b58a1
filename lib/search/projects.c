/* projects.c: an open store takes several descriptors, and there may be more
 * stores than a process may open by default.
 */
#include "search/projects.h"

#include "base/table.h"
#include "sys/file.h"
#include "search/reach.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>

/* Descriptors of an open store, and of the program with the caller's stores; and how many
 * more each takes with an index. */
#define FILES_OF_ONE 3
#define FILES_OWN 12
#define FILES_INDEX 1
#define FILES_OWN_INDEXES 12

void projects_add(struct projects *p, struct store *s)
{
	*MEM_ADD(p->items, p->n, p->cap) = s;
	p->own++;
}

/* Add S, which is allocated and which projects_close() closes and frees. */
static void add_owned(struct projects *p, struct store *s)
{
	projects_add(p, s);
	p->own--;
}

/* Report that a store is skipped because of E; this is not an error. */
static void report_skipped(const struct projects *p, const struct err *e)
{
	err_warn(p->report, ERR_NONE, "%s", e->text);
}

/* Return how many stores P may have open at once, besides the caller's own. Raises the
 * limit of open files to the maximum. */
static size_t most_open(const struct projects *p)
{
	const rlim_t one = FILES_OF_ONE + (p->indexed ? FILES_INDEX : 0),
		     own = FILES_OWN + (p->indexed ? FILES_OWN_INDEXES : 0);
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return SIZE_MAX;
	if (limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	if (limit.rlim_cur == RLIM_INFINITY)
		return SIZE_MAX;
	return limit.rlim_cur < own ? 0 : (limit.rlim_cur - own) / one;
}

/* A loop over the known projects. */
struct walk {
	struct known_projects known;
	struct table ids; /* of the opened ones */
	struct reach *reach;
	size_t i, lost; /* LOST: how many do not answer */
};

/* Return true if a project with ID was opened already. */
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

/* Return true if P has the store in the directory PATH. */
static bool is_taken(const struct projects *p, const char *path)
{
	for (size_t i = p->own; i < p->n; i++) {
		if (!strcmp(p->items[i]->elsewhere, path))
			return true;
	}
	return false;
}

/* Start to check whether the projects other than OWN, an id or NULL, answer. */
static void start_reach(struct walk *w, const char *own, struct arena *a)
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

static void begin_walk(struct walk *w, struct projects *p, struct store *own)
{
	const struct root *root = &own->repo.root;
	struct project is;
	struct err e;

	*w = (struct walk){0};
	p->report = own->report;
	if (project_read(&is, root->fd, root->path ? root->path : ""))
		own->project = arena_strdup(&p->arena, is.id);
	if (known_projects_read(&w->known, &p->arena, &e) < 0)
		report_skipped(p, &e);
	if (w->known.n)
		start_reach(w, own->project, &p->arena);
}

/* Report that the project at PATH does not answer. The last report says that
 * later ones are not waited for. */
static void report_unreachable(struct walk *w, const struct projects *p,
			       const char *path)
{
	if (++w->lost > REACH_LOST_MAX)
		return;
	err_warn(p->report, ERR_NONE,
		 "'%s' does not answer, and is not asked%s", path,
		 w->lost < REACH_LOST_MAX ? ""
					  : ", nor is any that comes later "
					    "and does not at once");
}

/* Open the store of KNOWN. Return NULL if it must be skipped. */
static struct store *open_known(const struct projects *p,
				struct known_project *known)
{
	struct store *s = mem_alloc(sizeof(*s));
	struct err e;
	size_t n;
	int r = store_open_known(s, known, p->report, &e);

	/* Find out now whether it can be scanned, before it can spoil the
	 * results of others. */
	if (r == 1 && store_count(s, AREA_MEMORIES, &n, &e) < 0) {
		store_close(s);
		r = -1;
	}
	if (r < 0)
		report_skipped(p, &e);
	if (r != 1) {
		free(s);
		return NULL;
	}
	s->project = known->id;
	s->elsewhere = known->path;
	return s;
}

/* Report that KNOWN is skipped, since it has the id of the project at PATH. */
static void report_rival(const struct projects *p,
			 const struct known_project *known, const char *path)
{
	err_warn(p->report, ERR_NONE,
		 "'%s' is not asked: it has the project id of '%s'",
		 known->path, path);
}

/* Return true if another project of W, or OWN, has the id of KNOWN. */
static bool has_rivals(const struct walk *w, const struct known_project *known,
		       const struct store *own)
{
	size_t n = own->project && !strcmp(own->project, known->id);

	for (size_t i = 0; i < w->known.n && n < 2; i++)
		n += !strcmp(w->known.items[i].id, known->id);
	return n > 1;
}

/* Return the directory of the project that owns the id of KNOWN, in A: OWN's,
 * else the one noted first. Return NULL if KNOWN is that directory, or a work
 * tree of its clone. */
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

/* Return true if KNOWN is the project OWN itself, even if its id is broken. */
static bool is_own(const struct known_project *known, const struct store *own)
{
	const char *root = own->repo.root.path;
	const size_t len = strlen(known->path);

	return (own->project && !strcmp(own->project, known->id)) ||
	       (root && root_project_length(root) == len &&
		!strncmp(root, known->path, len));
}

/* Open the next project. The caller closes it with close_store(). NULL at the
 * end. */
static struct store *open_next(struct walk *w, struct projects *p,
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
			report_unreachable(w, p, one->path);
			continue;
		}
		if (rivals)
			owner = find_owner(w, one, own, &p->arena);
		if (owner && !p->quiet && known_project_stands(one))
			report_rival(p, one, owner);
		if (owner || is_own(one, own) || is_opened(w, one->id) ||
		    is_taken(p, one->path))
			continue;
		s = open_known(p, one);
		if (s) {
			table_put(&w->ids, one->id, strlen(one->id), 0,
				  w->i - 1);
			return s;
		}
	}
	return NULL;
}

static void end_walk(struct walk *w)
{
	known_projects_forget(&w->known);
	reach_end(w->reach);
	table_release(&w->ids);
}

static void close_store(struct store *s)
{
	store_close(s);
	free(s);
}

/* Report that only MOST projects are searched. */
static void report_limit(const struct projects *p, size_t most)
{
	err_warn(p->report, ERR_NONE,
		 "only %zu other project%s asked, written to last: no more "
		 "files may be open ('ulimit -n')",
		 most, most == 1 ? " is" : "s are");
}

void projects_open(struct projects *p, struct store *own)
{
	const size_t most = most_open(p);
	struct store *s;
	struct walk w;

	begin_walk(&w, p, own);
	while ((!p->most || p->n - p->own < p->most) &&
	       (s = open_next(&w, p, own))) {
		if (p->n - p->own >= most) {
			close_store(s);
			report_limit(p, most);
			break;
		}
		add_owned(p, s);
	}
	end_walk(&w);
}

void projects_each(struct store *own, projects_fn *fn, void *ctx)
{
	struct projects p = {.quiet = true};
	struct store *s;
	struct walk w;

	begin_walk(&w, &p, own);
	fn(ctx, own);
	while ((s = open_next(&w, &p, own))) {
		fn(ctx, s);
		close_store(s);
	}
	end_walk(&w);
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
			report_skipped(p, e);
		if (!found)
			*n += one;
	}
	return 0;
}

void projects_close(struct projects *p)
{
	for (size_t i = p->own; i < p->n; i++) {
		close_store(p->items[i]);
	}
	for (size_t i = 0; i < p->own; i++)
		p->items[i]->project = NULL;
	free(p->items);
	arena_release(&p->arena);
	*p = (struct projects){0};
}

/* Return the stores that OWN's project names, in A. */
static const struct settings_store *list_stores(const struct store *own,
						const struct report *report,
						struct arena *a, size_t *n)
{
	const struct root *root = &own->repo.root;
	const struct settings *s;

	*n = 0;
	if (root->scope != SCOPE_PROJECT || root->fd < 0)
		return NULL;
	s = settings_load(-1, "", root->fd, root->path, a, report);
	return settings_stores(s, a, n);
}

/* Return true if the user's settings list PATH in safe.stores. */
static bool is_trusted(const char *path, struct arena *a)
{
	const struct settings *s;
	const char *const *words;
	bool found = false;

	settings_user(&s, a, NULL, NULL);
	words = settings_words(s, "safe.stores", a);
	for (size_t i = 0; words[i] && !found; i++)
		found = !strcmp(words[i], path);
	return found;
}

/* Set *PATH, in A, to the directory that the project of OWN configures as the store
 * WHICH. Return 1, 0 if the directory is absent, or -1. */
static int find_directory(const struct settings_store *which,
			  const struct store *own, struct arena *a,
			  const char **path, struct err *e)
{
	char *folder = root_folder(&own->repo.root),
	     *top = realpath(folder, NULL), *real;
	int r = 1;

	free(folder);
	if (!top)
		return err_sys(e, "cannot find the project's directory");
	*path = arena_printf(a, "%s/%s", top, which->path);
	free(top);
	real = realpath(*path, NULL);
	if (!real && (errno == ENOENT || errno == ENOTDIR))
		r = 0;
	else if (!real)
		r = err_sys(e, "cannot look at '%s'", *path);
	else if (strcmp(real, *path) != 0)
		r = err_set(e, ERR_SYSTEM,
			    "refusing the store '%s': a symbolic link leads to "
			    "'%s'",
			    which->name, real);
	free(real);
	return r;
}

int projects_named_open(struct store *s, const struct settings_store *which,
			const struct store *own, struct arena *a, struct err *e)
{
	const char *path = NULL;
	int r = find_directory(which, own, a, &path, e);

	if (r == 1)
		r = store_open_at(s, path, own->report, e);
	if (r != 1)
		return r;
	s->elsewhere = path;
	s->prefix = arena_printf(a, "%s:", which->name);
	s->external = !is_trusted(path, a);
	return 1;
}

int projects_named_find(struct store *s, const char *name,
			const struct store *own, struct arena *a, struct err *e)
{
	const size_t len = strcspn(name, ":");
	const struct settings_store *all;
	size_t n, i = 0;
	int r;

	all = list_stores(own, own->report, a, &n);
	while (i < n && (strlen(all[i].name) != len ||
			 strncmp(all[i].name, name, len) != 0))
		i++;
	if (i == n)
		return err_set(e, ERR_USAGE,
			       "the project names no store '%.*s': 'co status' "
			       "lists those that it does",
			       (int)len, name);
	r = projects_named_open(s, &all[i], own, a, e);
	if (r == 0)
		err_set(e, ERR_NO,
			"there is no store '%s' in '%s'; if that is a "
			"submodule, 'git submodule update --init' brings it",
			all[i].name, all[i].path);
	return r == 1 ? 0 : -1;
}

/* Report that WHICH and those after it are not opened. */
static void report_left_out(const struct settings_store *which,
			    const struct store *own)
{
	err_warn(own->report, ERR_SYSTEM,
		 "the store '%s', and those that the project names after it, "
		 "are not searched: no more files may be open ('ulimit -n')",
		 which->name);
}

void projects_open_named(struct projects *p, const struct store *own)
{
	const struct settings_store *all;
	size_t n, most;

	all = list_stores(own, NULL, &p->arena, &n);
	most = n ? most_open(p) : 0;
	for (size_t i = 0; i < n; i++) {
		struct store *s;
		struct err e;
		int r;

		if (p->n - p->own >= most) {
			report_left_out(&all[i], own);
			break;
		}
		s = mem_alloc(sizeof(*s));
		r = projects_named_open(s, &all[i], own, &p->arena, &e);
		if (r == 1) {
			add_owned(p, s);
			continue;
		}
		if (r < 0) {
			e.code = ERR_SYSTEM; /* also for a link */
			err_report(own->report, &e);
		}
		free(s);
	}
}
