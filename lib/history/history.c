/* history.c: build a history from changes of files, and load the texts of changes. */
#include "history/history.h"

#include "cache/cache.h"
#include "history/file-changes.h"
#include "history/objects.h"
#include "store/ids.h"
#include "sys/folder.h"
#include "sys/io.h"

#include <fcntl.h>
#include <unistd.h>

#define LEVELS 200 /* directories above a file that is written */

int history_want(struct history_want *w, struct store *s, const char *operand,
		 struct arena *a, struct err *e)
{
	const char *root = s->repo.root.path, *path;
	const size_t len = strlen(root);

	*w = (struct history_want){0};
	if (store_is_id(operand, &w->id) ||
	    (s->repo.root.scope == SCOPE_GLOBAL &&
	     store_is_global_id(operand, &w->id))) {
		if (w->id && store_locate(s, AREA_MEMORIES, operand, a, &path,
					  NULL) == 1)
			w->path = path + len + 1;
		return 0;
	}
	path = file_resolve(operand, a);
	if (store_is_global_id(operand, &w->id) && access(operand, F_OK) < 0)
		return err_set(e, ERR_NO, "no memory '%s'", operand);
	if (strncmp(path, root, len) != 0 || path[len] != '/')
		return err_set(e, ERR_USAGE,
			       strchr(operand, '/') || !access(operand, F_OK)
				       ? "'%s' is outside the store"
				       : "'%s' is not an id or a file of the "
					 "store",
			       operand);
	w->path = path + len + 1;
	if (version_kind(w->path) == VERSION_NONE)
		return err_set(e, ERR_USAGE, "'%s' is nothing that is known of",
			       operand);
	if (version_kind(w->path) == VERSION_MEMORY &&
	    ids_of_file(AT_FDCWD, path, path, &w->id, NULL) < 0)
		w->id = ids_of_name(strrchr(path, '/') + 1);
	return 0;
}

/* Within a step, versions that disappeared and appeared are matched by id, then
 * path. */

/* In the first step of ALL, the work tree, set NOW of the unmodified files to their old
 * version. Git's index is only read if a file differs. */
static void find_unmodified(struct file_changes *all)
{
	bool read = false;

	for (size_t i = 0; i < all->n && all->items[i].step == 0; i++) {
		struct file_change *t = &all->items[i];
		struct version *was = t->was[0], *now = t->now;

		if (!was || !now || now->blob || version_same(was, now))
			continue;
		if (!read)
			file_changes_read_index(all);
		read = true;
		if (file_changes_is_current(all, t))
			t->now = was;
	}
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
	const struct history_step *step;
	struct history_change *changes;
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
static void set_date(struct history_change *c)
{
	const char *created = c->now ? c->now->created : NULL;

	if (c->now)
		c->at = c->now->changed;
	if (c->kind == CHANGE_LEARNED && created)
		instant_parse(created, strlen(created), &c->at);
}

static struct history_change *add_change(struct grouping *g,
					 const struct version *was,
					 const struct version *now)
{
	struct history_change *c;

	if (!is_wanted(g->all, was) && !is_wanted(g->all, now))
		return NULL;
	c = MEM_ADD(g->changes, g->n, g->cap);
	*c = (struct history_change){.kind = change_kind_of(was, now),
				     .was = was,
				     .now = now,
				     .at = g->step->at};
	if (!g->step->commit)
		set_date(c);
	return c;
}

static void add_version(struct version ***list, size_t *n, size_t *cap,
			struct version *v)
{
	if (!v)
		return;
	*MEM_ADD(*list, *n, *cap) = v;
}

/* Add the change of a merge that differs from all its parents. */
static void add_merged(struct grouping *g, const struct file_change *t)
{
	const struct version *first = NULL;
	struct history_change *c;

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
		/* The old text cannot be compared. */
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

	MEM_SORT(g->gone, g->ngone, version_by_id);
	MEM_SORT(g->came, g->ncame, version_by_id);
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
	const struct history_change *x = a, *y = b;
	const struct version *v = x->now ? x->now : x->was;
	const struct version *w = y->now ? y->now : y->was;

	return version_by_id(&v, &w);
}

/* Set the latest version. Prefer the committed version if it is equal. */
static void set_latest(struct file_changes *all, const struct file_change *t)
{
	const struct version *was = t->was[0], *now = t->now;

	if (t->step == 0 && is_wanted(all, now))
		all->h->latest = was && version_same(was, now) ? was : now;
}

/* Set the changes of each step of ALL, whose versions must be read. A memory that
 * disappeared in one file and appeared in another has moved.
 *
 * A file of the work tree may be unmodified though its text differs, because
 * .gitattributes makes git convert it: `ident`, `working-tree-encoding` or a filter. No
 * program from the configuration of a repository is run to find out. Such a file is
 * unmodified if git's index says so; otherwise it counts as modified. */
static void fill_changes(struct file_changes *all)
{
	struct grouping g = {.all = all};

	if (all->h->n && !all->h->steps->commit)
		find_unmodified(all);
	for (size_t i = 0, t = 0; i < all->h->n; i++) {
		struct history_step *s = &all->h->steps[i];
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
	const struct history_change *x = a, *y = b;
	const int order = instant_cmp(y->at, x->at);

	return order ? order : by_document(b, a);
}

/* Order the changes of each step of H from new to old, and within one time, as
 * in a commit, from the highest id. */
static void order_changes(struct history *h)
{
	for (size_t i = 0; i < h->n; i++) {
		struct history_step *s = &h->steps[i];

		MEM_SORT(s->changes, s->n, by_newest);
	}
}

/* Change CHANGE_LEARNED to CHANGE_RESTORED where the memory existed in an older
 * step of H. The newest step is first. */
static void mark_restored(struct history *h)
{
	struct table seen = {0};
	struct table_look look;
	size_t n = 0, which;

	for (size_t i = h->n; i-- > 0;) {
		for (size_t k = 0; k < h->steps[i].n; k++) {
			struct history_change *c = &h->steps[i].changes[k];
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

/* If R is 0, read the versions of ALL and make its changes. Always releases
 * ALL. */
static int make_changes(struct file_changes *all, int r, struct err *e)
{
	if (!r)
		r = file_changes_look(all, false, e);
	if (!r)
		fill_changes(all);
	file_changes_release(all);
	return r < 0 ? -1 : 0;
}

int history_load(struct history *h, struct store *s,
		 const struct history_want *w, struct err *e)
{
	struct file_changes all;
	struct err why;
	const char *head = NULL;
	int r = file_changes_open(&all, h, s, w, e) < 0 ? -1 : 0;

	if (!r && h->in_git)
		head = file_changes_commit(&all, "HEAD", &why);
	if (!r && h->in_git && !head && why.code != ERR_USAGE)
		r = err_take(e, &why);
	if (!r)
		r = file_changes_work_tree(&all, head, e);
	if (!r && head)
		r = file_changes_log(&all, head, e);
	r = make_changes(&all, r, e);
	if (!r) {
		mark_restored(h);
		order_changes(h);
	}
	return r;
}

/* Initialize ALL for everything in S. Returns 0 or -1: ERR_SYSTEM if S is not
 * in git. */
static int open_in_git(struct file_changes *all, struct history *h,
		       struct store *s, struct err *e)
{
	static const struct history_want everything = {0};
	const int r = file_changes_open(all, h, s, &everything, e);

	if (!r)
		err_set(e, ERR_SYSTEM, "'%s' is in no git work tree",
			s->repo.root.path);
	return r > 0 ? 0 : -1;
}

int history_compare(struct history *h, struct store *s, const char *a,
		    const char *b, bool base, struct err *e)
{
	struct file_changes all;
	int r = open_in_git(&all, h, s, e);

	if (!r && !(a = file_changes_commit(&all, a, e)))
		r = -1;
	if (!r && b && !(b = file_changes_commit(&all, b, e)))
		r = -1;
	if (!r && base && !(a = file_changes_base(&all, a, b ? b : "HEAD", e)))
		r = -1;
	h->from = a;
	if (!r)
		r = b ? file_changes_diff(&all, a, b, e)
		      : file_changes_work_tree(&all, a, e);
	return make_changes(&all, r, e);
}

int history_each_in(struct history *h, struct store *s, const char *rev,
		    history_version_fn *fn, void *ctx, struct err *e)
{
	struct file_changes all;
	struct err why;
	const char *head = NULL;
	int r = open_in_git(&all, h, s, e);

	if (!r && rev && !(rev = file_changes_commit(&all, rev, e)))
		r = -1;
	/* Versions that HEAD shares with the work tree are not read twice. */
	if (!r && !rev && !(head = file_changes_commit(&all, "HEAD", &why)) &&
	    why.code != ERR_USAGE)
		r = err_take(e, &why);
	if (!r)
		r = rev ? file_changes_tree(&all, rev, e)
			: file_changes_work_tree(&all, head, e);
	if (!r)
		r = file_changes_look(&all, true, e);
	for (size_t i = 0; i < all.n && !r; i++) {
		const struct file_change *t = &all.items[i];

		if (rev || t->now)
			fn(ctx, rev ? t->was[0] : t->now);
	}
	file_changes_release(&all);
	return r < 0 ? -1 : 0;
}

int history_each_since(struct history *h, struct store *s, const char *rev,
		       history_both_fn *fn, void *ctx, struct err *e)
{
	struct file_changes all;
	int r = open_in_git(&all, h, s, e);

	if (!r && !(rev = file_changes_commit(&all, rev, e)))
		r = -1;
	if (!r)
		r = file_changes_work_tree(&all, rev, e);
	if (!r)
		r = file_changes_look(&all, true, e);
	for (size_t i = 0; i < all.n && !r; i++)
		fn(ctx, all.items[i].was[0], all.items[i].now);
	file_changes_release(&all);
	return r < 0 ? -1 : 0;
}

/* A file to write. */
struct output_file {
	const char *path; /* absolute */
	bool link;
};

struct output {
	const char *folder; /* the directory to write to */
	const struct store *store;
	const char *rev;
	struct arena *a;
	struct buf names;	   /* of their objects, one per line */
	struct output_file *files; /* in the order of NAMES */
	size_t n, cap, next;
	const char *last; /* the directory of the last file, open as DIR */
	int dir;
};

int history_set_lacking(struct err *e, const struct store *s, const char *rev)
{
	struct buf remedy = {0};

	objects_add_remedy(&remedy, s->repo.root.path);
	err_set(e, ERR_HELPER,
		"git has not all here that '%s' has: '%s' fetches what a "
		"partial clone has not",
		rev, remedy.p);
	buf_release(&remedy);
	return -1;
}

/* Open the directory of the file F, which most files share with the one before. */
static int open_folder(struct output *out, const struct output_file *f,
		       struct err *e)
{
	const size_t len = (size_t)(strrchr(f->path, '/') - f->path);

	if (out->last && strlen(out->last) == len &&
	    !strncmp(out->last, f->path, len))
		return 0;
	file_close(out->dir);
	out->dir = -1;
	out->last = arena_copy(out->a, f->path, len);
	return file_make_path(out->last, 0700, &out->dir, e);
}

/* An object_fn: write the next output file. */
static int write_object(void *ctx, const struct object *o, struct err *e)
{
	struct output *out = ctx;
	const struct output_file *f = &out->files[out->next++];
	const char *name = strrchr(f->path, '/') + 1;
	int fd = -1, r;

	if (!strcmp(o->type, "missing"))
		return history_set_lacking(e, out->store, out->rev);
	if (open_folder(out, f, e) < 0)
		return -1;
	if (f->link) {
		r = symlinkat("nowhere", out->dir, name);
	} else {
		fd = file_open(out->dir, name,
			       O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
		r = fd < 0 ? -1
		    : o->p ? io_write(fd, o->p, o->len)
			   : ftruncate(fd, LAYOUT_FILE_MAX + 1);
	}
	if (r < 0)
		err_sys(e, "cannot write '%s'", f->path);
	file_close(fd);
	return r;
}

static void add_output_file(void *ctx, const char *mode, const char *blob,
			    size_t len, const char *path)
{
	struct output *out = ctx;
	int above = 0;

	for (const char *p = path; *p; p++)
		above += *p == '/';
	if (!strncmp(mode, "16", 2) || !file_is_plain(path) || above > LEVELS)
		return;
	*MEM_ADD(out->files, out->n, out->cap) = (struct output_file){
		arena_printf(out->a, "%s/%s", out->folder, path),
		mode[1] == '2'};
	buf_addf(&out->names, "%.*s\n", (int)len, blob);
}

/* Write the files that the commit REV of S has below the directory DIR, in a
 * directory named like the root. Links become links to nowhere; unsafe paths
 * and those in more than LEVELS directories are skipped. ERR_HELPER if
 * git lacks objects here. */
static int lay_out(struct store *s, const char *rev, const char *dir,
		   struct err *e)
{
	struct history h = {.n = 0};
	struct file_changes all;
	struct output out = {.a = &h.arena, .store = s, .rev = rev, .dir = -1};
	int r = open_in_git(&all, &h, s, e);

	out.folder = arena_printf(&h.arena, "%s%s", dir,
				  strrchr(s->repo.root.path, '/'));
	if (!r && !(rev = file_changes_commit(&all, rev, e)))
		r = -1;
	if (!r)
		r = file_changes_each_file(&all, rev, "", add_output_file, &out,
					   e);
	if (!r)
		r = objects_each(all.dir, &out.names, write_object, &out, e);
	file_close(out.dir);
	file_changes_release(&all);
	free(out.files);
	buf_release(&out.names);
	history_release(&h);
	return r ? -1 : 0;
}

/* Call FN with the store in DIR, if there is one. Return its result, 0, or
 * -1. */
static int call_with_store(const char *dir, history_store_fn *fn, void *ctx,
			   struct err *e)
{
	struct store was;
	int r = store_open_at(&was, dir, NULL, e);

	if (r != 1)
		return r;
	r = fn(ctx, &was, e);
	cache_purge(was.cache, NULL);
	store_close(&was);
	return r;
}

int history_with_store(struct store *s, const char *rev, history_store_fn *fn,
		       void *ctx, struct err *e)
{
	struct folder_temp dir;
	int r = folder_temp_make(&dir, "co-commit-", LEVELS + 2, e);

	if (r < 0)
		return -1;
	r = lay_out(s, rev, dir.path, e);
	if (!r)
		r = call_with_store(dir.path, fn, ctx, e);
	folder_temp_remove(&dir);
	return r;
}

/* An iteration over changes, and the versions to load for it. */
struct change_walk {
	struct history *h;
	const struct history_walk *how;
	size_t step, change; /* the next change */
	size_t told;	     /* number of changes before it */
	struct needed {
		struct version *v;
		size_t change; /* number of the change that needs it */
	} * needed;
	size_t n, cap, next;
	struct buf names;   /* of their objects, one per line */
	struct arena arena; /* for the texts of one change */
};

static bool has_change(const struct change_walk *t)
{
	return t->step < t->h->n;
}

static const struct history_change *current_change(const struct change_walk *t)
{
	return &t->h->steps[t->step].changes[t->change];
}

/* Return true if the next change is between the dates of the walk. */
static bool is_between(const struct change_walk *t)
{
	const struct history_walk *how = t->how;
	const struct history_change *c = current_change(t);
	const struct instant at = c->at.sec ? c->at : instant_now();

	return (!how->since || instant_cmp(at, *how->since) >= 0) &&
	       (!how->until || instant_cmp(at, *how->until) <= 0);
}

/* Move to the next change of the walk, if there is one. */
static void next_change(struct change_walk *t)
{
	do {
		t->change++;
		while (has_change(t) && t->change >= t->h->steps[t->step].n) {
			t->step++;
			t->change = 0;
		}
	} while (has_change(t) && !is_between(t));
}

static void add_needed(struct change_walk *t, const struct version *v)
{
	if (!v || v->text || !v->blob || v->missing)
		return;
	*MEM_ADD(t->needed, t->n, t->cap) =
		(struct needed){(struct version *)(uintptr_t)v, t->told};
	buf_addf(&t->names, "%s\n", v->blob);
}

/* List the versions that the changes of the walk need. */
static void list_needed(struct change_walk *t)
{
	for (t->told = 0; has_change(t) && t->told < t->how->max;
	     t->told++, next_change(t)) {
		const struct history_change *c = current_change(t);

		add_needed(t, c->now);
		/* Old text is only shown for edits and merges. */
		if (t->how->both || !c->now || c->kind == CHANGE_EDITED ||
		    c->kind == CHANGE_MERGED)
			add_needed(t, c->was);
	}
}

/* Load the text of V from its file; nothing if it is gone. */
static void load_file(struct change_walk *t, struct version *v)
{
	const char *path = v->path + strlen("knowledge/");
	const char *slash = strrchr(path, '/');
	const char *folder =
		slash ? arena_copy(&t->arena, path, (size_t)(slash - path))
		      : "";
	struct buf text = {0};
	struct err why;
	int dir, found = 0;

	if (layout_open(&t->h->store->repo, folder, &dir, &why) > 0) {
		found = file_read(dir, slash ? slash + 1 : path, v->path,
				  LAYOUT_FILE_MAX, &text, &why);
		close(dir);
	}
	version_read(v,
		     found > 0 ? arena_copy(&t->arena, buf_str(&text), text.len)
			       : NULL,
		     text.len, &t->arena);
	buf_release(&text);
}

/* Report the changes before END, whose texts are loaded. */
static void report_changes(struct change_walk *t, size_t end)
{
	for (; t->told < end; t->told++, next_change(t)) {
		const struct history_change *c = current_change(t);
		struct version *both[] = {(struct version *)(uintptr_t)c->was,
					  (struct version *)(uintptr_t)c->now};
		bool forget[] = {false, false};

		for (int i = 0; i < 2; i++) {
			forget[i] = both[i] && !both[i]->stays;
			if (!forget[i] || both[i]->text)
				continue;
			if (both[i]->blob)
				version_read(both[i], NULL, 0, &t->arena);
			else
				load_file(t, both[i]);
		}
		t->how->fn(t->how->ctx, &t->h->steps[t->step], c);
		for (int i = 0; i < 2; i++) {
			if (forget[i])
				both[i]->text = NULL;
		}
		arena_reset(&t->arena);
	}
}

/* An object_fn: report the changes before the next needed version, then load
 * it. */
static int load_needed(void *ctx, const struct object *o, struct err *e)
{
	struct change_walk *t = ctx;
	const struct needed *needed = &t->needed[t->next++];

	(void)e;
	report_changes(t, needed->change);
	version_read(needed->v,
		     o->p ? arena_copy(&t->arena, o->p, o->len) : NULL, o->len,
		     &t->arena);
	return 0;
}

int history_each_change(struct history *h, const struct history_walk *w,
			struct err *e)
{
	struct change_walk t = {.h = h, .how = w, .change = SIZE_MAX};
	size_t n;
	int r;

	next_change(&t);
	list_needed(&t);
	n = t.told;
	t.told = t.step = 0;
	t.change = SIZE_MAX;
	next_change(&t);
	r = objects_each(h->dir, &t.names, load_needed, &t, e);
	if (!r)
		report_changes(&t, n);
	free(t.needed);
	buf_release(&t.names);
	arena_release(&t.arena);
	return r ? -1 : 0;
}

void history_release(struct history *h)
{
	free(h->steps);
	arena_release(&h->arena);
	*h = (struct history){.n = 0};
}
