/* trash.c: a removal renames; the folder it renames to is made and synced
 * first, so that whoever kills us finds each file in one place or the other.
 * An id that must change is changed while the file still lies in the trash,
 * and then the file moves: in between it is as forgotten as before.
 */
#include "store/trash.h"

#include "cache/cache.h"
#include "store/change.h"
#include "store/ids.h"
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
enum kind { MEMORY, DRAFT, ARTICLE, KINDS };

static const char *const parts[KINDS] = {"", "/drafts", ("/" LAYOUT_ARTICLES)};

/* One removal on its way. */
struct removal {
	struct store *s;
	struct arena *a;
	const char *folder; /* NULL until something is to go there */
	int to[KINDS];	    /* its parts; -1 until then */
	int from[KINDS];    /* where things come from; -1 as well */
	size_t moved;
};

static enum kind kind_of(const struct layout_place *p)
{
	return p->article ? ARTICLE : p->draft ? DRAFT : MEMORY;
}

/* Open what it takes to remove something at P. */
static int prepare(struct removal *rm, const struct layout_place *p,
		   struct err *e)
{
	const enum kind kind = kind_of(p);
	int *from = &rm->from[kind], *to = &rm->to[kind];

	if (*from < 0 && layout_open(&rm->s->repo, p->folder, from, e) < 0)
		return -1;
	if (rm->to[MEMORY] < 0 && trash_folders_new(rm->s, rm->a, &rm->folder,
						    &rm->to[MEMORY], e) < 0)
		return -1;
	if (*to >= 0)
		return 0;
	return layout_make(&rm->s->repo,
			   arena_printf(rm->a, "%s%s", rm->folder, parts[kind]),
			   to, e);
}

/* Move the file NAME of P; errno is ENOENT where it is gone. */
static int move(struct removal *rm, const struct layout_place *p,
		const char *path, struct err *e)
{
	const enum kind kind = kind_of(p);

	return file_rename(rm->from[kind], p->name, rm->to[kind], p->name, path,
			   e);
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
	if (transfer_in(rm->s, &p, rm->a, &path, e) < 0)
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
		*now = arena_printf(rm->a, "%s/%s%s/%s", rm->s->repo.path,
				    rm->folder, parts[kind_of(&p)], p.name);
	return 0;
}

/* Make durable what was moved: first where it is, then where it was. */
static int finish(struct removal *rm, struct err *e)
{
	const int fds[] = {rm->to[ARTICLE], rm->to[DRAFT],
			   rm->to[MEMORY],  rm->from[MEMORY],
			   rm->from[DRAFT], rm->from[ARTICLE]};
	int r = 0;

	for (size_t i = 0; i < ARRAY_LEN(fds); i++) {
		if (fds[i] < 0)
			continue;
		if (rm->moved && !r)
			r = file_sync_dir(fds[i], rm->folder, e);
		close(fds[i]);
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
	struct removal rm = {s, a, NULL, {-1, -1, -1}, {-1, -1, -1}, 0};
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

/* Leave a marker for the id of the file NAME in DIR, if it has one. */
static int mark(int purged, int dir, const char *name, const char *path,
		unsigned mode, struct err *e)
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
	return file_sync_dir(purged, marker, e);
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
	r = p.article ? 0
		      : mark(purged, dir, p.name, path,
			     root_file_mode(&s->repo.root), e);
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
	struct err why;
	int purged, r = 0;

	if (layout_make(&s->repo, "trash/" LAYOUT_PURGED, &purged, e) < 0)
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
	int r;

	if (!n)
		return 0;
	if (store_lock(s, e) < 0)
		return -1;
	for (size_t i = 0; moved && i < n; i++)
		moved[i] = NULL;
	r = purge ? purge_all(s, paths, n, a, e)
		  : remove_all(s, paths, n, a, moved, e);
	ids_drop(s);
	store_unlock(s);
	return r;
}

/* If the id of the file NAME in DIR, *WAS, is taken in AREA,
 * write the next one into it, every other byte as it was.  *ID is what it has in the end, 0 for
 * none; returns 1 if that is new, 0, or -1. */
static int settle_id(struct store *s, int dir, const char *name,
		     const char *path, enum area area, struct arena *a,
		     int64_t *was, int64_t *id, struct err *e)
{
	const struct ids *taken = ids_load(s, area, e);
	struct buf text = {0}, with = {0};
	struct frontmatter fm;
	struct value v;
	int r = -1;

	if (!taken || ids_of_file(dir, name, path, was, e) < 0)
		return -1;
	*id = *was;
	if (!*id || !ids_find(taken, *id, NULL))
		return 0;
	if (file_read(dir, name, path, STORE_FILE_MAX, &text, e) != 1)
		goto out;
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
	const char *old;  /* the memory whose place it takes, or NULL */
	int from, to;	  /* folders */
};

/* file_rename() of NAME to WANTED. */
static int move_as(const struct coming *c, const char *name, const char *wanted,
		   struct err *e)
{
	int r;

	/* A name that is taken is no sign that the new one stands. */
	if (c->old && faccessat(c->to, wanted, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		return 0;
	if (c->old && replacement_begin(c->s, wanted, c->old, e) < 0)
		return -1;
	r = file_rename(c->from, name, c->to, wanted, c->path, e);
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

	if (store_read(s, path, a, r, &why) == 1)
		return;
	err_report(s->report, &why);
	*r = (struct record){.scope = s->repo.root.scope, .path = path};
}

/* Bring back what lies at PATH, in the place of the memory OLD, unless that is
 * NULL. */
static int bring_back(struct store *s, const char *path, const char *old,
		      struct arena *a, struct record *r, struct err *e)
{
	struct coming c = {s, a, path, old, -1, -1};
	const char *name, *got;
	struct layout_place p;
	enum area area;
	int result;
	int64_t was = 0, id = 0;

	if (!layout_parse(&s->repo, path, a, &p) || p.area == AREA_MEMORIES ||
	    p.area == AREA_ARTICLES)
		return err_set(e, ERR_USAGE, "'%s' is not in the trash", path);
	if (transfer_in(s, &p, a, &path, e) < 0)
		return -1;
	c.path = path;
	area = p.article			 ? AREA_ARTICLES
	       : p.area == AREA_TRASH && p.draft ? AREA_DRAFTS
						 : AREA_MEMORIES;
	result = layout_open(&s->repo, p.folder, &c.from, e);
	if (result == 0)
		return err_set(e, ERR_NO, "'%s' is gone", path);
	if (result < 0)
		return -1;
	result = layout_make(&s->repo, layout_name(area), &c.to, e);
	if (!result && !p.article)
		result = settle_id(s, c.from, p.name, path, area, a, &was, &id,
				   e);
	if (result < 0)
		goto out;
	name = result ? ids_renumbered(a, p.name, id) : p.name;
	result = move_beside(&c, p.name, name, &got, e);
	if (!result)
		result = file_sync_dir(c.to, path, e);
	if (!result)
		result = file_sync_dir(c.from, path, e);
	if (result < 0)
		goto out;
	if (!p.article)
		ids_take(s, p.area, was, path);
	path = arena_printf(a, "%s/%s/%s", s->repo.path, layout_name(area),
			    got);
	if (area == AREA_DRAFTS)
		path = transfer_one(s, got, a);
	if (!p.article)
		ids_add(s, area, id, path);
	read_back(s, path, a, r);
	if (p.area == AREA_TRASH)
		trash_folders_drop_empty(s, a, p.folder);
out:
	if (c.to >= 0)
		close(c.to);
	close(c.from);
	return result;
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

int trash_promote(struct store *s, const char *path, const char *old,
		  struct arena *a, struct record *r, struct err *e)
{
	struct err why;
	int result;

	if (store_lock(s, e) < 0)
		return -1;
	result = bring_back(s, path, old ? strrchr(old, '/') + 1 : NULL, a, r,
			    e);
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

/* Bring back ITEM, a file of FOLDER, and add it to OUT. */
static int undo_one(struct store *s, const char *folder, const char *item,
		    struct results *out, struct err *e)
{
	struct arena a = {0};
	struct record back;
	int r = bring_back(
		s, arena_printf(&a, "%s/%s/%s", s->repo.path, folder, item),
		NULL, &a, &back, e);

	if (!r)
		results_add(out, s, &back, NULL);
	arena_release(&a);
	return r;
}

/* Bring back what FOLDER of the trash holds: 1, 0 where that is nothing. */
static int undo_removal(struct store *s, const char *folder,
			struct results *out, struct err *e)
{
	struct arena a = {0};
	struct trash_folders in;
	int r = trash_folders_contents(s, folder, &a, &in, e);

	for (size_t i = 0; i < in.n && !r; i++)
		r = undo_one(s, folder, in.names[i], out, e);
	free(in.names);
	if (!r && !out->n)
		trash_folders_drop_empty(s, &a, folder);
	arena_release(&a);
	return r < 0 ? -1 : out->n > 0;
}

int trash_undo(struct store *s, struct results *out, char **foreign,
	       struct err *e)
{
	struct trash_folders list = {0};
	struct arena a = {0};
	int r;

	if (foreign)
		*foreign = NULL;
	if (s->repo.fd < 0)
		return 0;
	if (store_lock(s, e) < 0)
		return -1;
	r = trash_folders_list(s, &a, &list, e);
	for (size_t i = 0; !r && i < list.n; i++) {
		const char *folder =
			arena_printf(&a, "trash/%s", list.names[i]);

		r = trash_folders_is_ours(s, list.names[i], e);
		if (r == 1)
			r = undo_removal(s, folder, out, e);
		else if (r < 0)
			break;
		else if (foreign && !*foreign)
			*foreign = mem_strdup(folder);
	}
	free(list.names);
	arena_release(&a);
	store_unlock(s);
	return r;
}
