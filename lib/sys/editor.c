/* editor.c: each copy has a directory of its own, of mode 0700, in the user's
 * state directory.
 *
 * A file next to the copy records the path and a hash of the real file. It
 * identifies an edit that was kept, or that was interrupted by a crash. The
 * directory is locked while the editor runs.
 *
 * The editor's command line comes from the user and is run by sh, as git does,
 * so that "code --wait" works. The path of the copy is an argument, never part
 * of the command line. While the editor runs, this process ignores keyboard
 * interrupts.
 */
#include "sys/editor.h"

#include "base/compat.h"
#include "base/hash.h"
#include "sys/dirs.h"
#include "sys/file-write.h"
#include "sys/io.h"
#include "sys/process.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define WHOSE ".edit-of"	   /* contains "HASH PATH" */
#define KEPT_MAX (4 * 1024 * 1024) /* longest edit */

static const char *editor_name(void)
{
	const char *s = getenv("VISUAL");

	if (!s || !*s)
		s = getenv("EDITOR");
	if ((!s || !*s) && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
		s = "vi";
	return s && *s ? s : NULL;
}

bool editor_is_set(void)
{
	return editor_name() != NULL;
}

/* Start sh with ARGV and default signals. Returns 0 or an error number. */
static int spawn_shell(pid_t *pid, char *const *argv)
{
	char **environment = process_environment();
	posix_spawnattr_t attr;
	sigset_t usual;
	int r;

	sigemptyset(&usual);
	sigaddset(&usual, SIGINT);
	sigaddset(&usual, SIGQUIT);
	sigaddset(&usual, SIGXFSZ);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigdefault(&attr, &usual);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	r = posix_spawn(pid, "/bin/sh", NULL, &attr, argv, environment);
	free(environment);
	posix_spawnattr_destroy(&attr);
	return r;
}

/* Run sh with ARGV and wait; *STATUS is the status of waitpid(). Returns 0 or
 * an error number. */
static int run_shell(char *const *argv, int *status)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, on_int, on_quit;
	struct sigaction usual = {.sa_handler = SIG_DFL}, on_child;
	pid_t pid;
	int r;

	sigaction(SIGINT, &ignore, &on_int);
	sigaction(SIGQUIT, &ignore, &on_quit);
	/* If SIGCHLD was inherited as ignored, waitpid() would fail. */
	sigaction(SIGCHLD, &usual, &on_child);
	r = spawn_shell(&pid, argv);
	while (!r && waitpid(pid, status, 0) < 0) {
		if (errno != EINTR)
			r = errno;
	}
	sigaction(SIGINT, &on_int, NULL);
	sigaction(SIGQUIT, &on_quit, NULL);
	sigaction(SIGCHLD, &on_child, NULL);
	return r;
}

struct copy {
	char *dir;
	char *path;
	int lock;      /* descriptor of the locked directory */
	bool resumed;  /* it continues a kept edit */
	bool declined; /* the editor exited with a failure */
};

static int run_editor(struct copy *c, struct err *e)
{
	const char *editor = editor_name();
	struct buf line = {0};
	int r, status = 0;

	if (!editor)
		return err_set(e, ERR_HELPER,
			       "no editor is set, and vi needs a terminal: set "
			       "VISUAL or EDITOR");
	buf_addf(&line, "%s \"$@\"", editor);
	r = run_shell((char *[]){"sh", "-c", line.p, "co", c->path, NULL},
		      &status);
	buf_release(&line);
	if (r) {
		errno = r;
		return err_sys(e, "cannot run '%s'", editor);
	}
	c->declined = WIFEXITED(status) && WEXITSTATUS(status) > 0 &&
		      WEXITSTATUS(status) < 128;
	if (status)
		return err_set(e, ERR_HELPER,
			       "the editor '%s' ended with status %d", editor,
			       WIFSIGNALED(status) ? 128 + WTERMSIG(status)
						   : WEXITSTATUS(status));
	return 0;
}

/* Append the path prefix of the directories of copies: in the user's state
 * directory or, if PASSING, in the temporary directory, for a sandbox in which
 * the state directory cannot be written. */
static int append_base_prefix(bool passing, struct buf *path, struct err *e)
{
	const char *temp = getenv("TMPDIR");
	char *state;

	if (passing) {
		buf_addf(path, "%s/co-edit-",
			 temp && *temp == '/' ? temp : "/tmp");
		return 0;
	}
	if (dirs_state(&state, e) < 0)
		return -1;
	buf_addf(path, "%s/edit-", state);
	free(state);
	return 0;
}

/* Make the directory of C with that prefix. */
static int make_folder(struct copy *c, bool passing, struct err *e)
{
	struct buf path = {0};
	int above, r = append_base_prefix(passing, &path, e);
	size_t end;

	if (r < 0)
		return -1;
	end = (size_t)(strrchr(path.p, '/') - path.p);
	if (!passing) {
		path.p[end] = '\0';
		r = file_make_path(path.p, 0700, &above, e);
		path.p[end] = '/';
		if (r == 0)
			close(above);
	}
	buf_adds(&path, "XXXXXX");
	if (r == 0 && !mkdtemp(path.p))
		r = err_sys(e, "cannot make a directory in '%.*s'", (int)end,
			    path.p);
	if (r == 0)
		c->dir = mem_strdup(path.p);
	buf_release(&path);
	return r;
}

static void name_copy(struct copy *c, const char *of)
{
	struct buf path = {0};

	buf_addf(&path, "%s/%s", c->dir, file_name_of(of));
	c->path = buf_take(&path);
}

/* Create the file NAME in the directory of C, with mode 0600. */
static int write_file(const struct copy *c, const char *name, const char *p,
		      size_t len, struct err *e)
{
	const int fd = openat(c->lock, name,
			      O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int r = -1;

	if (fd >= 0)
		r = io_write(fd, p, len);
	if (fd >= 0 && close(fd) < 0 && errno != EINTR)
		r = -1;
	return r < 0 ? err_sys(e, "cannot write '%s/%s'", c->dir, name) : 0;
}

/* Open and lock the directory of C, until the edit is done. */
static int hold_folder(struct copy *c, struct err *e)
{
	c->lock = open(c->dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (c->lock < 0)
		return err_sys(e, "cannot open '%s'", c->dir);
	if (flock(c->lock, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
		return err_set(e, ERR_BUSY, "'%s' is being edited", c->path);
	return 0;
}

static uint64_t hash_text(const struct buf *text)
{
	return hash_bytes(buf_str(text), text->len, 0);
}

/* Make the directory, the file that identifies the edit, and the copy. Falls
 * back to the temporary directory, with a note. */
static int make_copy(struct copy *c, const struct editor *ed, struct err *e)
{
	struct buf whose = {0};
	struct err why;
	int r = make_folder(c, false, &why);

	if (r < 0 && make_folder(c, true, e) < 0)
		return err_take(e, &why);
	if (r < 0)
		ed->note("%s; the copy is '%s/%s'", why.text, c->dir,
			 file_name_of(ed->path));
	name_copy(c, ed->path);
	buf_addf(&whose, "%016" PRIx64 " %s", hash_text(ed->was), ed->path);
	r = hold_folder(c, e);
	if (!r)
		r = write_file(c, WHOSE, whose.p, whose.len, e);
	if (!r)
		r = write_file(c, file_name_of(ed->path), buf_str(ed->was),
			       ed->was->len, e);
	buf_release(&whose);
	return r;
}

/* Return true if the copy exists and differs from WAS, or cannot be read. */
static bool holds_edit(const struct copy *c, const struct buf *was, size_t max)
{
	struct buf text = {0};
	struct err why;
	bool edit;

	if (file_read_path(c->path, max, &text, &why) < 0)
		edit = access(c->path, F_OK) == 0 || errno != ENOENT;
	else
		edit = !buf_equal(&text, was);
	buf_release(&text);
	return edit;
}

/* Run the editor and use the result. Returns 1 if USE accepted it, 0 if the
 * text is unchanged, -1 on error. */
static int use_edit(struct copy *c, const struct editor *ed, struct err *e)
{
	struct buf text = {0};
	int r = -1;

	if (run_editor(c, e) < 0)
		return -1;
	if (file_read_path(c->path, ed->max, &text, e) < 0)
		goto out;
	if (buf_equal(&text, ed->was))
		r = 0;
	else if (ed->use(ed->ctx, &text, c->path, e) == 0)
		r = 1;
out:
	buf_release(&text);
	return r;
}

struct kept_list {
	struct buf base;
	struct editor_kept *items;
	size_t n, cap;
};

/* Fill K from the directory DIR. Returns false if DIR holds no edit, or one
 * that is open in an editor. */
static bool read_kept(int dir, struct editor_kept *k)
{
	struct buf whose = {0}, text = {0};
	struct timespec time;
	struct stat st;
	uint64_t was;
	int end = 0;
	bool is = false;

	if (fstat(dir, &st) < 0 || st.st_uid != geteuid() ||
	    (flock(dir, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK) ||
	    file_read(dir, WHOSE, WHOSE, PATH_MAX + 32, &whose, NULL) != 1 ||
	    sscanf(buf_str(&whose), "%16" SCNx64 " %n", &was, &end) != 1 ||
	    buf_str(&whose)[end] != '/')
		goto out;
	k->of = mem_strdup(whose.p + end);
	if (fstatat(dir, file_name_of(k->of), &st, AT_SYMLINK_NOFOLLOW) == 0) {
		/* A copy that is too long to read also counts. */
		is = file_read(dir, file_name_of(k->of), "", KEPT_MAX, &text,
			       NULL) != 1 ||
		     hash_text(&text) != was;
		k->was = was;
		time = compat_mtime(&st);
		k->at = (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
	}
	if (!is)
		free(k->of);
out:
	buf_release(&whose);
	buf_release(&text);
	return is;
}

static int add_kept(void *ctx, const char *name, enum file_kind kind)
{
	struct kept_list *f = ctx;
	const char *prefix = file_name_of(f->base.p);
	struct editor_kept k = {0};
	struct buf path = {0};
	int dir;

	if (kind != FILE_FOLDER || strncmp(name, prefix, strlen(prefix)) != 0)
		return 0;
	buf_addf(&path, "%.*s%s", (int)(prefix - f->base.p), f->base.p, name);
	dir = open(path.p, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (dir >= 0 && read_kept(dir, &k)) {
		k.dir = buf_take(&path);
		*MEM_ADD(f->items, f->n, f->cap) = k;
	}
	file_close(dir);
	buf_release(&path);
	return 0;
}

static int newest_first(const void *a, const void *b)
{
	const struct editor_kept *x = a, *y = b;

	return x->at == y->at ? strcmp(x->dir, y->dir) : x->at < y->at ? 1 : -1;
}

void editor_list(struct editor_kept **kept, size_t *n)
{
	struct kept_list f = {0};
	char *above;
	int dir;

	for (int passing = 0; passing <= 1; passing++) {
		buf_cut(&f.base, 0);
		if (append_base_prefix(passing, &f.base, NULL) < 0)
			continue;
		above = mem_strdup(f.base.p);
		*strrchr(above, '/') = '\0';
		dir = open(above, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (dir >= 0) {
			file_walk(dir, above, add_kept, &f, NULL);
			close(dir);
		}
		free(above);
	}
	MEM_SORT(f.items, f.n, newest_first);
	buf_release(&f.base);
	*kept = f.items;
	*n = f.n;
}

void editor_list_free(struct editor_kept *kept, size_t n)
{
	while (n--) {
		free(kept[n].dir);
		free(kept[n].of);
	}
	free(kept);
}

int editor_discard(const struct editor_kept *kept, struct err *e)
{
	char *above = mem_strdup(kept->dir);
	int dir, r;

	*strrchr(above, '/') = '\0';
	dir = open(above, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (file_remove_tree(AT_FDCWD, kept->dir, 1) < 0)
		r = err_sys(e, "cannot delete '%s'", kept->dir);
	else
		r = dir < 0 ? 0 : file_sync_dir(dir, above, e);
	file_close(dir);
	free(above);
	return r;
}

/* Resume the newest kept edit of the file of ED. Returns 1, 0 if there is none,
 * or -1. */
static int resume_copy(struct copy *c, const struct editor *ed, struct err *e)
{
	struct editor_kept *kept;
	size_t n, i = 0;
	int r = 0;

	editor_list(&kept, &n);
	while (i < n && strcmp(kept[i].of, ed->path) != 0)
		i++;
	if (i < n) {
		c->dir = mem_strdup(kept[i].dir);
		c->resumed = true;
		name_copy(c, ed->path);
		r = hold_folder(c, e) < 0 ? -1 : 1;
	}
	if (r == 1 && kept[i].was != hash_text(ed->was))
		ed->note("'%s' has changed since this edit was begun: what is "
			 "saved now replaces that",
			 ed->path);
	editor_list_free(kept, n);
	return r;
}

static int open_copy(struct copy *c, const struct editor *ed, struct err *e)
{
	const int r = ed->from == EDITOR_NEW ? 0 : resume_copy(c, ed, e);

	if (r)
		return r < 0 ? -1 : 0;
	if (ed->from == EDITOR_KEPT)
		return err_set(e, ERR_NO, "no edit of '%s' is kept", ed->path);
	return make_copy(c, ed, e);
}

/* Sync the copy and its directories to disk. Errors are ignored. */
static void sync_copy(const struct copy *c)
{
	const int fd = openat(c->lock, file_name_of(c->path),
			      O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	const int above = openat(c->lock, "..", O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	fsync(c->lock);
	if (above >= 0) {
		fsync(above);
		close(above);
	}
}

int editor_edit(const struct editor *ed, char **kept, struct err *e)
{
	struct copy c = {.lock = -1};
	int r = open_copy(&c, ed, e);
	const bool begun = !r;

	*kept = NULL;
	if (begun)
		r = use_edit(&c, ed, e);
	if (r < 0 && (c.resumed || (begun && !c.declined)) &&
	    holds_edit(&c, ed->was, ed->max)) {
		*kept = mem_strdup(c.path);
		sync_copy(&c);
	} else if (c.dir && !(r < 0 && c.resumed))
		/* If that fails, the rest stays private. */
		file_remove_tree(AT_FDCWD, c.dir, 1);
	file_close(c.lock);
	free(c.dir);
	free(c.path);
	return r;
}
