/* trash-folders.c: see trash-folders.h. */
#include "store/trash-folders.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define MARK ".removed-here"
#define MARK_TIME 946684800    /* 2000, which every file system can store */
#define MARK_LATEST 1262304000 /* 2010: allows for zones and coarse clocks */
#define NUMBER_MAX 999999999
#define FOREIGN_MAX 999999 /* leaves room for our numbers above it */

/* Return the number N of the removal's directory "TIMESTAMP-N"; 0 for another name. */
static int64_t number_of(const char *name)
{
	const char *dash = strrchr(name, '-');
	int64_t n = 0;

	if (!dash || !dash[1])
		return 0;
	for (const char *p = dash + 1; *p; p++) {
		if (*p < '0' || *p > '9' || n > NUMBER_MAX)
			return 0;
		n = n * 10 + (*p - '0');
	}
	return n <= NUMBER_MAX ? n : 0;
}

static int by_number(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;
	const int64_t m = number_of(*x), n = number_of(*y);

	return m != n ? (m < n ? 1 : -1) : -strcmp(*x, *y);
}

int trash_folders_list(struct store *s, struct arena *a, struct strings *names,
		       struct err *e)
{
	struct file_list all;
	const int r = layout_list(&s->repo, LAYOUT_TRASH, a, &all, e);

	*names = (struct strings){0};
	for (size_t i = 0; i < all.n; i++) {
		if (all.items[i].kind == FILE_FOLDER &&
		    !layout_is_apart(all.items[i].name))
			strings_add(names, all.items[i].name);
	}
	MEM_SORT(names->items, names->n, by_number);
	return r;
}

/* Return 1 if the directory DIR at PATH has the mark of a removal made here, 0, or
 * -1. */
static int has_mark(int dir, const char *path, struct err *e)
{
	struct stat st;

	if (fstatat(dir, MARK, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return S_ISREG(st.st_mode) && st.st_mtime < MARK_LATEST;
	return errno == ENOENT
		       ? 0
		       : err_sys(e, "cannot look at '%s/" MARK "'", path);
}

static int is_ours(struct store *s, const char *name, struct err *e)
{
	struct arena a = {0};
	const char *folder = arena_printf(&a, LAYOUT_TRASH "/%s", name);
	int fd, r = layout_open(&s->repo, folder, &fd, e);

	if (r == 1) {
		r = has_mark(fd, layout_path(&s->repo, folder, &a), e);
		close(fd);
	}
	arena_release(&a);
	return r;
}

int trash_folders_each(struct store *s, trash_folders_fn *fn, void *ctx,
		       struct err *e)
{
	struct strings names;
	struct arena a = {0};
	int tracked, r = trash_folders_list(s, &a, &names, e);

	for (size_t i = 0; !r && i < names.n; i++) {
		const char *folder =
			arena_printf(&a, LAYOUT_TRASH "/%s", names.items[i]);

		r = is_ours(s, names.items[i], e);
		/* If git tracks a file in it, a pull may have written there. */
		if (r > 0) {
			tracked = layout_is_tracked(&s->repo, folder, e);
			r = tracked < 0 ? -1 : !tracked;
		}
		if (r >= 0)
			r = fn(ctx, folder, r > 0, e);
	}
	free(names.items);
	arena_release(&a);
	return r;
}

/* Mark the directory DIR at PATH durably as a removal made here. */
static int mark_ours(struct store *s, int dir, const char *path, struct err *e)
{
	const int fd =
		file_open(dir, MARK, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
			  root_file_mode(&s->repo.root));
	static const struct timespec times[2] = {{MARK_TIME, 0},
						 {MARK_TIME, 0}};
	int r = 0;

	/* A process on another machine, which our lock does not stop, may have. */
	if (fd < 0)
		return errno == EEXIST
			       ? 0
			       : err_sys(e, "cannot make '%s/" MARK "'", path);
	/* If the time cannot be set, the mark does not count, and an undo passes over
	 * this removal. */
	if (futimens(fd, times) == 0 && fsync(fd) < 0 && errno != EINTR)
		r = err_sys(e, "cannot write '%s'", path);
	close(fd);
	return r;
}

/* Open the new directory NAME of TRASH, and mark it. Return 1; 0 if it is gone,
 * since an undo on another machine, which our lock does not stop, removed it as
 * empty; or -1. */
static int mark_new(struct store *s, int trash, const char *name,
		    const char *path, int *fd, struct err *e)
{
	int r = file_open_dir(trash, name, path, fd, e);

	if (r != 1)
		return r;
	if (mark_ours(s, *fd, path, e) == 0)
		return 1;
	r = errno == ENOENT ? 0 : -1;
	unlinkat(*fd, MARK, 0);
	close(*fd);
	*fd = -1;
	unlinkat(trash, name, AT_REMOVEDIR);
	return r;
}

/* Create and mark FOLDER of the trash, and open it. Return 1; 0 if it exists already or
 * was removed meanwhile; or -1. *FD is -1 unless the result is 1. */
static int make_folder(struct store *s, const char *folder, int *fd,
		       struct err *e)
{
	const char *name = folder + strlen(LAYOUT_TRASH "/"), *path;
	struct arena a = {0};
	int trash, r;

	*fd = -1;
	if (layout_make(&s->repo, LAYOUT_TRASH, &trash, e) < 0)
		return -1;
	path = layout_path(&s->repo, folder, &a);
	r = file_mkdir(trash, name, root_dir_mode(&s->repo.root));
	if (r < 0)
		r = errno == EEXIST ? 0 : err_sys(e, "cannot make '%s'", path);
	else if (file_sync_dir(trash, path, e) < 0) {
		unlinkat(trash, name, AT_REMOVEDIR);
		r = -1;
	} else
		r = mark_new(s, trash, name, path, fd, e);
	close(trash);
	arena_release(&a);
	return r;
}

int trash_folders_open(struct store *s, const char *folder, int *fd,
		       struct err *e)
{
	const int r = make_folder(s, folder, fd, e);

	return r ? (r < 0 ? -1 : 0) : layout_make(&s->repo, folder, fd, e);
}

/* Set *MOST to the number of the newest removal of LIST that was made here, or to
 * that of a newer one from elsewhere, as an older version may have left it. Numbers
 * from elsewhere above FOREIGN_MAX are ignored: there might be no number above them. */
static int find_newest(struct store *s, const struct strings *list,
		       int64_t *most, struct err *e)
{
	*most = 0;

	for (size_t i = 0; i < list->n; i++) {
		const int64_t n = number_of(list->items[i]);

		const int ours = is_ours(s, list->items[i], e);

		if (ours < 0)
			return -1;
		if (n > *most && (ours || n <= FOREIGN_MAX))
			*most = n;
		if (ours)
			break;
	}
	return 0;
}

int trash_folders_new(struct store *s, struct arena *a, const char **folder,
		      int *fd, struct err *e)
{
	struct strings list;
	char when[INSTANT_TEXT];
	int64_t n;
	int r;

	r = trash_folders_list(s, a, &list, e);
	/* A killed writer may have left the newest one empty. */
	if (list.n) {
		trash_folders_drop_empty(
			s, a,
			arena_printf(a, LAYOUT_TRASH "/%s", list.items[0]));
		free(list.items);
		r = trash_folders_list(s, a, &list, e);
	}
	if (r >= 0)
		r = find_newest(s, &list, &n, e);
	free(list.items);
	if (r < 0)
		return -1;
	instant_format_name(instant_now(), when);
	do {
		*folder = arena_printf(a, LAYOUT_TRASH "/%s-%lld", when,
				       (long long)++n);
		r = make_folder(s, *folder, fd, e);
	} while (r == 0);
	return r < 0 ? -1 : 0;
}

/* End the walk at an entry other than the mark. */
static int is_other(void *ctx, const char *name, enum file_kind kind)
{
	(void)ctx;
	(void)kind;
	return strcmp(name, MARK) != 0;
}

/* Remove FOLDER, "trash/..." below knowledge/, if it contains nothing except its
 * mark. */
static void remove_empty(struct store *s, const char *folder)
{
	struct arena a = {0};
	int trash, fd;
	struct err why;
	bool marked;

	if (layout_open(&s->repo, folder, &fd, NULL) != 1)
		return;
	if (file_walk(fd, folder, is_other, NULL, NULL) ||
	    layout_open(&s->repo, LAYOUT_TRASH, &trash, NULL) != 1) {
		close(fd);
		return;
	}
	marked = has_mark(fd, folder, NULL) == 1;
	unlinkat(fd, MARK, 0);
	/* After a crash here, the next undo that finds it removes it. */
	if (unlinkat(trash, folder + strlen(LAYOUT_TRASH "/"), AT_REMOVEDIR) ==
	    0) {
		if (file_sync_dir(trash, layout_path(&s->repo, folder, &a),
				  &why) < 0)
			err_report(s->report, &why);
	} else if (marked) {
		mark_ours(s, fd, folder, NULL);
	}
	arena_release(&a);
	close(trash);
	close(fd);
}

void trash_folders_drop_empty(struct store *s, struct arena *a,
			      const char *folder)
{
	const char *slash = strchr(folder + strlen(LAYOUT_TRASH "/"), '/');

	if (slash)
		folder = arena_copy(a, folder, (size_t)(slash - folder));
	remove_empty(s, arena_printf(a, "%s/" LAYOUT_DRAFTS, folder));
	remove_empty(s, arena_printf(a, "%s/" LAYOUT_ARTICLES, folder));
	remove_empty(s, arena_printf(a, "%s/" LAYOUT_ARCHIVE, folder));
	remove_empty(s, folder);
}

int trash_folders_contents(struct store *s, const char *folder, struct arena *a,
			   struct strings *paths, struct err *e)
{
	static const char *const parts[] = {
		"", LAYOUT_DRAFTS "/", LAYOUT_ARTICLES "/", LAYOUT_ARCHIVE "/"};
	struct file_list in;
	int r = 0;

	*paths = (struct strings){0};
	for (size_t i = 0; r >= 0 && i < ARRAY_LEN(parts); i++) {
		r = layout_list(&s->repo,
				arena_printf(a, "%s/%s", folder, parts[i]), a,
				&in, e);
		for (size_t k = 0; k < in.n; k++) {
			if (in.items[k].kind == FILE_REGULAR &&
			    layout_is_memory(in.items[k].name))
				strings_add(paths,
					    arena_printf(a, "%s%s", parts[i],
							 in.items[k].name));
		}
	}
	MEM_SORT(paths->items, paths->n, strings_compare);
	return r < 0 ? -1 : 0;
}
