/* transfer.c: an equal file in the git directory is the copy of a writer that was
 * killed before it unlinked the original. So if another draft has the id, the original
 * gets a new id before it is copied: the copy must equal it, under the name that its id
 * gives.
 */
#include "store/transfer.h"

#include "store/change.h"
#include "store/ids.h"
#include "sys/lock.h"

#include <fcntl.h>
#include <unistd.h>

#define SUFFIX_MAX 999

/* Take the lock of LAYOUT_SHARED; create the directory if MAKE. Return 1, 0 if there is
 * no such directory, or -1. The caller holds the store's lock. */
static int lock_shared(struct store *s, bool make, struct err *e)
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
	/* Writers in other work trees may have saved drafts since the ids were read. */
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

	/* If that fails, the draft is saved in the work tree. */
	lock_shared(s, true, NULL);
	if (worktree && map)
		value_put(map, "worktree", value_str(worktree));
}

int transfer_open(struct store *s, const char *folder, int *fd, struct err *e)
{
	*fd = -1;
	if (!strcmp(folder, LAYOUT_SHARED) && lock_shared(s, false, e) < 0)
		return -1;
	return layout_open(&s->repo, folder, fd, e);
}

/* The move of drafts from the directory FROM to TO. */
struct transfer {
	struct store *s;
	struct arena *a;
	int from, to;
	const char *to_path; /* for messages */
	struct buf text;     /* of the current draft */
};

/* Set *GOT to NAME, or NAME with -2, -3 and so on, the first that is free in TO. If a
 * file with such a name has the same text, set *GOT to that and *SAME to true. Return 0
 * or -1. */
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
static int copy_and_unlink(struct transfer *t, const char *was,
			   const char *name, const char **got, struct err *e)
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
	/* The killed writer may not have synced the directory of its copy. */
	if (same && file_sync_dir(t->to, t->to_path, e) < 0)
		return -1;
	if (file_remove(t->from, was, was, e) == 0)
		return 0;
	/* If the original is gone, since only the sync failed, the copy must stay. */
	if (!same && faccessat(t->from, was, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		unlinkat(t->to, *got, 0);
	return -1;
}

/* Return true if a draft other than the one at PATH has ID. */
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

/* Move the file NAME of drafts/ to the git directory. Return 1 with *GOT set to its
 * name there, 0 if it cannot be read and stays, or -1. */
static int move_out(struct transfer *t, const char *name, const char **got)
{
	const char *path = arena_printf(t->a, "%s/" LAYOUT_DRAFTS "/%s",
					t->s->repo.path, name);
	const char *wanted;
	bool same;
	int64_t id;

	if (file_read(t->from, name, path, LAYOUT_FILE_MAX, &t->text, NULL) !=
		    1 ||
	    ids_of_file(t->from, name, path, &id, NULL) < 0)
		return 0;
	wanted = id ? ids_renumbered(t->a, name, id) : name;
	if (find_name(t, wanted, got, &same, NULL) < 0)
		return -1;
	/* A draft that cannot be renumbered moves with its old id. */
	if (!same && is_taken(t->s, id, path)) {
		if (renumber(t, name, &id, NULL) == 0)
			wanted = ids_renumbered(t->a, name, id);
		ids_drop(t->s);
	}
	return copy_and_unlink(t, name, wanted, got, NULL) < 0 ? -1 : 1;
}

/* Open both directories and take the lock. Return false if drafts cannot move to the
 * git directory. The caller closes T's FROM. */
static bool begin_out(struct transfer *t)
{
	if (layout_open(&t->s->repo, layout_name(AREA_DRAFTS), &t->from,
			NULL) != 1)
		return false;
	if (lock_shared(t->s, true, NULL) != 1 ||
	    faccessat(t->s->change->shared_fd, ".", W_OK, AT_EACCESS) < 0) {
		close(t->from);
		return false;
	}
	t->to = t->s->change->shared_fd;
	t->to_path = shared_path(&t->s->repo.root);
	return true;
}

/* Return the files of drafts/ that belong in the git directory, in A. */
static struct file_list list_drafts(struct store *s, struct arena *a)
{
	struct file_list all;
	size_t n = 0;

	if (layout_list(&s->repo, layout_name(AREA_DRAFTS), a, &all, NULL) <
		    0 ||
	    (all.n && !shared_path(&s->repo.root)))
		all.n = 0;
	for (size_t i = 0; i < all.n; i++) {
		if (all.items[i].kind == FILE_REGULAR &&
		    layout_is_memory(all.items[i].name))
			all.items[n++] = all.items[i];
	}
	all.n = n;
	return all;
}

bool transfer_pending(struct store *s)
{
	struct arena a = {0};
	const bool is = list_drafts(s, &a).n > 0;

	arena_release(&a);
	return is;
}

void transfer_out(struct store *s)
{
	struct arena a = {0};
	const struct file_list drafts = list_drafts(s, &a);
	struct transfer t = {.s = s, .a = &a};
	const char *got;

	if (drafts.n && begin_out(&t)) {
		/* A draft that moves keeps its id, so they are read only once. */
		ids_drop(s);
		/* If one cannot be written, neither can the next. */
		for (size_t i = 0; i < drafts.n; i++) {
			if (move_out(&t, drafts.items[i].name, &got) < 0)
				break;
		}
		close(t.from);
		ids_drop(s);
	}
	buf_release(&t.text);
	arena_release(&a);
}

const char *transfer_one(struct store *s, const char *name, struct arena *a)
{
	struct transfer t = {.s = s, .a = a};
	const char *folder = layout_name(AREA_DRAFTS), *got = name;

	if (shared_path(&s->repo.root) && begin_out(&t)) {
		if (move_out(&t, name, &got) == 1)
			folder = LAYOUT_SHARED;
		else
			got = name;
		close(t.from);
		ids_drop(s);
	}
	buf_release(&t.text);
	return arena_printf(a, "%s/%s", layout_path(&s->repo, folder, a), got);
}
