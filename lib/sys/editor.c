/* editor.c: a folder of mode 0700 in the user's cache, made for one copy.
 *
 * The editor's command line is the user's own and goes through sh, as git's
 * does, so that "code --wait" works; the copy's path is an argument to it,
 * never a part of it.  An interrupt from the keyboard is the editor's business
 * while it runs.
 */
#include "sys/editor.h"

#include "base/mem.h"
#include "sys/dirs.h"
#include "sys/file.h"
#include "sys/io.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char *editor_name(void)
{
	const char *s = getenv("VISUAL");

	if (!s || !*s)
		s = getenv("EDITOR");
	if ((!s || !*s) && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
		s = "vi";
	return s && *s ? s : NULL;
}

/* Start ARGV with the signals of a fresh process. */
static int start(pid_t *pid, char *const *argv)
{
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
	r = posix_spawn(pid, "/bin/sh", NULL, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	return r;
}

/* Run ARGV and wait for it; its status as waitpid() gives it. */
static int run(char *const *argv, int *status)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, on_int, on_quit;
	struct sigaction usual = {.sa_handler = SIG_DFL}, on_child;
	pid_t pid;
	int r;

	sigaction(SIGINT, &ignore, &on_int);
	sigaction(SIGQUIT, &ignore, &on_quit);
	/* Whoever started us may ignore it: then nobody could be waited for. */
	sigaction(SIGCHLD, &usual, &on_child);
	r = start(&pid, argv);
	while (!r && waitpid(pid, status, 0) < 0) {
		if (errno != EINTR)
			r = errno;
	}
	sigaction(SIGINT, &on_int, NULL);
	sigaction(SIGQUIT, &on_quit, NULL);
	sigaction(SIGCHLD, &on_child, NULL);
	return r;
}

/* The copy, in a folder of its own. */
struct copy {
	char *dir;
	char *path;
	bool declined; /* the editor itself says that it does not count */
};

static int run_editor(struct copy *c, struct err *e)
{
	const char *editor = editor_name();
	struct buf line = {0};
	int r, status = 0;

	if (!editor)
		return err_set(e, ERR_HELPER,
			       "there is no editor: set VISUAL or EDITOR");
	buf_addf(&line, "%s \"$@\"", editor);
	r = run((char *[]){"sh", "-c", line.p, "co", c->path, NULL}, &status);
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

/* Make the folder and, in it, the copy of WAS called NAME. */
static int make_copy(struct copy *c, const char *name, const struct buf *was,
		     struct err *e)
{
	struct buf path = {0};
	char *state;
	int fd, r = -1;

	if (dirs_state(&state, e) < 0)
		return -1;
	if (file_make_path(state, 0700, &fd, e) < 0)
		goto out;
	close(fd);
	buf_addf(&path, "%s/edit-XXXXXX", state);
	if (!mkdtemp(path.p)) {
		err_sys(e, "cannot make a folder in '%s'", state);
		goto out;
	}
	c->dir = mem_strdup(path.p);
	buf_addf(&path, "/%s", name);
	c->path = mem_strdup(path.p);
	fd = open(c->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0)
		r = io_write(fd, buf_str(was), was->len);
	if (fd >= 0 && close(fd) < 0 && errno != EINTR)
		r = -1;
	if (r < 0)
		err_sys(e, "cannot write '%s'", c->path);
out:
	free(state);
	buf_release(&path);
	return r;
}

static int drop_entry(void *ctx, const char *name, enum file_kind kind)
{
	(void)kind;
	unlinkat(*(int *)ctx, name, 0);
	return 0;
}

/* Remove the folder with the copy and what the editor left beside it.  What
 * cannot be removed is private. */
static void drop_copy(const struct copy *c)
{
	int fd = open(c->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	file_walk(fd, c->dir, drop_entry, &fd, NULL);
	close(fd);
	rmdir(c->dir);
}

static bool same_text(const struct buf *a, const struct buf *b)
{
	return a->len == b->len && (!a->len || !memcmp(a->p, b->p, a->len));
}

/* True unless the copy still is WAS, or is no more. */
static bool holds_edit(const struct copy *c, const struct buf *was, size_t max)
{
	struct buf text = {0};
	struct err why;
	bool edit;

	if (file_read_path(c->path, max, &text, &why) < 0)
		edit = access(c->path, F_OK) == 0 || errno != ENOENT;
	else
		edit = !same_text(&text, was);
	buf_release(&text);
	return edit;
}

/* 1 if the edited TEXT was used, 0 if it still is WAS, -1. */
static int use_edit(struct copy *c, const struct buf *was, size_t max,
		    editor_fn *use, void *ctx, struct err *e)
{
	struct buf text = {0};
	int r = -1;

	if (run_editor(c, e) < 0)
		return -1;
	if (file_read_path(c->path, max, &text, e) < 0)
		goto out;
	if (same_text(&text, was))
		r = 0;
	else if (use(ctx, &text, c->path, e) == 0)
		r = 1;
out:
	buf_release(&text);
	return r;
}

int editor_edit(const char *name, const struct buf *was, size_t max,
		editor_fn *use, void *ctx, char **kept, struct err *e)
{
	struct copy c = {0};
	int r = make_copy(&c, name, was, e);
	const bool made = !r;

	*kept = NULL;
	if (made)
		r = use_edit(&c, was, max, use, ctx, e);
	if (made && r < 0 && !c.declined && holds_edit(&c, was, max))
		*kept = mem_strdup(c.path);
	else if (c.dir)
		drop_copy(&c);
	free(c.dir);
	free(c.path);
	return r;
}
