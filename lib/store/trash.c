/* trash.c: a removal and a restore are lists of steps for the journal. */
#include "store/trash.h"

#include "cache/cache.h"
#include "store/change.h"
#include "store/ids.h"
#include "store/operation.h"
#include "store/replacement.h"
#include "store/transfer.h"
#include "store/trash-folders.h"
#include "sys/editor.h"
#include "oplog/oplog.h"

#include <fcntl.h>
#include <unistd.h>

static bool was_named_before(const char *const *paths, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (strcmp(paths[k], paths[i]) == 0)
			return true;
	}
	return false;
}

/* Add to J the step that removes the file at PATH. */
static int add_removal(struct journal *j, const char *path, struct err *e)
{
	struct journal_step step = {.path = operation_path(j->s, path, j->a),
				    .to_trash = true};
	struct layout_place p;

	if (!step.path || !layout_parse(&j->s->repo, path, j->a, &p))
		return err_set(e, ERR_USAGE, "'%s' is outside the store", path);
	if (p.area == AREA_TRASH)
		return err_set(e, ERR_USAGE, "'%s' is in the trash already",
			       path);
	if (journal_read(j, path, &step.was, e) < 0)
		return -1;
	journal_add(j, step);
	return 0;
}

/* Remove what can be removed, and fail if something cannot. */
static int remove_all(struct store *s, const char *const *paths, size_t n,
		      struct arena *a, const char **moved, struct err *e)
{
	struct journal j = {.s = s, .a = a};
	size_t *of = arena_alloc(a, n * sizeof(*of)); /* of each step */
	struct err why;
	int r = 0;

	for (size_t i = 0; i < n; i++) {
		if (was_named_before(paths, i))
			continue;
		of[j.n] = i;
		if (add_removal(&j, paths[i], r ? &why : e) < 0)
			r = -1;
	}
	if (journal_apply(&j, r ? NULL : e) < 0)
		return -1;
	for (size_t i = 0; moved && i < j.n; i++)
		moved[of[i]] = arena_printf(a, "%s/%s", s->repo.root.path,
					    j.steps[i].trash);
	return r;
}

/* Create a marker in the directory PURGED, at the path KEPT, for the id of the file
 * NAME in DIR, if it has one. */
static int mark_purged(int purged, const char *kept, int dir, const char *name,
		       const char *path, unsigned mode, struct err *e)
{
	char marker[16];
	int64_t id;
	int fd;

	if (ids_of_file(dir, name, path, &id, e) < 0)
		return -1;
	if (!id)
		return 0;
	snprintf(marker, sizeof(marker), "%03d", (int)id);
	fd = file_open(purged, marker, O_WRONLY | O_CREAT | O_NOFOLLOW, mode);
	if (fd < 0)
		return err_sys(e, "cannot mark id %s as purged", marker);
	close(fd);
	return file_sync_dir(purged, kept, e);
}

/* Mark the id of the file at PATH as purged, if it has one, and delete the file. */
static int purge_one(struct store *s, int purged, const char *path,
		     struct arena *a, struct err *e)
{
	struct layout_place p;
	int dir, r;

	if (!layout_parse(&s->repo, path, a, &p))
		return err_set(e, ERR_USAGE, "'%s' is outside the store", path);
	r = transfer_open(s, p.folder, &dir, e);
	if (r < 0)
		return -1;
	if (r == 0)
		return err_set(e, ERR_NO, "'%s' is gone", path);
	r = p.article ? 0
		      : mark_purged(purged,
				    layout_path(&s->repo,
						LAYOUT_TRASH "/" LAYOUT_PURGED,
						a),
				    dir, p.name, path,
				    root_file_mode(&s->repo.root), e);
	if (!r)
		r = file_remove(dir, p.name, path, e);
	close(dir);
	if (!r && p.area == AREA_TRASH)
		trash_folders_drop_empty(s, a, p.folder);
	return r;
}

/* Delete the copies of the memory at PATH that the user's editor left, wherever the
 * memory was when it was edited. */
static int purge_edits(struct store *s, const char *path, struct arena *a,
		       struct err *e)
{
	struct layout_place p, of;
	struct editor_kept *kept;
	size_t n;
	int r = 0;

	if (!layout_parse(&s->repo, path, a, &p))
		return 0;
	editor_list(&kept, &n);
	for (size_t i = 0; i < n; i++) {
		if (layout_parse(&s->repo, kept[i].of, a, &of) &&
		    !strcmp(of.name, p.name) &&
		    editor_discard(&kept[i], r ? NULL : e) < 0)
			r = -1;
	}
	editor_list_free(kept, n);
	return r;
}

static int purge_all(struct store *s, const char *const *paths, size_t n,
		     struct arena *a, struct err *e)
{
	const struct oplog_purge log = {.paths = paths, .n = n};
	struct err why;
	int purged, r = 0;

	/* First, since a killed purge can be repeated while the files exist. */
	if (oplog_purge(&s->repo, &log, e) < 0 ||
	    layout_make(&s->repo, LAYOUT_TRASH "/" LAYOUT_PURGED, &purged, e) <
		    0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if ((purge_one(s, purged, paths[i], a, &why) == 0 ||
		     was_named_before(paths, i)) &&
		    purge_edits(s, paths[i], a, &why) == 0)
			continue;
		if (!r && e)
			*e = why;
		r = -1;
	}
	close(purged);
	return cache_purge(s->cache, r ? NULL : e) < 0 ? -1 : r;
}

int trash_remove(struct store *s, const char *const *paths, size_t n,
		 bool purge, struct arena *a, const char **moved, struct err *e)
{
	int r = 0;

	if (!n)
		return 0;
	if (store_lock(s, e) < 0)
		return -1;
	for (size_t i = 0; moved && i < n; i++)
		moved[i] = NULL;
	for (size_t i = 0; i < n && !r; i++)
		r = operation_expected(s, paths[i], e);
	if (!r)
		r = purge ? purge_all(s, paths, n, a, e)
			  : remove_all(s, paths, n, a, moved, e);
	ids_drop(s);
	store_unlock(s);
	return r;
}

/* A file that comes back, or becomes a memory. */
struct coming {
	struct journal *j;
	const char *path; /* where it lies */
	struct layout_place p;
	enum area area; /* where it comes to */
	const char *to; /* the absolute path */
	int64_t id;
	const struct coming *others; /* N that come in the same journal */
	size_t n;
};

/* Return 1 if the id of C has a file where C comes to, or one of the others; 0; -1. */
static int is_taken(const struct coming *c, struct err *e)
{
	for (size_t i = 0; i < c->n; i++) {
		if (c->others[i].id == c->id && c->others[i].area == c->area)
			return 1;
	}
	return ids_is_taken(c->j->s, c->area, c->id, e);
}

/* If the id of C's file, which has *TEXT, is taken where it comes to, give it the next
 * one.  Returns 1 if it did, 0, or -1. */
static int settle_id(struct coming *c, const struct buf **text, struct err *e)
{
	struct store *s = c->j->s;
	struct arena *a = c->j->a;
	struct buf with = {0};
	struct frontmatter fm;
	struct value v;
	int64_t was;
	int dir, r = transfer_open(s, c->p.folder, &dir, e);

	if (r == 1) {
		r = ids_of_file(dir, c->p.name, c->path, &c->id, e);
		close(dir);
	}
	was = c->id;
	if (!r && c->id)
		r = is_taken(c, e);
	/* A file that cannot be read can neither be renumbered nor mistaken. */
	if (r == 1 && (frontmatter_parse(&fm, buf_str(*text), (*text)->len,
					 c->path, a, NULL) < 0 ||
		       !value_get(&fm.data, "id")))
		r = 0;
	if (r == 1) {
		r = store_next_id(s, &c->id, e);
		s->change->next_id = c->id < SCHEMA_ID_MAX ? c->id + 1 : 0;
		v = value_int(c->id);
		if (!r && !(r = frontmatter_set(&with, &fm, "id", &v, e))) {
			*text = journal_text(a, buf_str(&with), with.len);
			r = 1;
		}
	}
	buf_release(&with);
	ids_take(s, c->p.area, was, c->path);
	return r;
}

/* Return where what lies at P belongs; a memory that is taken back is a draft. */
static enum area home_of(const struct layout_place *p)
{
	return p->article			      ? AREA_ARTICLES
	       : p->area == AREA_TRASH && p->archived ? AREA_ARCHIVE
	       : p->area == AREA_MEMORIES || (p->area == AREA_TRASH && p->draft)
		       ? AREA_DRAFTS
		       : AREA_MEMORIES;
}

/* Let the draft TEXT say that it supersedes those at OLD, a path a line. */
static int say_supersedes(struct journal *j, const char *old,
			  const struct buf **text, struct err *e)
{
	const char *path;
	struct record r;
	int found = 1;

	while (found == 1 && (path = replacement_next(&old, j->a))) {
		found = store_read(j->s, path, j->a, &r, e);
		if (found == 1 && r.id)
			*text = replacement_supersede(*text, r.id, true, j->a);
		else if (!found)
			found = err_set(e, ERR_NO, "'%s' is gone", path);
	}
	return found < 0 ? -1 : 0;
}

/* Return the draft TEXT, or a copy of it in A that is no longer external, if it is that
 * only since its writer had read text from outside: whoever accepts it has seen from
 * where. */
static const struct buf *accept_trust(const struct buf *text, struct arena *a)
{
	struct frontmatter fm;
	struct buf with = {0};
	const struct buf *out = text;

	if (frontmatter_parse(&fm, buf_str(text), text->len, "-", a, NULL) ==
		    0 &&
	    value_get(&fm.data, "read") && value_get(&fm.data, "trust") &&
	    frontmatter_remove(&with, &fm, "trust", NULL) == 0)
		out = journal_text(a, buf_str(&with), with.len);
	buf_release(&with);
	return out;
}

/* Add the steps that bring C's file to where it belongs, in the place of the memories
 * at OLD, a path a line, unless that is NULL. */
static int add_home(struct coming *c, const char *old, struct err *e)
{
	struct journal *j = c->j;
	const char *below = operation_path(j->s, c->path, j->a), *folder, *name;
	struct journal_step *edit;
	const struct buf *was, *text;
	int r = 0;

	if (journal_read(j, c->path, &was, e) < 0)
		return -1;
	text = was;
	edit = journal_find(j, below);
	if (edit) {
		text = edit->text;
		*edit = j->steps[--j->n];
	}
	c->area = home_of(&c->p);
	if (c->p.area == AREA_ARCHIVE &&
	    replacement_free(j, c->path, &text, e) < 0)
		return -1;
	if (old && say_supersedes(j, old, &text, e) < 0)
		return -1;
	if (c->p.area == AREA_DRAFTS && c->area == AREA_MEMORIES &&
	    !j->s->change->keep_trust)
		text = accept_trust(text, j->a);
	if (!c->p.article && (r = settle_id(c, &text, e)) < 0)
		return -1;
	folder = c->area == AREA_MEMORIES ? store_folder(j->s, c->id, j->a)
					  : layout_name(c->area);
	name = journal_free_name(
		j, folder,
		r ? ids_renumbered(j->a, c->p.name, c->id) : c->p.name, e);
	if (!name)
		return -1;
	c->to = arena_printf(j->a, "%s/%s/%s", j->s->repo.path, folder, name);
	journal_move(j, below, operation_path(j->s, c->to, j->a), was, text);
	if (!c->p.article)
		ids_add(j->s, c->area, c->id, c->to);
	return old ? replacement_add(j, old, c->id, e) : 0;
}

/* Add the step by which C's memory, which stayed where it is, is no longer replaced. */
static int add_free(struct coming *c, struct err *e)
{
	struct journal_step step = {
		.path = operation_path(c->j->s, c->path, c->j->a)};

	if (journal_read(c->j, c->path, &step.was, e) < 0)
		return -1;
	step.text = step.was;
	if (replacement_free(c->j, c->path, &step.text, e) < 0)
		return -1;
	journal_add(c->j, step);
	c->to = c->path;
	return 0;
}

/* Add the steps that bring back what lies at PATH, and is no memory or article that
 * holds: as add_home(). */
static int add_return(struct coming *c, const char *old, struct err *e)
{
	struct store *s = c->j->s;
	const bool known = layout_parse(&s->repo, c->path, c->j->a, &c->p);
	int is = 0;

	if (known && c->p.area == AREA_MEMORIES && !old)
		is = store_is_replaced(s, c->path, e);
	if (is)
		return is < 0 ? -1 : add_free(c, e);
	if (!known || c->p.area == AREA_MEMORIES || c->p.area == AREA_ARTICLES)
		return err_set(e, ERR_USAGE, "'%s' is not in the trash",
			       c->path);
	return add_home(c, old, e);
}

/* Read into R what came back; what is broken is reported, and has a path only. */
static void read_back(struct coming *c, struct record *r)
{
	struct store *s = c->j->s;
	const char *name = strrchr(c->to, '/') + 1;
	struct err why;
	int found;

	if (c->area == AREA_DRAFTS) {
		ids_take(s, c->area, c->id, c->to);
		c->to = transfer_one(s, name, c->j->a);
		ids_add(s, c->area, c->id, c->to);
	}
	if (c->p.area == AREA_TRASH)
		trash_folders_drop_empty(s, c->j->a, c->p.folder);
	found = store_read(s, c->to, c->j->a, r, &why);
	if (found == 1)
		return;
	if (!found)
		err_set(&why, ERR_NO, "'%s' is gone", c->to);
	err_report(s->report, &why);
	*r = (struct record){.scope = s->repo.root.scope, .path = c->to};
}

/* Perform J, whose steps were added if R is 0. */
static int apply(struct journal *j, int r, struct err *e)
{
	if (!r)
		r = journal_apply(j, e);
	if (r < 0) {
		ids_drop(j->s);
		j->s->change->next_id = 0;
	}
	return r;
}

int trash_restore(struct store *s, const char *path, struct arena *a,
		  struct record *r, struct err *e)
{
	struct journal j = {.s = s, .a = a};
	struct coming c = {.j = &j, .path = path};
	int result;

	if (store_lock(s, e) < 0)
		return -1;
	result = apply(&j, add_return(&c, NULL, e), e);
	if (!result)
		read_back(&c, r);
	store_unlock(s);
	return result;
}

/* Return 0 if the memories at OLD are the ones that store_expect() wants, or -1.  None at
 * all is not. */
static int expect_old(struct store *s, const char *old, struct arena *a,
		      struct err *e)
{
	const char *path;
	int r = 0;

	if (s->change->expect && !old)
		return err_set(e, ERR_BUSY, "what it was to replace is gone");
	while (!r && old && (path = replacement_next(&old, a)))
		r = operation_expected(s, path, e);
	return r;
}

int trash_promote(struct store *s, const char *path, const char *old,
		  struct arena *a, struct record *r, struct err *e)
{
	struct journal j = {.s = s, .a = a};
	struct coming c = {.j = &j, .path = path};
	int result;

	if (store_lock(s, e) < 0)
		return -1;
	result = expect_old(s, old, a, e);
	if (!result)
		result = add_return(&c, old, e);
	result = apply(&j, result, e);
	if (!result)
		read_back(&c, r);
	if (old)
		ids_drop(s);
	store_unlock(s);
	return result;
}

/* Set *PATH, allocated in A, to where the memory that was at WAS lies since it was
 * replaced.  Returns 1, 0 if it is nowhere, or -1. */
static int find_replaced(struct store *s, const char *was, struct arena *a,
			 const char **path, struct err *e)
{
	const char *name = strrchr(was, '/') + 1, *as = name;
	const int stem = (int)strlen(name) - 3;
	int dir, found = 0, r;

	*path = was;
	r = store_is_replaced(s, was, e);
	if (r)
		return r;
	r = layout_open(&s->repo, LAYOUT_ARCHIVE, &dir, e);
	for (int i = 2; r == 1; i++) {
		const char *at = arena_printf(a, "%s/" LAYOUT_ARCHIVE "/%s",
					      s->repo.path, as);

		r = file_exists(dir, as, at, e);
		if (r != 1)
			break;
		*path = at;
		as = arena_printf(a, "%.*s-%d.md", stem, name, i);
		found = 1;
	}
	if (dir >= 0)
		close(dir);
	return r < 0 ? -1 : found;
}

/* Add to J the steps that bring back those that were replaced at REPLACED, a path a
 * line. */
static int add_replaced(struct journal *j, const char *replaced, struct err *e)
{
	struct coming c = {.j = j};
	const char *one;
	int r = 0;

	while (r >= 0 && (one = replacement_next(&replaced, j->a))) {
		r = find_replaced(j->s, one, j->a, &c.path, e);
		if (r > 0)
			r = add_return(&c, NULL, e);
	}
	return r < 0 ? -1 : 0;
}

int trash_demote(struct store *s, const char *path, const char *replaced,
		 struct arena *a, struct record *r, struct err *e)
{
	struct journal j = {.s = s, .a = a};
	struct coming c = {.j = &j, .path = path};
	int result = 0;

	if (!layout_parse(&s->repo, path, a, &c.p))
		return err_set(e, ERR_USAGE, "'%s' is outside the store", path);
	if (store_lock(s, e) < 0)
		return -1;
	if (replaced)
		result = add_replaced(&j, replaced, e);
	if (!result)
		result = add_home(&c, NULL, e);
	result = apply(&j, result, e);
	if (!result)
		read_back(&c, r);
	store_unlock(s);
	return result;
}

/* The state of trash_undo(). */
struct undoing {
	struct store *store;
	struct results *out;
	char **foreign; /* or NULL */
};

/* Bring back the files of the removal FOLDER.  Returns 1, 0 if it is empty, or -1. */
static int undo_removal(void *ctx, const char *folder, bool ours, struct err *e)
{
	const struct undoing *u = ctx;
	struct trash_folders in = {0};
	struct arena a = {0};
	struct journal j = {.s = u->store, .a = &a};
	struct strings paths = {0};
	struct coming *all;
	int r;

	if (!ours) {
		if (u->foreign && !*u->foreign)
			*u->foreign = mem_strdup(folder);
		return 0;
	}
	r = trash_folders_contents(u->store, folder, &a, &in, e);
	for (size_t i = 0; i < in.n; i++)
		strings_add(&paths,
			    arena_printf(&a, "%s/%s/%s", u->store->repo.path,
					 folder, in.names[i]));
	all = arena_alloc(&a, (paths.n + 1) * sizeof(*all));
	for (size_t i = 0; i < paths.n && !r; i++) {
		all[i] = (struct coming){
			.j = &j, .path = paths.items[i], .others = all, .n = i};
		r = add_return(&all[i], NULL, e);
	}
	r = apply(&j, r, e);
	for (size_t i = 0; i < paths.n && !r; i++) {
		struct record back;

		read_back(&all[i], &back);
		results_add(u->out, u->store, &back, NULL);
	}
	if (!r)
		trash_folders_drop_empty(u->store, &a, folder);
	free(in.names);
	free(paths.items);
	arena_release(&a);
	return r < 0 ? -1 : u->out->n > 0;
}

int trash_undo(struct store *s, struct results *out, char **foreign,
	       struct err *e)
{
	struct undoing u = {s, out, foreign};
	int r;

	if (foreign)
		*foreign = NULL;
	if (s->repo.fd < 0)
		return 0;
	if (store_lock(s, e) < 0)
		return -1;
	r = trash_folders_each(s, undo_removal, &u, e);
	store_unlock(s);
	return r;
}

/* Hand the articles of the removal FOLDER to FN. */
static int each_article_of(struct store *s, const char *folder, struct arena *a,
			   store_fn *fn, void *ctx, struct err *e)
{
	static const char below[] = LAYOUT_ARTICLES "/";
	struct trash_folders items;
	struct record r;
	struct err why;
	int result = trash_folders_contents(
		s, arena_printf(a, LAYOUT_TRASH "/%s", folder), a, &items, e);

	for (size_t i = 0; i < items.n && !result; i++) {
		const char *path;
		int found;

		if (strncmp(items.names[i], below, strlen(below)) != 0)
			continue;
		path = arena_printf(a, "%s/" LAYOUT_TRASH "/%s/%s",
				    s->repo.path, folder, items.names[i]);
		found = store_read(s, path, a, &r, &why);
		if (found < 0)
			err_report(s->report, &why);
		else if (found)
			result = fn(ctx, &r);
	}
	free(items.names);
	return result;
}

int trash_each_article(struct store *s, store_fn *fn, void *ctx, struct err *e)
{
	struct arena names = {0}, a = {0};
	struct trash_folders list;
	int r = trash_folders_list(s, &names, &list, e);

	for (size_t i = 0; i < list.n && r >= 0; i++) {
		arena_reset(&a);
		r = each_article_of(s, list.names[i], &a, fn, ctx, e);
		if (r > 0)
			break;
	}
	free(list.names);
	arena_release(&names);
	arena_release(&a);
	return r;
}
