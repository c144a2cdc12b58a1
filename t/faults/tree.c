/* tree.c: an error here is not a tested fault, and ends the process. */
#include "tree.h"

#include "base/buf.h"
#include "repo/settings.h"
#include "sys/file-write.h"
#include "sys/io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static const char root_ignores[] =
	"# What a writer that was killed may leave behind.\n" FILE_TEMP "*\n";

static const struct timespec long_ago[2] = {{1000000000, 0}, {1000000000, 0}};

static void NORETURN give_up(const char *path)
{
	perror(path);
	exit(4);
}

/* Return the path of NAME in DIR. The caller owns it. */
static char *join(const char *dir, const char *name)
{
	struct buf path = {0};

	buf_addf(&path, "%s/%s", dir, name);
	return buf_take(&path);
}

/* Call FN with each entry of DIR and CTX. */
static void each(const char *dir,
		 void (*fn)(void *, const char *, const char *), void *ctx)
{
	DIR *d = opendir(dir);
	struct dirent *entry;

	if (!d)
		give_up(dir);
	while ((entry = readdir(d))) {
		char *path;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		path = join(dir, entry->d_name);
		fn(ctx, path, entry->d_name);
		free(path);
	}
	closedir(d);
}

static bool is_folder(const char *path)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		give_up(path);
	return S_ISDIR(st.st_mode);
}

static void read_whole(const char *path, struct buf *text)
{
	struct err e;

	if (file_read_path(path, SIZE_MAX - 1, text, &e) < 0) {
		fprintf(stderr, "%s\n", e.text);
		exit(4);
	}
}

static void copy_file(const char *from, const char *to)
{
	struct buf text = {0};
	struct stat st;
	int fd;

	read_whole(from, &text);
	if (stat(from, &st) < 0)
		give_up(from);
	fd = open(to, O_WRONLY | O_CREAT | O_EXCL, st.st_mode & 07777);
	if (fd < 0 || io_write(fd, buf_str(&text), text.len) < 0 ||
	    futimens(fd, (struct timespec[]){st.st_atim, st.st_mtim}) < 0)
		give_up(to);
	close(fd);
	buf_release(&text);
}

static void copy_entry(void *ctx, const char *path, const char *name)
{
	char *to = join(ctx, name);

	if (is_folder(path))
		tree_copy(path, to);
	else
		copy_file(path, to);
	free(to);
}

void tree_copy(const char *from, const char *to)
{
	if (mkdir(to, 0777) < 0)
		give_up(to);
	each(from, copy_entry, (void *)(uintptr_t)to);
}

static void remove_entry(void *ctx, const char *path, const char *name)
{
	(void)ctx;
	(void)name;
	tree_remove(path);
}

void tree_remove(const char *path)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return;
	if (S_ISDIR(st.st_mode))
		each(path, remove_entry, NULL);
	if (remove(path) < 0)
		give_up(path);
}

struct walk {
	struct tree *tree;
	size_t skip; /* bytes of the path of the directory */
};

/* Return whether TEXT begins like the settings of a root, with any id. */
static bool is_root_settings(const char *text)
{
	char id[PROJECT_ID_LENGTH + 1] = "";
	int end = 0;

	if (!strcmp(text, "{\"format\": 1}\n"))
		return true;
	sscanf(text,
	       "{\"format\": 1, \"project\": {\"id\": \"%20[a-z2-7]\"}}%n", id,
	       &end);
	return end && !strcmp(text + end, "\n") && project_id_is(id);
}

/* Record a temporary file or directory at PATH. */
static void add_litter(struct tree *t, const char *path, const char *below)
{
	t->litter = arena_strdup(&t->arena, below);
	/* The next writer then removes it. */
	utimensat(AT_FDCWD, path, long_ago, AT_SYMLINK_NOFOLLOW);
}

static void add_file(struct tree *t, const char *path, const char *below,
		     const char *name)
{
	struct buf text = {0};
	const char *kept = arena_strdup(&t->arena, below);

	read_whole(path, &text);
	if (!strncmp(name, FILE_TEMP, strlen(FILE_TEMP))) {
		add_litter(t, path, below);
	} else if (!strcmp(name, ".removed-here")) {
		; /* as good as not there */
	} else if (!strcmp(name, "settings.json") &&
		   is_root_settings(buf_str(&text))) {
		t->marks++;
	} else if (!strcmp(name, ".gitignore")) {
		t->marks++;
		if (strcmp(buf_str(&text), "*\n") != 0 &&
		    strcmp(buf_str(&text), root_ignores) != 0)
			t->torn = kept;
	} else {
		t->files = mem_grow(t->files, t->n, &t->cap, sizeof(*t->files));
		t->files[t->n++] = (struct tree_file){
			kept, arena_copy(&t->arena, buf_str(&text), text.len),
			text.len};
	}
	buf_release(&text);
}

/* The operation log may lack its last lines. Read only what the next writer
 * must complete or remove. */
static void read_log(void *ctx, const char *path, const char *name)
{
	struct walk *w = ctx;

	if (is_folder(path))
		each(path, read_log, w);
	else if (!strncmp(name, FILE_TEMP, strlen(FILE_TEMP)))
		add_litter(w->tree, path, path + w->skip);
	else if (!strcmp(name, "unfinished"))
		w->tree->note = arena_strdup(&w->tree->arena, path + w->skip);
}

/* Of ~/.local read only the operation logs. */
static void read_local(void *ctx, const char *path, const char *name)
{
	if (is_folder(path))
		each(path, strcmp(name, "log") != 0 ? read_local : read_log,
		     ctx);
}

static void read_entry(void *ctx, const char *path, const char *name)
{
	struct walk *w = ctx;

	if (!is_folder(path))
		add_file(w->tree, path, path + w->skip, name);
	else if (!strncmp(name, FILE_TEMP, strlen(FILE_TEMP)))
		add_litter(w->tree, path, path + w->skip);
	else if (!strcmp(name, "log"))
		each(path, read_log, w);
	else if (!strcmp(name, ".local"))
		each(path, read_local, w);
	else if (strcmp(name, ".cache") != 0)
		each(path, read_entry, w);
}

static int by_path(const void *a, const void *b)
{
	const struct tree_file *x = a, *y = b;

	return strcmp(x->path, y->path);
}

void tree_read(struct tree *t, const char *dir)
{
	struct walk w = {t, strlen(dir) + 1};

	*t = (struct tree){0};
	each(dir, read_entry, &w);
	if (t->n)
		qsort(t->files, t->n, sizeof(*t->files), by_path);
}

void tree_release(struct tree *t)
{
	free(t->files);
	arena_release(&t->arena);
	*t = (struct tree){0};
}

bool tree_same_text(const struct tree_file *a, const struct tree_file *b)
{
	return a->len == b->len && !memcmp(a->text, b->text, a->len);
}

bool tree_equal(const struct tree *a, const struct tree *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		if (strcmp(a->files[i].path, b->files[i].path) != 0 ||
		    !tree_same_text(&a->files[i], &b->files[i]))
			return false;
	}
	return true;
}

const struct tree_file *tree_find(const struct tree *t, const char *path)
{
	for (size_t i = 0; i < t->n; i++) {
		if (!strcmp(t->files[i].path, path))
			return &t->files[i];
	}
	return NULL;
}

size_t tree_count(const struct tree *t, const struct tree_file *f)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		n += tree_same_text(&t->files[i], f);
	return n;
}

const char *tree_text(const char *path, struct arena *a)
{
	struct buf text = {0};
	const char *kept;

	if (access(path, F_OK) == 0)
		read_whole(path, &text);
	kept = arena_copy(a, buf_str(&text), text.len);
	buf_release(&text);
	return kept;
}
