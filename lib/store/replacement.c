/* replacement.c: the note has the path of the new file; for each old one its path,
 * and the name that it gets in the archive, or its path again where it stays; and
 * the folder of the trash that notes it for an undo: a line each.  A clone or a pull
 * may bring one, that names memories which only this work tree has.  So it counts
 * only if it is proven: it has the time that trash_folders_sign() gives, and git does
 * not track it.
 *
 * An old one that goes to the archive moves first and is told by which then: where
 * it says nothing, the way was not gone to its end.
 *
 * In a team's store an old one stays where it is.  Where git merges without our
 * driver, it pairs a file that one side removed with one that is like it, and may
 * take the new memory for the old one: what the other side changed in the old one
 * would end up in the new one.
 */
#include "store/replacement.h"

#include "format/frontmatter.h"
#include "store/change.h"
#include "store/ids.h"
#include "store/operation.h"
#include "store/trash-folders.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOTE ".replacing"
#define NOTE_MAX ((REPLACEMENT_MOST + 1) * 1024)
#define NOTED "replaced" /* in a folder of the trash */
#define ASIDE_MAX 99

struct succession {
	struct store *s;
	const char *name, *folder;
	const char *old[REPLACEMENT_MOST];
	const char *to[REPLACEMENT_MOST]; /* NULL: it stays */
	size_t n;
	struct arena a;
};

/* True if NAME stands in DIR, at PATH: 1, 0, -1 where that cannot be told. */
static int stands(int dir, const char *name, const char *path, struct err *e)
{
	if (faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		return 1;
	return errno == ENOENT ? 0 : err_sys(e, "cannot look for '%s'", path);
}

static const char *note_path(struct store *s, struct arena *a)
{
	return arena_printf(a, "%s/%s/" NOTE, s->repo.path,
			    layout_name(AREA_TRASH));
}

/* Open the folder of the note: as layout_open(). */
static int open_trash(struct store *s, int *fd, struct err *e)
{
	return layout_open(&s->repo, layout_name(AREA_TRASH), fd, e);
}

/* Give a folder with the name of the note, which is none of ours, another. */
static int step_round(int dir, const char *path, struct err *e)
{
	char name[sizeof(NOTE) + 16];
	int r = 0;

	for (int i = 1; !r && i <= ASIDE_MAX; i++) {
		snprintf(name, sizeof(name), NOTE "-%d", i);
		r = file_rename(dir, NOTE, dir, name, path, e);
	}
	return r ? (r < 0 ? -1 : 0)
		 : err_set(e, ERR_SYSTEM, "'%s' is in the way", path);
}

static int drop_note(struct store *s, struct err *e)
{
	struct stat st;
	struct arena a = {0};
	const char *path = note_path(s, &a);
	int dir, r = open_trash(s, &dir, e);

	if (r != 1)
		goto out;
	if (fstatat(dir, NOTE, &st, AT_SYMLINK_NOFOLLOW) < 0)
		r = errno == ENOENT ? 0
				    : err_sys(e, "cannot look for '%s'", path);
	else if (S_ISDIR(st.st_mode))
		r = step_round(dir, path, e);
	else if (unlinkat(dir, NOTE, 0) < 0 && errno != ENOENT)
		r = err_sys(e, "cannot remove '%s'", path);
	else
		r = file_sync_dir(dir, path, e);
	close(dir);
out:
	arena_release(&a);
	return r;
}

/* True if PATH, below knowledge/, is that of a memory. */
static bool is_place(struct store *s, const char *path, struct arena *a)
{
	struct layout_place p;

	return layout_parse(&s->repo,
			    arena_printf(a, "%s/%s", s->repo.path, path), a,
			    &p) &&
	       p.area == AREA_MEMORIES;
}

const char *replacement_next(const char **p, struct arena *a)
{
	const size_t len = strcspn(*p, "\n");
	const char *line = **p ? arena_copy(a, *p, len) : NULL;

	*p += len + ((*p)[len] == '\n');
	return line;
}

bool replacement_has(const char *text, const char *line)
{
	const size_t len = strlen(line);

	for (const char *p = text; p && *p; p += strcspn(p, "\n"), p += !!*p) {
		if (strcspn(p, "\n") == len && !memcmp(p, line, len))
			return true;
	}
	return false;
}

const char *replacement_names(struct store *s, const char *paths,
			      struct arena *a)
{
	const size_t root = strlen(s->repo.path) + 1;
	struct buf names = {0};
	const char *path, *all;

	while ((path = replacement_next(&paths, a)))
		buf_addf(&names, "%s\n", path + root);
	all = arena_copy(a, buf_str(&names), names.len);
	buf_release(&names);
	return all;
}

/* Take the lines of TEXT; false where they are none that we write. */
static bool take_lines(struct succession *u, const struct buf *text)
{
	const char *p = buf_str(text), *line;
	bool ours = text->len && text->p[text->len - 1] == '\n' &&
		    strlen(text->p) == text->len;

	u->name = replacement_next(&p, &u->a);
	u->folder = NULL;
	while (ours && (line = replacement_next(&p, &u->a))) {
		if (!*p) {
			u->folder = line;
			break;
		}
		ours = u->n < REPLACEMENT_MOST && is_place(u->s, line, &u->a);
		if (!ours)
			break;
		u->old[u->n] = line;
		line = replacement_next(&p, &u->a);
		if (line && !strcmp(line, u->old[u->n]))
			line = NULL;
		else
			ours = line && layout_is_memory(line) &&
			       !strchr(line, '/');
		u->to[u->n++] = line;
		ours = ours && *p;
	}
	return ours && u->n && is_place(u->s, u->name, &u->a) && u->folder &&
	       trash_folders_is_folder(u->folder);
}

/* False if there is a note in the folder DIR that is not proven: say so. */
static bool is_proven(struct store *s, int dir)
{
	struct arena a = {0};
	struct err say;
	struct stat st;

	if (fstatat(dir, NOTE, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    !S_ISREG(st.st_mode) ||
	    (trash_folders_is_signed(&st) &&
	     layout_is_tracked(&s->repo, LAYOUT_TRASH "/" NOTE, NULL) == 0))
		return true;
	err_set(&say, ERR_NONE,
		"'%s' is removed: nothing proves that it was written here, so "
		"it may have come with a clone",
		note_path(s, &a));
	err_report(s->report, &say);
	arena_release(&a);
	return false;
}

/* Read the note: 1, 0 where there is none, or none of ours. */
static int read_note(struct succession *u, struct err *e)
{
	struct buf text = {0};
	struct err why;
	int dir, r = open_trash(u->s, &dir, e);

	if (r != 1)
		return r;
	if (!is_proven(u->s, dir)) {
		close(dir);
		return 0;
	}
	r = file_read(dir, NOTE, note_path(u->s, &u->a), NOTE_MAX, &text, &why);
	close(dir);
	if ((r == 1 && !take_lines(u, &text)) ||
	    (r < 0 && why.code == ERR_DATA))
		r = 0;
	else if (r < 0 && e)
		*e = why;
	buf_release(&text);
	return r;
}

/* The folder of PATH, below knowledge/, open: as layout_open(); *NAME is its
 * file's. */
static int open_folder_of(struct succession *u, const char *path, int *fd,
			  const char **name, struct err *e)
{
	*name = strrchr(path, '/') + 1;
	return layout_open(&u->s->repo,
			   arena_copy(&u->a, path, (size_t)(*name - path) - 1),
			   fd, e);
}

/* 1 if the file at PATH, below knowledge/, stands, with its id; 0, -1. */
static int find_new(struct succession *u, int64_t *id, struct err *e)
{
	const char *name, *path = layout_path(&u->s->repo, u->name, &u->a);
	int dir, r = open_folder_of(u, u->name, &dir, &name, e);

	if (r != 1)
		return r;
	r = stands(dir, name, path, e);
	if (r == 1 && ids_of_file(dir, name, path, id, e) < 0)
		r = -1;
	close(dir);
	return r;
}

/* Write TEXT with KEY set to V, or without it for NULL, into the file NAME of
 * DIR that has it.  What has no header that can be read stays as it is. */
static int set_key(struct store *s, int dir, const char *name, const char *path,
		   const struct buf *text, const char *key,
		   const struct value *v, struct err *e)
{
	struct arena a = {0};
	struct buf with = {0};
	struct frontmatter fm;
	const struct value *is;
	int r = 0;

	if (frontmatter_parse(&fm, buf_str(text), text->len, path, &a, NULL) <
		    0 ||
	    !fm.present)
		goto out;
	is = value_get(&fm.data, key);
	if (v ? is && value_equal(is, v) : !is)
		goto out;
	r = v ? frontmatter_set(&with, &fm, key, v, e)
	      : frontmatter_remove(&with, &fm, key, e);
	if (!r) {
		operation_note(s, path, text, &with);
		r = file_replace_from(s->repo.fd, dir, name, path, text, with.p,
				      with.len, NULL, e);
		if (r < 0)
			operation_failed(s, path);
	}
out:
	buf_release(&with);
	arena_release(&a);
	return r;
}

/* The same for a file that is read first. */
static int set_key_of(struct store *s, int dir, const char *name,
		      const char *path, const char *key, const struct value *v,
		      struct err *e)
{
	struct buf text = {0};
	int r = file_read(dir, name, path, LAYOUT_FILE_MAX, &text, e);

	r = r == 1 ? set_key(s, dir, name, path, &text, key, v, e) : r;
	buf_release(&text);
	return r;
}

/* What a note has of where the I-th old one is afterwards. */
static const char *noted(const struct succession *u, size_t i)
{
	return u->to[i] ? u->to[i] : u->old[i];
}

/* Leave a note for an undo, durably. */
static int note_for_undo(struct succession *u, struct err *e)
{
	struct buf text = {0};
	int dir, r;

	if (trash_folders_open(u->s, u->folder, &dir, e) < 0)
		return -1;
	for (size_t i = 0; i < u->n; i++)
		buf_addf(&text, "%s\n", noted(u, i));
	r = file_create_from(
		u->s->repo.fd, dir, NOTED,
		arena_printf(&u->a, "%s/%s/" NOTED, u->s->repo.path, u->folder),
		root_file_mode(&u->s->repo.root), text.p, text.len, e);
	close(dir);
	buf_release(&text);
	return r < 0 ? -1 : 0;
}

/* Move the I-th old one to the archive, the folder TO, durably, and let it say
 * that ID has its place. */
static int move_one(struct succession *u, size_t i, int to, int64_t id,
		    struct err *e)
{
	const struct value v = value_int(id);
	const char *name, *as = u->to[i];
	struct err why;
	int from, r = open_folder_of(u, u->old[i], &from, &name, e);

	const char *path = arena_printf(&u->a, "%s/" LAYOUT_ARCHIVE "/%s",
					u->s->repo.path, as),
		   *old = layout_path(&u->s->repo, u->old[i], &u->a);

	if (r == 1) {
		operation_note_move(u->s, from, name, old, path);
		r = file_put_away(from, name, to, as, old, &why);
		if (r == 0)
			r = err_set(e, ERR_SYSTEM,
				    "'%s' is in the way in '" LAYOUT_ARCHIVE
				    "'",
				    as);
		else if (r == 1)
			r = file_sync_dir(to, path, e) < 0
				    ? -1
				    : file_sync_dir(from, old, e);
		else if (errno == ENOENT)
			r = 0;
		else if (e)
			*e = why;
		close(from);
	}
	if (r >= 0 && id)
		r = set_key_of(u->s, to, as, path, REPLACEMENT_OLD, &v, e);
	return r;
}

/* Let the I-th old one, which stays, say durably that ID has its place.  One that is
 * gone says nothing. */
static int mark_one(struct succession *u, size_t i, int64_t id, struct err *e)
{
	const struct value v = value_int(id);
	const char *name;
	int dir, r = open_folder_of(u, u->old[i], &dir, &name, e);

	if (r != 1)
		return r;
	if (id)
		r = set_key_of(u->s, dir, name,
			       layout_path(&u->s->repo, u->old[i], &u->a),
			       REPLACEMENT_OLD, &v, e);
	close(dir);
	return r;
}

/* Move the old ones to the archive, or mark those that stay. */
static int retire_old(struct succession *u, int64_t id, struct err *e)
{
	int to = -1, r = 0;

	for (size_t i = 0; i < u->n && r >= 0; i++) {
		if (!u->to[i])
			r = mark_one(u, i, id, e);
		else if (to < 0)
			r = layout_make(&u->s->repo, LAYOUT_ARCHIVE, &to, e);
		if (u->to[i] && r >= 0)
			r = move_one(u, i, to, id, e);
	}
	if (to >= 0)
		close(to);
	return r;
}

/* What is left to do, where the new one, ID, is DONE and where it is not. */
static int finish(struct succession *u, int64_t id, bool done, struct err *e)
{
	if (done && (note_for_undo(u, e) < 0 || retire_old(u, id, e) < 0))
		return -1;
	/* A note that stays is dropped by whoever takes the lock next. */
	drop_note(u->s, NULL);
	trash_folders_drop_empty(u->s, &u->a, u->folder);
	return 0;
}

/* The same; where DONE is NULL the folder tells. */
static int finish_as(struct succession *u, const bool *done, struct err *e)
{
	int64_t id = 0;
	int r = find_new(u, &id, e);

	if (r < 0)
		return -1;
	return finish(u, id, done ? *done : r == 1, e);
}

/* The note is for those after us: where our lock does not reach one, it may be
 * gone by now, and its work done. */
int replacement_end(struct store *s, bool done, struct err *e)
{
	struct succession *u = s->change->replacing;
	const int r = finish_as(u, &done, e);

	s->change->replacing = NULL;
	arena_release(&u->a);
	free(u);
	return r;
}

bool replacement_pending(struct store *s)
{
	int dir;
	bool is;

	if (open_trash(s, &dir, NULL) != 1)
		return false;
	is = stands(dir, NOTE, NOTE, NULL) != 0;
	close(dir);
	return is;
}

int replacement_resume(struct store *s, struct err *e)
{
	struct succession u = {.s = s};
	int r = read_note(&u, e);

	if (r == 1)
		r = finish_as(&u, NULL, e);
	else if (r == 0)
		r = drop_note(s, e); /* one that is none of ours */
	arena_release(&u.a);
	return r;
}

/* Prove that the note in DIR was written here.  Killed before that, nothing of what
 * it says has been done. */
static int sign_note(struct succession *u, int dir, struct err *e)
{
	const int fd = file_open(dir, NOTE, O_WRONLY | O_NOFOLLOW, 0);
	const char *path = note_path(u->s, &u->a);
	int r;

	if (fd < 0)
		return err_sys(e, "cannot open '%s'", path);
	r = trash_folders_sign(fd, path, e);
	close(fd);
	if (r < 0)
		unlinkat(dir, NOTE, 0);
	return r;
}

/* Write the note of U, durably. */
static int write_note(struct succession *u, struct err *e)
{
	struct buf text = {0};
	int dir, r;

	if (layout_make(&u->s->repo, layout_name(AREA_TRASH), &dir, e) < 0)
		return -1;
	buf_addf(&text, "%s\n", u->name);
	for (size_t k = 0; k < u->n; k++)
		buf_addf(&text, "%s\n%s\n", u->old[k], noted(u, k));
	buf_addf(&text, "%s\n", u->folder);
	r = file_create_from(u->s->repo.fd, dir, NOTE, note_path(u->s, &u->a),
			     root_file_mode(&u->s->repo.root), text.p, text.len,
			     e);
	if (r == 1)
		r = sign_note(u, dir, e) < 0 ? -1 : 1;
	close(dir);
	buf_release(&text);
	if (r == 0)
		return err_set(e, ERR_SYSTEM, "'%s' is in the way",
			       note_path(u->s, &u->a));
	return r < 0 ? -1 : 0;
}

/* True if NAME stands in the archive DIR, or is that of another of U. */
static int is_chosen(struct succession *u, size_t n, int dir, const char *name,
		     struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		if (u->to[i] && !strcmp(u->to[i], name))
			return 1;
	}
	return dir < 0 ? 0
		       : stands(dir, name,
				arena_printf(&u->a, "%s/" LAYOUT_ARCHIVE "/%s",
					     u->s->repo.path, name),
				e);
}

/* True if the K-th old one stays where it is: 1, 0, -1.  One without a header that can
 * be read could not say that it was replaced. */
static int stays(struct succession *u, size_t k, struct err *e)
{
	const char *name, *path = layout_path(&u->s->repo, u->old[k], &u->a);
	struct frontmatter fm;
	struct buf text = {0};
	int dir, r = 0;

	if (u->s->team == TEAM_YES) /* the lock was taken: it is known */
		r = open_folder_of(u, u->old[k], &dir, &name, e);
	if (r == 1) {
		r = file_read(dir, name, path, LAYOUT_FILE_MAX, &text, e);
		close(dir);
	}
	if (r == 1)
		r = frontmatter_parse(&fm, buf_str(&text), text.len, path,
				      &u->a, NULL) == 0 &&
		    fm.present;
	buf_release(&text);
	return r;
}

/* Choose the names that the old ones get in the archive, for those that go there. */
static int choose_names(struct succession *u, struct err *e)
{
	int dir, r = layout_open(&u->s->repo, LAYOUT_ARCHIVE, &dir, e);

	for (size_t k = 0; k < u->n && r >= 0; k++) {
		const char *name = strrchr(u->old[k], '/') + 1;
		const int stem = (int)strlen(name) - 3;

		r = stays(u, k, e);
		if (r)
			continue;
		u->to[k] = name;
		for (int i = 2; (r = is_chosen(u, k, dir, u->to[k], e)) == 1;
		     i++)
			u->to[k] = arena_printf(&u->a, "%.*s-%d.md", stem, name,
						i);
	}
	if (dir >= 0)
		close(dir);
	return r < 0 ? -1 : 0;
}

int replacement_begin(struct store *s, const char *name, const char *old,
		      struct err *e)
{
	struct succession *u = mem_alloc(sizeof(*u));
	int folder, r = -1;

	*u = (struct succession){.s = s};
	u->name = arena_strdup(&u->a, name);
	while (u->n < REPLACEMENT_MOST &&
	       (u->old[u->n] = replacement_next(&old, &u->a)))
		u->n++;
	if (replacement_resume(s, e) == 0 && choose_names(u, e) == 0 &&
	    trash_folders_new(s, &u->a, &u->folder, &folder, e) == 0) {
		close(folder);
		r = write_note(u, e);
		if (r < 0)
			trash_folders_drop_empty(s, &u->a, u->folder);
	}
	if (r == 0) {
		s->change->replacing = u;
		return 0;
	}
	arena_release(&u->a);
	free(u);
	return -1;
}

/* LIST, a value or NULL, with ID in it or without, to V; in A. */
static void list_with(const struct value *list, int64_t id, bool with,
		      struct arena *a, struct value *v)
{
	const size_t n = list && list->kind == VALUE_LIST ? list->u.list.n : 0;

	*v = (struct value){.kind = VALUE_LIST};
	v->u.list.items = arena_alloc(a, (n + 1) * sizeof(struct value));
	for (size_t i = 0; i < n; i++) {
		const struct value *item = &list->u.list.items[i];

		if (item->kind != VALUE_INT || item->u.i != id)
			v->u.list.items[v->u.list.n++] = *item;
	}
	if (with)
		v->u.list.items[v->u.list.n++] = value_int(id);
}

int replacement_say(struct store *s, const char *path, int64_t id, bool does,
		    struct err *e)
{
	struct arena a = {0};
	struct buf text = {0};
	struct layout_place p;
	struct frontmatter fm;
	const struct value *list;
	struct value v;
	int dir = -1, r = 0;

	if (layout_parse(&s->repo, path, &a, &p))
		r = layout_open(&s->repo, p.folder, &dir, e);
	if (r == 1)
		r = file_read(dir, p.name, path, LAYOUT_FILE_MAX, &text, e);
	if (r == 1)
		r = frontmatter_parse(&fm, text.p, text.len, path, &a, e) < 0
			    ? -1
			    : 1;
	if (r == 1) {
		list = value_get(&fm.data, REPLACEMENT_NEW);
		r = does || (list && list->kind == VALUE_LIST);
	}
	if (r == 1) {
		list_with(list, id, does, &a, &v);
		r = set_key(s, dir, p.name, path, &text, REPLACEMENT_NEW,
			    v.u.list.n ? &v : NULL, e);
	}
	if (dir >= 0)
		close(dir);
	buf_release(&text);
	arena_release(&a);
	return r < 0 ? -1 : 0;
}

int replacement_noted(struct store *s, const char *folder, struct arena *a,
		      const char **paths, struct err *e)
{
	struct buf text = {0}, all = {0};
	const char *p, *name;
	int dir, archive = -1, r = layout_open(&s->repo, folder, &dir, e);

	*paths = "";
	if (r != 1)
		return r;
	r = file_read(dir, NOTED,
		      arena_printf(a, "%s/%s/" NOTED, s->repo.path, folder),
		      NOTE_MAX, &text, e);
	close(dir);
	if (r == 1 && layout_open(&s->repo, LAYOUT_ARCHIVE, &archive, e) < 0)
		r = -1;
	p = r == 1 ? buf_str(&text) : "";
	while ((name = replacement_next(&p, a))) {
		if (is_place(s, name, a))
			buf_addf(&all, "%s/%s\n", s->repo.path, name);
		else if (archive >= 0 && layout_is_memory(name) &&
			 !strchr(name, '/') &&
			 stands(archive, name, name, NULL) == 1)
			buf_addf(&all, "%s/" LAYOUT_ARCHIVE "/%s\n",
				 s->repo.path, name);
	}
	if (archive >= 0)
		close(archive);
	*paths = arena_copy(a, buf_str(&all), all.len);
	if (r == 1)
		r = all.len > 0;
	buf_release(&text);
	buf_release(&all);
	return r;
}

void replacement_forget(struct store *s, const char *folder)
{
	int dir;

	if (layout_open(&s->repo, folder, &dir, NULL) != 1)
		return;
	if (unlinkat(dir, NOTED, 0) == 0)
		file_sync_dir(dir, folder, NULL);
	close(dir);
}

/* Let the memory, or what is in the archive, that bears NEW no longer say that it
 * supersedes OLD.  What cannot be read says nothing. */
static void take_back(struct store *s, int64_t new, int64_t old)
{
	static const enum area areas[] = {AREA_MEMORIES, AREA_ARCHIVE};

	for (size_t i = 0; i < ARRAY_LEN(areas); i++) {
		const struct ids *ids = ids_load(s, areas[i], NULL);
		const struct id_entry *entry = NULL;

		while (ids && (entry = ids_find(ids, new, entry)))
			replacement_say(s, entry->path, old, false, NULL);
	}
}

int replacement_free(struct store *s, int dir, const char *name,
		     const char *path, struct err *e)
{
	struct arena a = {0};
	struct buf text = {0};
	struct frontmatter fm;
	const struct value *new;
	int64_t id;
	int r = file_read(dir, name, path, LAYOUT_FILE_MAX, &text, e);

	if (r == 1 &&
	    frontmatter_parse(&fm, buf_str(&text), text.len, path, &a, NULL) ==
		    0 &&
	    (new = value_get(&fm.data, REPLACEMENT_OLD)) &&
	    new->kind == VALUE_INT &&
	    ids_of_file(dir, name, path, &id, NULL) == 0)
		take_back(s, new->u.i, id);
	buf_release(&text);
	arena_release(&a);
	/* It may have been the other as well. */
	return r < 0 ? -1
		     : set_key_of(s, dir, name, path, REPLACEMENT_OLD, NULL, e);
}
