/* trash.c: a removal renames; the folder it renames to is made and synced
 * first, so that whoever kills us finds each file in one place or the other.
 * An id that must change is changed while the file still lies in the trash,
 * and then the file moves: in between it is as forgotten as before.
 */
#include "store/trash.h"

#include "cache/assume.h"
#include "cache/cache.h"
#include "oplog/purge.h"
#include "store/change.h"
#include "store/ids.h"
#include "store/operation.h"
#include "store/replacement.h"
#include "store/transfer.h"
#include "store/trash-folders.h"
#include "sys/editor.h"
#include "sys/inherit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define SUFFIX_MAX 999

/* What is removed, and the part of a removal's folder that it goes to. */
enum kind { MEMORY, DRAFT, ARTICLE, ARCHIVED, KINDS };

static const char *const parts[KINDS] = {
	"", "/" LAYOUT_DRAFTS, ("/" LAYOUT_ARTICLES), ("/" LAYOUT_ARCHIVE)};

/* One removal on its way. */
struct removal {
	struct store *s;
	struct arena *a;
	const char *folder;	 /* NULL until something is to go there */
	int to[KINDS];		 /* its parts; -1 until then */
	int from[KINDS];	 /* where things come from; -1 as well */
	const char *left[KINDS]; /* the folders that those are */
	struct assume_slip slips[KINDS]; /* of those, before anything left */
	struct assume_slip trash;
	size_t moved;
};

static enum kind kind_of(const struct layout_place *p)
{
	return p->article    ? ARTICLE
	       : p->archived ? ARCHIVED
	       : p->draft    ? DRAFT
			     : MEMORY;
}

/* Make durable what was moved of KIND: first where it is, then where it was. */
static int settle(struct removal *rm, enum kind kind, struct err *e)
{
	if (!rm->moved || rm->to[kind] < 0)
		return 0;
	if (kind != ARTICLE) /* who saves asks of none */
		assume_gone(rm->s->cache, &rm->slips[kind], rm->left[kind],
			    rm->from[kind]);
	return file_sync_dir(rm->to[kind],
			     layout_path(&rm->s->repo, rm->folder, rm->a),
			     e) < 0
		       ? -1
		       : file_sync_dir(rm->from[kind],
				       layout_path(&rm->s->repo, rm->left[kind],
						   rm->a),
				       e);
}

/* Make the folder that it all goes to. */
static int make_folder(struct removal *rm, struct err *e)
{
	int trash;

	if (layout_open(&rm->s->repo, LAYOUT_TRASH, &trash, e) < 0)
		return -1;
	assume_before(&rm->trash, trash);
	if (trash >= 0)
		close(trash);
	return trash_folders_new(rm->s, rm->a, &rm->folder, &rm->to[MEMORY], e);
}

/* Have the next save know that folder, if it need not look for more. */
static void tell(const struct removal *rm)
{
	int trash;

	if (!rm->moved ||
	    layout_open(&rm->s->repo, LAYOUT_TRASH, &trash, NULL) != 1)
		return;
	assume_removed(rm->s->cache, &rm->trash, trash, rm->folder,
		       rm->to[MEMORY]);
	close(trash);
}

/* Open what it takes to remove something at P. */
static int prepare(struct removal *rm, const struct layout_place *p,
		   struct err *e)
{
	const enum kind kind = kind_of(p);
	int *from = &rm->from[kind], *to = &rm->to[kind];

	if (*from >= 0 && strcmp(rm->left[kind], p->folder) != 0) {
		if (settle(rm, kind, e) < 0)
			return -1;
		close(*from);
		*from = -1;
		rm->slips[kind].known = false;
	}
	rm->left[kind] = p->folder;
	if (*from < 0) {
		if (layout_open(&rm->s->repo, p->folder, from, e) < 0)
			return -1;
		if (!rm->slips[kind].known)
			assume_before(&rm->slips[kind], *from);
	}
	if (rm->to[MEMORY] < 0 && make_folder(rm, e) < 0)
		return -1;
	if (*to >= 0)
		return 0;
	return layout_make(&rm->s->repo,
			   arena_printf(rm->a, "%s%s", rm->folder, parts[kind]),
			   to, e);
}

/* Where the file of P goes. */
static const char *now_at(struct removal *rm, const struct layout_place *p)
{
	return arena_printf(rm->a, "%s/%s%s/%s", rm->s->repo.path, rm->folder,
			    parts[kind_of(p)], p->name);
}

/* Move the file NAME of P; errno is ENOENT where it is gone. */
static int move(struct removal *rm, const struct layout_place *p,
		const char *path, struct err *e)
{
	const enum kind kind = kind_of(p);
	int r;

	operation_note_removal(rm->s, rm->from[kind], p->name, path,
			       now_at(rm, p));
	r = file_put_away(rm->from[kind], p->name, rm->to[kind], p->name, path,
			  e);
	if (r != 1)
		operation_failed(rm->s, path);
	return r;
}

/* An undo on another machine, which our lock does not reach, may take the new
 * folder for an empty one: then make one more. */
static int move_again(struct removal *rm, const struct layout_place *p,
		      const char *path, struct err *e)
{
	for (size_t i = 0; i < KINDS; i++) {
		if (rm->to[i] >= 0)
			close(rm->to[i]);
		rm->to[i] = -1;
	}
	return prepare(rm, p, e) < 0 ? -1 : move(rm, p, path, e);
}

/* Move what stands at PATH; *NOW, unless NOW is NULL, gets its new path. */
static int remove_one(struct removal *rm, const char *path, const char **now,
		      struct err *e)
{
	struct layout_place p;
	int r;

	if (!layout_parse(&rm->s->repo, path, rm->a, &p))
		return err_set(e, ERR_USAGE, "'%s' is outside the store", path);
	if (p.area == AREA_TRASH)
		return err_set(e, ERR_USAGE, "'%s' is in the trash already",
			       path);
	if (transfer_in(rm->s, &p, rm->a, &path, &rm->slips[DRAFT], e) < 0)
		return -1;
	if (prepare(rm, &p, e) < 0)
		return -1;
	r = move(rm, &p, path, e);
	if (r < 0 && errno == ENOENT &&
	    faccessat(rm->from[kind_of(&p)], p.name, F_OK,
		      AT_SYMLINK_NOFOLLOW) == 0)
		r = move_again(rm, &p, path, e);
	if (r < 0 && errno == ENOENT)
		return err_set(e, ERR_NO, "'%s' is gone", path);
	if (r == 0)
		return err_set(e, ERR_SYSTEM, "'%s' is in the way in '%s'",
			       p.name, rm->folder);
	if (r < 0)
		return -1;
	rm->moved++;
	if (now)
		*now = now_at(rm, &p);
	return 0;
}

static int finish(struct removal *rm, struct err *e)
{
	int r = 0;

	for (enum kind kind = MEMORY; kind < KINDS; kind++) {
		if (!r && rm->from[kind] >= 0)
			r = settle(rm, kind, e);
	}
	if (!r)
		tell(rm);
	for (enum kind kind = MEMORY; kind < KINDS; kind++) {
		if (rm->from[kind] >= 0)
			close(rm->from[kind]);
		if (rm->to[kind] >= 0)
			close(rm->to[kind]);
	}
	if (rm->folder && !rm->moved)
		trash_folders_drop_empty(rm->s, rm->a, rm->folder);
	return r;
}

static bool was_named_before(const char *const *paths, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (strcmp(paths[k], paths[i]) == 0)
			return true;
	}
	return false;
}

static int remove_all(struct store *s, const char *const *paths, size_t n,
		      struct arena *a, const char **moved, struct err *e)
{
	struct removal rm = {.s = s,
			     .a = a,
			     .to = {-1, -1, -1, -1},
			     .from = {-1, -1, -1, -1}};
	struct err why;
	int r = 0;

	for (size_t i = 0; i < n; i++) {
		if (remove_one(&rm, paths[i], moved ? &moved[i] : NULL, &why) ==
			    0 ||
		    was_named_before(paths, i))
			continue;
		if (!r && e)
			*e = why;
		r = -1;
	}
	return finish(&rm, r ? NULL : e) < 0 ? -1 : r;
}

/* Leave a marker for the id of the file NAME in DIR, if it has one; KEPT is the path
 * of PURGED, where it is left. */
static int mark(int purged, const char *kept, int dir, const char *name,
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
	inherit_owner(purged, fd);
	close(fd);
	return file_sync_dir(purged, kept, e);
}

/* Delete what stands at PATH, its id, if it has one, being marked before. */
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
	r = p.article
		    ? 0
		    : mark(purged,
			   layout_path(&s->repo, LAYOUT_TRASH "/" LAYOUT_PURGED,
				       a),
			   dir, p.name, path, root_file_mode(&s->repo.root), e);
	if (!r)
		r = file_remove(dir, p.name, path, e);
	close(dir);
	if (!r && p.area == AREA_TRASH)
		trash_folders_drop_empty(s, a, p.folder);
	return r;
}

/* Delete what the user's editor left of the memory at PATH, wherever in S it
 * stood when it was edited. */
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

	/* First: who is killed can purge again what is still there. */
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

/* If the id of the file NAME in DIR, *WAS, is taken in AREA, write the next one
 * into it, every other byte as it was.  *ID is what it has in the end, 0 for
 * none; returns 1 if that is new, 0, or -1. */
static int settle_id(struct store *s, int dir, const char *name,
		     const char *path, enum area area, struct arena *a,
		     int64_t *was, int64_t *id, struct err *e)
{
	struct buf text = {0}, with = {0};
	struct frontmatter fm;
	struct value v;
	int r;

	if (ids_of_file(dir, name, path, was, e) < 0)
		return -1;
	*id = *was;
	r = *id ? ids_is_taken(s, area, *id, e) : 0;
	if (r <= 0)
		return r;
	r = file_read(dir, name, path, STORE_FILE_MAX, &text, e);
	if (r == 0)
		r = err_set(e, ERR_NO, "'%s' is gone", path);
	if (r < 0)
		goto out;
	r = -1;
	/* What cannot be read can neither be renumbered nor mistaken. */
	if (frontmatter_parse(&fm, text.p, text.len, path, a, NULL) < 0 ||
	    !value_get(&fm.data, "id")) {
		r = 0;
		goto out;
	}
	if (store_next_id(s, id, e) < 0)
		goto out;
	s->change->next_id = 0;
	v = value_int(*id);
	if (frontmatter_set(&with, &fm, "id", &v, e) == 0 &&
	    file_replace_from(s->repo.fd, dir, name, path, &text, with.p,
			      with.len, NULL, e) >= 0)
		r = 1;
out:
	buf_release(&text);
	buf_release(&with);
	return r;
}

/* A file that comes back, or becomes a memory. */
struct coming {
	struct store *s;
	struct arena *a;
	const char *path; /* that sentences call it by */
	const char *old;  /* the memory whose place it takes, below knowledge/;
			   * or NULL */
	enum area area;	  /* that it comes to */
	const char *folder; /* the same, below knowledge/ */
	int from, to;	    /* folders */
};

/* file_rename() of NAME to WANTED. */
static int move_as(const struct coming *c, const char *name, const char *wanted,
		   struct err *e)
{
	const char *path = arena_printf(c->a, "%s/%s/%s", c->s->repo.path,
					c->folder, wanted);
	int r;

	/* A name that is taken is no sign that the new one stands. */
	if (c->old && faccessat(c->to, wanted, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		return 0;
	if (c->old &&
	    replacement_begin(c->s,
			      arena_printf(c->a, "%s/%s", c->folder, wanted),
			      c->old, e) < 0)
		return -1;
	operation_note_move(c->s, c->from, name, c->path, path);
	r = file_rename(c->from, name, c->to, wanted, c->path, e);
	if (r != 1) {
		operation_failed(c->s, path);
		operation_failed(c->s, c->path);
	}
	if (c->old && r != 1)
		replacement_end(c->s, false, NULL);
	return r;
}

/* Move the file NAME as WANTED, or as WANTED with -2, -3 and so on where that
 * is taken; *GOT is what it became. */
static int move_beside(const struct coming *c, const char *name,
		       const char *wanted, const char **got, struct err *e)
{
	const int stem = (int)strlen(wanted) - 3;
	int r = 0;

	*got = wanted;
	for (int i = 2; i <= SUFFIX_MAX + 1; i++) {
		r = move_as(c, name, *got, e);
		if (r)
			return r < 0 ? -1 : 0;
		*got = arena_printf(c->a, "%.*s-%d.md", stem, wanted, i);
	}
	return err_set(e, ERR_SYSTEM,
		       "cannot bring '%s' back: "
		       "all names like its own are taken",
		       c->path);
}

/* Read into R what came back at PATH; what is broken is reported, and has a
 * path alone. */
static void read_back(struct store *s, const char *path, struct arena *a,
		      struct record *r)
{
	struct err why;
	const int found = store_read(s, path, a, r, &why);

	if (found == 1)
		return;
	if (!found)
		err_set(&why, ERR_NO, "'%s' is gone", path);
	err_report(s->report, &why);
	*r = (struct record){.scope = s->repo.root.scope, .path = path};
}

/* A file that may stand in a folder as well. */
struct twin {
	struct stat st;
	int dir;
	struct arena *a;
	const char *name;
};

static int see_twin(void *ctx, const char *name, enum file_kind kind)
{
	struct twin *t = ctx;
	struct stat st;

	if (kind != FILE_REGULAR ||
	    fstatat(t->dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    st.st_dev != t->st.st_dev || st.st_ino != t->st.st_ino)
		return 0;
	t->name = arena_strdup(t->a, name);
	return 1;
}

/* The name by which the file NAME stands where it is to come already: who moved
 * it by a link was killed before the old name was gone.  NULL: it does not. */
static const char *find_twin(const struct coming *c, const char *name)
{
	struct twin t = {.dir = c->to, .a = c->a};

	if (fstatat(c->from, name, &t.st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    t.st.st_nlink > 1)
		file_walk(c->to, c->path, see_twin, &t, NULL);
	return t.name;
}

/* Open the folder to which C's file, which has ID, comes. */
static int open_home(struct coming *c, int64_t id, struct err *e)
{
	const char *folder = c->area == AREA_MEMORIES
				     ? store_folder(c->s, id, c->a)
				     : layout_name(c->area);

	if (c->to >= 0 && !strcmp(c->folder, folder))
		return 0;
	if (c->to >= 0)
		close(c->to);
	c->folder = folder;
	return layout_make(&c->s->repo, folder, &c->to, e);
}

/* Move the file of P: *WAS and *ID are its old and new id, *GOT its name
 * there. */
static int move_in(struct coming *c, const struct layout_place *p, int64_t *was,
		   int64_t *id, const char **got, struct err *e)
{
	const char *name = p->name;
	struct assume_slip slip;
	int r = 0;

	if ((!p->article && ids_of_file(c->from, name, c->path, id, e) < 0) ||
	    open_home(c, *id, e) < 0)
		return -1;
	*got = c->old ? NULL : find_twin(c, name);
	if (*got) {
		ids_drop(c->s);
		return file_sync_dir(c->to, c->path, e) < 0
			       ? -1
			       : file_remove(c->from, name, c->path, e);
	}
	if (!p->article)
		r = settle_id(c->s, c->from, name, c->path, c->area, c->a, was,
			      id, e);
	if (r < 0 || open_home(c, *id, e) < 0)
		return -1;
	assume_before(&slip, c->to);
	if (move_beside(c, name, r ? ids_renumbered(c->a, name, *id) : name,
			got, e) < 0 ||
	    file_sync_dir(c->to, c->path, e) < 0)
		return -1;
	if (c->area == AREA_MEMORIES)
		assume_back(c->s->cache, &slip, c->folder, c->to, *got, *id);
	return file_sync_dir(c->from, c->path, e);
}

/* Where what lies at P belongs; a memory that is taken back is a draft. */
static enum area home_of(const struct layout_place *p)
{
	return p->article			      ? AREA_ARTICLES
	       : p->area == AREA_TRASH && p->archived ? AREA_ARCHIVE
	       : p->area == AREA_MEMORIES || (p->area == AREA_TRASH && p->draft)
		       ? AREA_DRAFTS
		       : AREA_MEMORIES;
}

/* Let C's file say what it is to replace. */
static int say_supersedes(const struct coming *c, struct err *e)
{
	const char *p = c->old, *below;
	int r = 0;

	while (!r && (below = replacement_next(&p, c->a))) {
		const char *path =
			arena_printf(c->a, "%s/%s", c->s->repo.path, below);
		struct layout_place at;
		int64_t id;
		int dir;

		if (!layout_parse(&c->s->repo, path, c->a, &at))
			return err_set(e, ERR_USAGE,
				       "'%s' is outside the store", path);
		r = layout_open(&c->s->repo, at.folder, &dir, e);
		if (r != 1)
			return r ? -1
				 : err_set(e, ERR_NO, "'%s' is gone", path);
		r = ids_of_file(dir, at.name, path, &id, e);
		close(dir);
		if (!r && id)
			r = replacement_say(c->s, c->path, id, true, e);
	}
	return r;
}

/* Bring what lies at PATH to where it belongs, in the place of the memory OLD,
 * below knowledge/, unless that is NULL. */
static int bring_home(struct store *s, const char *path, const char *old,
		      struct arena *a, struct record *r, struct err *e)
{
	struct coming c = {
		.s = s, .a = a, .path = path, .old = old, .from = -1, .to = -1};
	const char *got = NULL;
	struct layout_place p;
	int result;
	int64_t was = 0, id = 0;

	if (!layout_parse(&s->repo, path, a, &p))
		return err_set(e, ERR_USAGE, "'%s' is outside the store", path);
	if (transfer_in(s, &p, a, &path, NULL, e) < 0)
		return -1;
	c.path = path;
	c.area = home_of(&p);
	if (old && say_supersedes(&c, e) < 0)
		return -1;
	result = layout_open(&s->repo, p.folder, &c.from, e);
	if (result == 0)
		return err_set(e, ERR_NO, "'%s' is gone", path);
	if (result < 0)
		return -1;
	result = p.area == AREA_ARCHIVE
			 ? replacement_free(s, c.from, p.name, path, e)
			 : 0;
	if (!result)
		result = move_in(&c, &p, &was, &id, &got, e);
	if (result < 0)
		goto out;
	if (!p.article)
		ids_take(s, p.area, was, path);
	path = arena_printf(a, "%s/%s/%s", s->repo.path, c.folder, got);
	if (c.area == AREA_DRAFTS)
		path = transfer_one(s, got, a);
	if (!p.article)
		ids_add(s, c.area, id, path);
	read_back(s, path, a, r);
	if (p.area == AREA_TRASH)
		trash_folders_drop_empty(s, a, p.folder);
out:
	if (c.to >= 0)
		close(c.to);
	close(c.from);
	return result;
}

/* Let the memory at PATH, which lies at P, no longer be replaced. */
static int free_in_place(struct store *s, const struct layout_place *p,
			 const char *path, struct arena *a, struct record *r,
			 struct err *e)
{
	int dir, result = layout_open(&s->repo, p->folder, &dir, e);

	if (result == 0)
		return err_set(e, ERR_NO, "'%s' is gone", path);
	if (result < 0)
		return -1;
	result = replacement_free(s, dir, p->name, path, e);
	close(dir);
	if (!result)
		read_back(s, path, a, r);
	return result;
}

/* Bring back what lies at PATH, and is no memory or article that holds: as
 * bring_home(). */
static int bring_back(struct store *s, const char *path, const char *old,
		      struct arena *a, struct record *r, struct err *e)
{
	struct layout_place p;
	const bool known = layout_parse(&s->repo, path, a, &p);
	int is = 0;

	if (known && p.area == AREA_MEMORIES && !old)
		is = store_is_replaced(s, path, e);
	if (is)
		return is < 0 ? -1 : free_in_place(s, &p, path, a, r, e);
	if (!known || p.area == AREA_MEMORIES || p.area == AREA_ARTICLES)
		return err_set(e, ERR_USAGE, "'%s' is not in the trash", path);
	return bring_home(s, path, old, a, r, e);
}

int trash_restore(struct store *s, const char *path, struct arena *a,
		  struct record *r, struct err *e)
{
	int result;

	if (store_lock(s, e) < 0)
		return -1;
	result = bring_back(s, path, NULL, a, r, e);
	store_unlock(s);
	return result;
}

/* Are those at OLD what was expected?  None at all is not. */
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
	struct err why;
	int result;

	if (store_lock(s, e) < 0)
		return -1;
	result = expect_old(s, old, a, e);
	if (!result)
		result = bring_back(s, path,
				    old ? replacement_names(s, old, a) : NULL,
				    a, r, e);
	if (!result && old) {
		result = replacement_end(s, true, &why);
		ids_drop(s);
		if (result < 0)
			err_set(e, why.code,
				"accepted '%s', but '%s' stays: %s", r->path,
				old, why.text);
	}
	store_unlock(s);
	return result;
}

/* *PATH, in A, is where the memory that was at WAS lies since it was replaced last:
 * 1, 0 where it is nowhere, -1. */
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
	for (int i = 2;
	     r == 1 && faccessat(dir, as, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
	     i++) {
		*path = arena_printf(a, "%s/" LAYOUT_ARCHIVE "/%s",
				     s->repo.path, as);
		as = arena_printf(a, "%.*s-%d.md", stem, name, i);
		found = 1;
	}
	if (dir >= 0)
		close(dir);
	return r < 0 ? -1 : found;
}

int trash_demote(struct store *s, const char *path, const char *replaced,
		 struct arena *a, struct record *r, struct err *e)
{
	const char *archived = NULL, *one;
	int result = 0;

	if (store_lock(s, e) < 0)
		return -1;
	while (replaced && !result && (one = replacement_next(&replaced, a))) {
		result = find_replaced(s, one, a, &archived, e);
		if (result > 0)
			result = bring_back(s, archived, NULL, a, r, e);
	}
	if (!result)
		result = bring_home(s, path, NULL, a, r, e);
	store_unlock(s);
	return result;
}

/* Bring back ITEM, a file of FOLDER, or FOLDER itself, a file, for NULL, and add
 * it to OUT. */
static int undo_one(struct store *s, const char *folder, const char *item,
		    struct results *out, struct err *e)
{
	struct arena a = {0};
	struct record back;
	int r = bring_back(
		s,
		item ? arena_printf(&a, "%s/%s/%s", s->repo.path, folder, item)
		     : folder,
		NULL, &a, &back, e);

	if (!r)
		results_add(out, s, &back, NULL);
	arena_release(&a);
	return r;
}

/* What an undo goes through the removals for. */
struct undoing {
	struct store *store;
	struct results *out;
	char **foreign; /* or NULL */
};

/* True if PATH is in the archive, or a memory that says that it was replaced: as
 * store_is_replaced(). */
static int is_replaced(struct store *s, const char *path, struct arena *a,
		       struct err *e)
{
	struct layout_place p;

	if (!layout_parse(&s->repo, path, a, &p))
		return 0;
	return p.area == AREA_MEMORIES ? store_is_replaced(s, path, e) : 1;
}

/* Bring back what FOLDER of the trash holds: 1, 0 where that is nothing. */
static int undo_removal(void *ctx, const char *folder, bool ours, struct err *e)
{
	const struct undoing *u = ctx;
	struct trash_folders in = {0};
	struct arena a = {0};
	const char *replaced = "", *one;
	int r;

	if (!ours) {
		if (u->foreign && !*u->foreign)
			*u->foreign = mem_strdup(folder);
		return 0;
	}
	r = trash_folders_contents(u->store, folder, &a, &in, e);
	for (size_t i = 0; i < in.n && !r; i++)
		r = undo_one(u->store, folder, in.names[i], u->out, e);
	free(in.names);
	if (!r)
		r = replacement_noted(u->store, folder, &a, &replaced, e);
	if (r > 0)
		r = 0;
	while (!r && (one = replacement_next(&replaced, &a))) {
		r = is_replaced(u->store, one, &a, e);
		if (r > 0)
			r = undo_one(u->store, one, NULL, u->out, e);
	}
	if (!r)
		replacement_forget(u->store, folder);
	if (!r)
		trash_folders_drop_empty(u->store, &a, folder);
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
