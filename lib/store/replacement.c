/* replacement.c: the note has the names of the new file, the old one and the
 * removal that the old one goes to, a line each.  A clone may bring one, which
 * can do no more than a clone that lacks the old file.
 */
#include "store/replacement.h"

#include "store/change.h"
#include "store/trash-folders.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOTE ".replacing"
#define NOTE_MAX 4096
#define LINES 3
#define ASIDE_MAX 99

struct succession {
	struct store *s;
	const char *name, *old, *folder;
	struct arena a;
};

/* True if NAME stands in DIR: 1, 0, -1 where that cannot be told. */
static int stands(int dir, const char *name, struct err *e)
{
	if (faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		return 1;
	return errno == ENOENT ? 0 : err_sys(e, "cannot look for '%s'", name);
}

/* Open the folder of the note: as layout_open(). */
static int open_trash(struct store *s, int *fd, struct err *e)
{
	return layout_open(&s->repo, layout_name(AREA_TRASH), fd, e);
}

/* Give a folder with the name of the note, which is none of ours, another. */
static int step_round(int dir, struct err *e)
{
	char name[sizeof(NOTE) + 16];
	int r = 0;

	for (int i = 1; !r && i <= ASIDE_MAX; i++) {
		snprintf(name, sizeof(name), NOTE "-%d", i);
		r = file_rename(dir, NOTE, dir, name, NOTE, e);
	}
	return r ? (r < 0 ? -1 : 0)
		 : err_set(e, ERR_SYSTEM, "'%s' is in the way", NOTE);
}

static int drop_note(struct store *s, struct err *e)
{
	struct stat st;
	int dir, r = open_trash(s, &dir, e);

	if (r != 1)
		return r;
	if (fstatat(dir, NOTE, &st, AT_SYMLINK_NOFOLLOW) < 0)
		r = errno == ENOENT ? 0
				    : err_sys(e, "cannot look for '%s'", NOTE);
	else if (S_ISDIR(st.st_mode))
		r = step_round(dir, e);
	else if (unlinkat(dir, NOTE, 0) < 0 && errno != ENOENT)
		r = err_sys(e, "cannot remove '%s'", NOTE);
	else
		r = file_sync_dir(dir, NOTE, e);
	close(dir);
	return r;
}

/* Take the lines of TEXT; false where they are none that we write. */
static bool take_lines(struct succession *u, const struct buf *text)
{
	const char **lines[LINES] = {&u->name, &u->old, &u->folder};
	const char *p = buf_str(text);

	for (int i = 0; i < LINES; i++) {
		const size_t len = strcspn(p, "\n");

		if (!len || !p[len])
			return false;
		*lines[i] = arena_copy(&u->a, p, len);
		p += len + 1;
	}
	return !*p && layout_is_memory(u->name) && layout_is_memory(u->old) &&
	       !strpbrk(u->name, "/") && !strpbrk(u->old, "/") &&
	       trash_folders_is_folder(u->folder);
}

/* Read the note: 1, 0 where there is none, or none of ours. */
static int read_note(struct succession *u, struct err *e)
{
	struct buf text = {0};
	struct err why;
	int dir, r = open_trash(u->s, &dir, e);

	if (r != 1)
		return r;
	r = file_read(dir, NOTE, NOTE, NOTE_MAX, &text, &why);
	close(dir);
	if ((r == 1 && !take_lines(u, &text)) ||
	    (r < 0 && why.code == ERR_DATA))
		r = 0;
	else if (r < 0 && e)
		*e = why;
	buf_release(&text);
	return r;
}

/* Move the old one from MEMORIES to the trash, durably. */
static int move_old(struct succession *u, int memories, struct err *e)
{
	struct err why;
	int to, r;

	if (trash_folders_open(u->s, u->folder, &to, e) < 0)
		return -1;
	r = file_rename(memories, u->old, to, u->old, u->old, &why);
	if (r == 0)
		r = err_set(e, ERR_SYSTEM, "'%s' is in the way in '%s'", u->old,
			    u->folder);
	else if (r == 1)
		r = file_sync_dir(to, u->folder, e) < 0
			    ? -1
			    : file_sync_dir(memories, u->old, e);
	else if (errno == ENOENT)
		r = 0;
	else if (e)
		*e = why;
	close(to);
	return r;
}

/* What is left to do, where the new one is DONE and where it is not. */
static int finish(struct succession *u, int memories, bool done, struct err *e)
{
	if (done && move_old(u, memories, e) < 0)
		return -1;
	/* A note that stays is dropped by whoever takes the lock next. */
	drop_note(u->s, NULL);
	trash_folders_drop_empty(u->s, &u->a, u->folder);
	return 0;
}

/* The same; where DONE is NULL the folder tells. */
static int finish_as(struct succession *u, const bool *done, struct err *e)
{
	int memories, r;

	r = layout_open(&u->s->repo, layout_name(AREA_MEMORIES), &memories, e);
	if (r == 1 && !done)
		r = stands(memories, u->name, e);
	else if (r == 1)
		r = *done;
	if (r >= 0)
		r = finish(u, memories, r, e);
	if (memories >= 0)
		close(memories);
	return r;
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
	is = stands(dir, NOTE, NULL) != 0;
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

/* Write the note of U, durably. */
static int write_note(struct succession *u, struct err *e)
{
	const char *text =
		arena_printf(&u->a, "%s\n%s\n%s\n", u->name, u->old, u->folder);
	int dir, r;

	if (layout_make(&u->s->repo, layout_name(AREA_TRASH), &dir, e) < 0)
		return -1;
	r = file_create_from(u->s->repo.fd, dir, NOTE, NOTE,
			     root_file_mode(&u->s->repo.root), text,
			     strlen(text), e);
	close(dir);
	if (r == 0)
		return err_set(e, ERR_SYSTEM, "'%s' is in the way", NOTE);
	return r < 0 ? -1 : 0;
}

int replacement_begin(struct store *s, const char *name, const char *old,
		      struct err *e)
{
	struct succession *u = mem_alloc(sizeof(*u));
	int folder, r = -1;

	*u = (struct succession){.s = s};
	u->name = arena_strdup(&u->a, name);
	u->old = arena_strdup(&u->a, old);
	if (replacement_resume(s, e) == 0 &&
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
