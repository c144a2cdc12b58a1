/* transfer.c: an equal copy is one that a killed writer left.  So an id that another
 * draft has is changed before the copy is made, and both names are derived from the
 * content.
 */
#include "store/transfer.h"

#include "base/strings.h"
#include "store/change.h"
#include "store/ids.h"
#include "sys/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define SUFFIX_MAX 999

/* Take the lock of LAYOUT_SHARED, which is made if MAKE.  Returns 1, 0 if there is no
 * such directory, or -1.  The caller holds the store's lock. */
static int lock(struct store *s, bool make, struct err *e)
{
	int r;

	if (s->change->shared_fd >= 0)
		return 1;
	if (!shared_path(&s->repo.root))
		return 0;
	r = shared_open(&s->repo.root, make, &s->change->shared_fd, e);
	if (r != 1)
		return r;
	if (lock_take(s->change->shared_fd, shared_path(&s->repo.root),
		      &s->change->shared_lock, e) < 0) {
		close(s->change->shared_fd);
		s->change->shared_fd = -1;
		return -1;
	}
	file_tidy(s->change->shared_fd);
	/* Others may have saved there since ids were counted. */
	ids_drop(s);
	s->change->next_id = 0;
	return 1;
}

void transfer_unlock(struct store *s)
{
	if (s->change->shared_fd < 0)
		return;
	lock_release(s->change->shared_fd, s->change->shared_lock);
	close(s->change->shared_fd);
	s->change->shared_fd = -1;
}

void transfer_begin(struct store *s, struct value *map)
{
	const char *worktree = shared_worktree(&s->repo.root);

	/* Where that fails the draft stays in the work tree. */
	lock(s, true, NULL);
	if (worktree && map)
		value_put(map, "worktree", value_str(worktree));
}

int transfer_open(struct store *s, const char *folder, int *fd, struct err *e)
{
	*fd = -1;
	if (!strcmp(folder, LAYOUT_SHARED) && lock(s, false, e) < 0)
		return -1;
	return layout_open(&s->repo, folder, fd, e);
}

/* One draft on its way. */
struct transfer {
	struct store *s;
	struct arena *a;
	int from, to;
	const char *to_path; /* of the folder */
	struct buf text;
};

/* NAME, or NAME with -2, -3 and so on, that is free in the folder TO, *SAME
 * telling whether what has it equals the text: 0, -1. */
static int find_name(struct transfer *t, const char *name, const char **got,
		     bool *same, struct err *e)
{
	const int stem = (int)strlen(name) - 3;
	struct buf other = {0};
	int r = 1;

	*got = name;
	*same = false;
	for (int i = 2; r == 1 && i <= SUFFIX_MAX + 1; i++) {
		r = file_read(t->to, *got,
			      arena_printf(t->a, "%s/%s", t->to_path, *got),
			      LAYOUT_FILE_MAX, &other, e);
		if (r != 1)
			break;
		*same = buf_equal(&other, &t->text);
		if (*same)
			break;
		*got = arena_printf(t->a, "%.*s-%d.md", stem, name, i);
	}
	buf_release(&other);
	return r < 0 ? -1 : 0;
}

/* Copy the text that was read to the directory TO, as NAME or the next free name, and
 * unlink the file WAS in FROM. */
static int copy(struct transfer *t, const char *was, const char *name,
		const char **got, struct err *e)
{
	bool same;
	int r;

	do {
		if (find_name(t, name, got, &same, e) < 0)
			return -1;
		r = same ? 1
			 : file_create(t->to, *got,
				       arena_printf(t->a, "%s/%s", t->to_path,
						    *got),
				       root_file_mode(&t->s->repo.root),
				       buf_str(&t->text), t->text.len, e);
	} while (r == 0);
	if (r < 0)
		return -1;
	/* Whoever was killed may have done so before the folder was synced. */
	if (same && file_sync_dir(t->to, t->to_path, e) < 0)
		return -1;
	if (file_remove(t->from, was, was, e) == 0)
		return 0;
	/* Where only the sync failed, the copy is all there is. */
	if (!same && faccessat(t->from, was, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		unlinkat(t->to, *got, 0);
	return -1;
}

/* True if another draft than the one at PATH has ID. */
static bool is_taken(struct store *s, int64_t id, const char *path)
{
	const struct ids *ids = ids_load(s, AREA_DRAFTS, NULL);
	const struct id_entry *entry = NULL;

	while (ids && id && (entry = ids_find(ids, id, entry))) {
		if (strcmp(entry->path, path) != 0)
			return true;
	}
	return false;
}

/* Set *ID to the next id, and write it into the file NAME and the text of T. */
static int renumber(struct transfer *t, const char *name, int64_t *id,
		    struct err *e)
{
	struct frontmatter fm;
	struct buf with = {0};
	struct value v;
	int64_t end;
	int r = -1;

	if (ids_next(t->s, id, &end, e) < 0 ||
	    frontmatter_parse(&fm, buf_str(&t->text), t->text.len, name, t->a,
			      e) < 0)
		return -1;
	v = value_int(*id);
	if (frontmatter_set(&with, &fm, "id", &v, e) == 0 &&
	    file_replace(t->from, name, name, with.p, with.len, e) == 0) {
		buf_cut(&t->text, 0);
		buf_add(&t->text, with.p, with.len);
		r = 0;
	}
	buf_release(&with);
	return r;
}

/* Move the file NAME of drafts/ to the git directory.  Returns 1 and sets *GOT to its
 * name there, 0 if it cannot be read and stays, or -1. */
static int move_out(struct transfer *t, const char *name, const char **got,
		    struct err *e)
{
	const char *path = arena_printf(t->a, "%s/" LAYOUT_DRAFTS "/%s",
					t->s->repo.path, name);
	const char *wanted;
	bool same;
	int64_t id;

	if (file_read(t->from, name, path, LAYOUT_FILE_MAX, &t->text, e) != 1 ||
	    ids_of_file(t->from, name, path, &id, e) < 0)
		return 0;
	wanted = id ? ids_renumbered(t->a, name, id) : name;
	if (find_name(t, wanted, got, &same, e) < 0)
		return -1;
	/* What cannot be renumbered moves as it is. */
	if (!same && is_taken(t->s, id, path) &&
	    renumber(t, name, &id, NULL) == 0)
		wanted = ids_renumbered(t->a, name, id);
	ids_drop(t->s);
	return copy(t, name, wanted, got, e) < 0 ? -1 : 1;
}

/* Open both directories.  Returns false if drafts cannot move to the git directory. */
static bool begin_out(struct transfer *t)
{
	if (layout_open(&t->s->repo, layout_name(AREA_DRAFTS), &t->from,
			NULL) != 1)
		return false;
	if (lock(t->s, true, NULL) != 1 ||
	    faccessat(t->s->change->shared_fd, ".", W_OK, AT_EACCESS) < 0) {
		close(t->from);
		return false;
	}
	t->to = t->s->change->shared_fd;
	t->to_path = shared_path(&t->s->repo.root);
	return true;
}

struct names {
	struct arena a;
	const char **items;
	size_t n, cap;
};

static int add_name(void *ctx, const char *name, enum file_kind kind)
{
	struct names *names = ctx;

	if (kind != FILE_REGULAR || !layout_is_memory(name))
		return 0;
	names->items = mem_grow(names->items, names->n, &names->cap,
				sizeof(*names->items));
	names->items[names->n++] = arena_strdup(&names->a, name);
	return 0;
}

/* List the files of drafts/ that belong in the git directory. */
static void list_drafts(struct store *s, struct names *names)
{
	int dir;

	if (layout_open(&s->repo, layout_name(AREA_DRAFTS), &dir, NULL) != 1)
		return;
	if (file_walk(dir, s->repo.path, add_name, names, NULL) < 0)
		names->n = 0;
	close(dir);
	if (names->n && !shared_path(&s->repo.root))
		names->n = 0;
	if (names->n)
		qsort(names->items, names->n, sizeof(*names->items),
		      strings_compare);
}

static void release_names(struct names *names)
{
	free(names->items);
	arena_release(&names->a);
}

bool transfer_pending(struct store *s)
{
	struct names names = {0};
	bool is;

	list_drafts(s, &names);
	is = names.n > 0;
	release_names(&names);
	return is;
}

void transfer_out(struct store *s)
{
	struct names names = {0};
	struct transfer t = {.s = s, .a = &names.a};
	const char *got;

	list_drafts(s, &names);
	if (names.n && begin_out(&t)) {
		/* What cannot be written the next could not be either. */
		for (size_t i = 0; i < names.n; i++) {
			if (move_out(&t, names.items[i], &got, NULL) < 0)
				break;
		}
		close(t.from);
		ids_drop(s);
	}
	buf_release(&t.text);
	release_names(&names);
}

const char *transfer_one(struct store *s, const char *name, struct arena *a)
{
	struct transfer t = {.s = s, .a = a};
	const char *folder = layout_name(AREA_DRAFTS), *got = name;

	if (shared_path(&s->repo.root) && begin_out(&t)) {
		if (move_out(&t, name, &got, NULL) == 1)
			folder = LAYOUT_SHARED;
		else
			got = name;
		close(t.from);
		ids_drop(s);
	}
	buf_release(&t.text);
	return arena_printf(a, "%s/%s", layout_path(&s->repo, folder, a), got);
}
