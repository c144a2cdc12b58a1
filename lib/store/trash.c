/* trash.c: a removal and a restore are lists of steps for the journal. */
#include "store/trash.h"

#include "cache/cache.h"
#include "oplog/oplog.h"
#include "store/change.h"
#include "store/ids.h"
#include "store/operation.h"
#include "store/replacement.h"
#include "store/transfer.h"
#include "store/trash-folders.h"
#include "sys/editor.h"

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

/* Move to the trash all files of PATHS that can be read. Return 0, or -1 if one
 * cannot. */
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

	/* The log is first: a killed purge can be repeated while the files exist. */
	if (oplog_purge(&s->repo, &log, e) < 0 ||
	    layout_make(&s->repo, LAYOUT_TRASH "/" LAYOUT_PURGED, &purged, e) <
		    0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if ((purge_one(s, purged, paths[i], a, &why) == 0 ||
		     was_named_before(paths, i)) &&
		    purge_edits(s, paths[i], a, &why) == 0)
			continue;
		r = err_take(r ? NULL : e, &why);
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

int trash_accepted(struct store *s, const char *path, struct arena *a,
		   struct err *e)
{
	struct journal j = {.s = s, .a = a};
	int r = operation_expected(s, path, e);

	if (!r)
		r = add_removal(&j, path, e);
	if (!r) {
		j.steps[0].accepted = true;
		r = journal_apply(&j, e);
	}
	ids_drop(s);
	return r;
}

/* A file that is restored, or becomes a memory or a draft. */
struct coming {
	struct journal *j;
	const char *path; /* its old path */
	struct layout_place p;
	enum area area; /* its new area */
	const char *to; /* its new path, absolute */
	int64_t id;
	const struct coming *others; /* N before it in the same journal */
	size_t n;
};

/* Return 1 if a file in C's new area, or one of the others, has the id of C; 0; or
 * -1. */
static int is_taken(const struct coming *c, struct err *e)
{
	for (size_t i = 0; i < c->n; i++) {
		if (c->others[i].id == c->id && c->others[i].area == c->area)
			return 1;
	}
	return ids_is_taken(c->j->s, c->area, c->id, e);
}

/* Set the id of C from its file. If another file in the new area has it, choose the
 * next id, set *TEXT to the text with that, and return 1. Otherwise return 0 or -1. */
static int choose_id(struct coming *c, const struct buf **text, struct err *e)
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
	/* A broken file keeps its id: it cannot be renumbered, and is not a memory. */
	if (r == 1 && (frontmatter_parse(&fm, buf_str(*text), (*text)->len,
					 c->path, a, NULL) < 0 ||
		       !value_get(&fm.data, "id")))
		r = 0;
	if (r == 1) {
		r = store_next_id(s, &c->id, e);
		s->change->next_id =
			!r && c->id + 1 < s->change->next_end ? c->id + 1 : 0;
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

/* Return the area to which the file at P is moved; a memory becomes a draft again. */
static enum area home_of(const struct layout_place *p)
{
	return p->article			      ? AREA_ARTICLES
	       : p->area == AREA_TRASH && p->archived ? AREA_ARCHIVE
	       : p->area == AREA_MEMORIES || (p->area == AREA_TRASH && p->draft)
		       ? AREA_DRAFTS
		       : AREA_MEMORIES;
}

/* Add to the draft *TEXT that it supersedes the memories at OLD, one path per line. */
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

/* Return the draft TEXT. If it is external only because its writer had read external
 * text, return a copy, allocated in A, that is not: the person who accepts it has
 * seen the sources. */
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

/* Add the steps that move C's file to its new area, where it replaces the memories
 * at OLD, one path per line, unless that is NULL. */
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
	if (!c->p.article && (r = choose_id(c, &text, e)) < 0)
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

/* Add the step that removes the key `superseded` from C's memory, which stayed in
 * memories/. */
static int add_free(struct coming *c, struct err *e)
{
	const struct buf *was, *text;

	if (journal_read(c->j, c->path, &was, e) < 0)
		return -1;
	text = was;
	if (replacement_free(c->j, c->path, &text, e) < 0)
		return -1;
	journal_edit(c->j, operation_path(c->j->s, c->path, c->j->a), was,
		     text);
	c->to = c->path;
	return 0;
}

/* Add the steps that restore C's file, like add_home(). Fail with ERR_USAGE if it is a
 * current memory or article. */
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

/* Read the moved file of C into R. If it is broken, report that, and set only R's
 * path. */
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
static int apply_journal(struct journal *j, int r, struct err *e)
{
	if (!r)
		r = journal_apply(j, e);
	if (r < 0) {
		ids_drop(j->s);
		j->s->change->next_id = 0;
	}
	return r;
}

/* Perform the journal of C, whose steps were added if RESULT is 0, and set R to the
 * moved memory. */
static int complete(struct coming *c, int result, struct record *r,
		    struct err *e)
{
	result = apply_journal(c->j, result, e);
	if (!result)
		read_back(c, r);
	return result;
}

int trash_restore(struct store *s, const char *path, struct arena *a,
		  struct record *r, struct err *e)
{
	struct journal j = {.s = s, .a = a};
	struct coming c = {.j = &j, .path = path};
	int result;

	if (store_lock(s, e) < 0)
		return -1;
	result = complete(&c, add_return(&c, NULL, e), r, e);
	store_unlock(s);
	return result;
}

/* Return 0 if store_expect() wants no certain file, or if the memories at OLD are the
 * wanted one; else -1, also if there are none. */
static int expect_old(struct store *s, const char *old, struct arena *a,
		      struct err *e)
{
	const char *path;
	int r = 0;

	if (s->change->expect && !old)
		return err_set(e, ERR_BUSY,
			       "the memory that it replaces is gone");
	while (!r && old && (path = replacement_next(&old, a)))
		r = operation_expected(s, path, e);
	return r;
}

int trash_promote(struct store *s, const char *path, const char *old,
		  struct arena *a, struct record *r, struct err *e)
{
	struct journal j = {.s = s, .a = a};
	struct coming c = {.j = &j, .path = path};
	int result = expect_old(s, old, a, e);

	if (!result)
		result = add_return(&c, old, e);
	result = complete(&c, result, r, e);
	if (old)
		ids_drop(s);
	return result;
}

/* Set *PATH to the path of the replaced memory that was at WAS, allocated in A.
 * Return 1, 0 if it is gone, or -1. */
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
	file_close(dir);
	return r < 0 ? -1 : found;
}

/* Add to J the steps that restore the replaced memories that were at REPLACED, one path
 * per line. */
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
	if (replaced)
		result = add_replaced(&j, replaced, e);
	if (!result)
		result = add_home(&c, NULL, e);
	return complete(&c, result, r, e);
}

/* The context of undo_removal(). */
struct undoing {
	struct store *store;
	struct results *out;
	char **foreign; /* or NULL */
};

/* If the removal FOLDER was made here, restore its files; else note that it is foreign.
 * Return 1 if files were restored, 0, or -1. */
static int undo_removal(void *ctx, const char *folder, bool ours, struct err *e)
{
	const struct undoing *u = ctx;
	struct strings names = {0}, paths = {0};
	struct arena a = {0};
	struct journal j = {.s = u->store, .a = &a};
	struct coming *all;
	int r;

	if (!ours) {
		if (u->foreign && !*u->foreign)
			*u->foreign = mem_strdup(folder);
		return 0;
	}
	r = trash_folders_contents(u->store, folder, &a, &names, e);
	for (size_t i = 0; i < names.n; i++)
		strings_add(&paths,
			    arena_printf(&a, "%s/%s/%s", u->store->repo.path,
					 folder, names.items[i]));
	all = arena_alloc(&a, (paths.n + 1) * sizeof(*all));
	for (size_t i = 0; i < paths.n && !r; i++) {
		all[i] = (struct coming){
			.j = &j, .path = paths.items[i], .others = all, .n = i};
		r = add_return(&all[i], NULL, e);
	}
	r = apply_journal(&j, r, e);
	for (size_t i = 0; i < paths.n && !r; i++) {
		struct record back;

		read_back(&all[i], &back);
		results_add(u->out, u->store, &back, NULL);
	}
	if (!r)
		trash_folders_drop_empty(u->store, &a, folder);
	free(names.items);
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

/* Call FN for the articles of the removal FOLDER. */
static int each_article_of(struct store *s, const char *folder, struct arena *a,
			   store_fn *fn, void *ctx, struct err *e)
{
	static const char below[] = LAYOUT_ARTICLES "/";
	struct strings names;
	struct record r;
	struct err why;
	int result = trash_folders_contents(
		s, arena_printf(a, LAYOUT_TRASH "/%s", folder), a, &names, e);

	for (size_t i = 0; i < names.n && !result; i++) {
		const char *path;
		int found;

		if (strncmp(names.items[i], below, strlen(below)) != 0)
			continue;
		path = arena_printf(a, "%s/" LAYOUT_TRASH "/%s/%s",
				    s->repo.path, folder, names.items[i]);
		found = store_read(s, path, a, &r, &why);
		if (found < 0)
			err_report(s->report, &why);
		else if (found)
			result = fn(ctx, &r);
	}
	free(names.items);
	return result;
}

int trash_each_article(struct store *s, store_fn *fn, void *ctx, struct err *e)
{
	struct arena names = {0}, a = {0};
	struct strings list;
	int r = trash_folders_list(s, &names, &list, e);

	for (size_t i = 0; i < list.n && r >= 0; i++) {
		arena_reset(&a);
		r = each_article_of(s, list.items[i], &a, fn, ctx, e);
		if (r > 0)
			break;
	}
	free(list.items);
	arena_release(&names);
	arena_release(&a);
	return r;
}
