/* filter.c: three pipes, one loop.  Writing goes on while the answer comes in,
 * so that a helper may answer before it has read all; what it leaves unread is
 * no fault.  A helper that closed its output is waited for until the deadline
 * as well.
 */
#include "filter.h"

#include "instant.h"
#include "stream.h"
#include "suite.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CHUNK ((size_t)64 * 1024)
#define SAID_MAX 400 /* bytes of standard error that are worth passing on */
#define EXIT_STEP_US 500

extern char **environ;

enum { IN, OUT, ERROR, ENDS };

/* A helper under way; a closed end is -1. */
struct run {
	const struct filter *h;
	const char *name; /* its first word, for sentences */
	pid_t pid;
	int ends[ENDS]; /* ours */
	int64_t until;	/* by the clock of instant_ticks() */
	size_t written;
	struct buf said; /* on standard error */
};

static int find_program(const struct filter *h, struct buf *path, struct err *e)
{
	const char *name = h->words[0];

	if (!name || !*name)
		return err_set(e, ERR_HELPER, "no program is named");
	if (*name == '/')
		buf_adds(path, name);
	else if (strchr(name, '/'))
		return err_set(e, ERR_HELPER, "the path '%s' is not absolute",
			       name);
	else if (!suite_find(path, name, h->argv0))
		return err_set(e, ERR_HELPER, "no program '%s'", name);
	return 0;
}

static void close_end(struct run *r, int which)
{
	if (r->ends[which] >= 0)
		close(r->ends[which]);
	r->ends[which] = -1;
}

/* Start the program PATH on THEIRS. */
static int spawn(struct run *r, const char *path, const int theirs[ENDS],
		 struct err *e)
{
	posix_spawn_file_actions_t todo;
	posix_spawnattr_t how;
	sigset_t pipe;
	int error;

	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	posix_spawn_file_actions_init(&todo);
	posix_spawnattr_init(&how);
	for (int i = 0; i < ENDS; i++)
		posix_spawn_file_actions_adddup2(&todo, theirs[i], i);
	posix_spawnattr_setflags(&how,
				 POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigdefault(&how, &pipe);
	error = posix_spawn(&r->pid, path, &todo, &how,
			    (char *const *)(uintptr_t)r->h->words, environ);
	posix_spawnattr_destroy(&how);
	posix_spawn_file_actions_destroy(&todo);
	if (!error)
		return 0;
	return err_set(e, ERR_HELPER, "cannot run '%s': %s", path,
		       strerror(error));
}

static int start(struct run *r, const char *path, struct err *e)
{
	int theirs[ENDS] = {-1, -1, -1}, ends[2], done = -1;

	for (int i = 0; i < ENDS; i++) {
		if (pipe2(ends, O_CLOEXEC)) {
			err_sys(e, "cannot make a pipe");
			goto out;
		}
		r->ends[i] = ends[i == IN];
		theirs[i] = ends[i != IN];
		fcntl(r->ends[i], F_SETFL, O_NONBLOCK);
	}
	done = spawn(r, path, theirs, e);
out:
	for (int i = 0; i < ENDS; i++) {
		if (theirs[i] >= 0)
			close(theirs[i]);
	}
	return done;
}

static void feed(struct run *r, const struct buf *in)
{
	ssize_t n = 0;

	if (r->written < in->len) {
		n = write(r->ends[IN], in->p + r->written,
			  in->len - r->written);
		if (n > 0)
			r->written += (size_t)n;
	}
	if (r->written == in->len ||
	    (n < 0 && errno != EAGAIN && errno != EINTR))
		close_end(r, IN);
}

/* Read some of what stands in the pipe WHICH to TO. */
static void hear(struct run *r, int which, struct buf *to)
{
	ssize_t n;

	buf_grow(to, CHUNK);
	n = read(r->ends[which], to->p + to->len, CHUNK);
	if (n > 0)
		to->len += (size_t)n;
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		close_end(r, which);
	to->p[to->len] = '\0';
}

static int late(const struct run *r, struct err *e)
{
	return err_set(e, ERR_HELPER, "'%s' did not answer within %d s",
		       r->name, (r->h->timeout_ms + 999) / 1000);
}

/* Talk until it said all. */
static int talk(struct run *r, const struct buf *in, struct buf *out,
		struct err *e)
{
	while (r->ends[OUT] >= 0 || r->ends[ERROR] >= 0) {
		struct pollfd p[ENDS] = {{r->ends[IN], POLLOUT, 0},
					 {r->ends[OUT], POLLIN, 0},
					 {r->ends[ERROR], POLLIN, 0}};
		const int64_t left = r->until - instant_ticks();

		if (left <= 0 || (poll(p, ENDS, (int)left) == 0))
			return late(r, e);
		if (p[IN].revents)
			feed(r, in);
		if (p[OUT].revents)
			hear(r, OUT, out);
		if (p[ERROR].revents)
			hear(r, ERROR, &r->said);
		if (r->said.len > SAID_MAX)
			buf_cut(&r->said, SAID_MAX);
		if (out->len > r->h->max)
			return err_set(e, ERR_HELPER,
				       "'%s' answered with more than %zu bytes",
				       r->name, r->h->max);
	}
	return 0;
}

/* Wait for its end; 0 and *STATUS, or -1 when time is up. */
static int await(struct run *r, int *status, struct err *e)
{
	const struct timespec step = {0, EXIT_STEP_US * 1000L};

	for (;;) {
		pid_t pid = waitpid(r->pid, status, WNOHANG);

		if (pid == r->pid)
			break;
		if (pid < 0 && errno != EINTR)
			return err_sys(e, "cannot wait for '%s'", r->name);
		if (instant_ticks() >= r->until)
			return late(r, e);
		nanosleep(&step, NULL);
	}
	r->pid = -1;
	return 0;
}

static int failed(struct run *r, int status, struct err *e)
{
	const char *said = buf_str(&r->said);
	const int len = (int)strcspn(said, "\n");

	if (WIFSIGNALED(status))
		return err_set(e, ERR_HELPER, "'%s' was ended by signal %d",
			       r->name, WTERMSIG(status));
	if (len)
		return err_set(e, ERR_HELPER, "'%s' failed: %.*s", r->name, len,
			       said);
	return err_set(e, ERR_HELPER, "'%s' failed with status %d", r->name,
		       WEXITSTATUS(status));
}

/* Whatever is left of it goes. */
static void finish(struct run *r)
{
	for (int i = 0; i < ENDS; i++)
		close_end(r, i);
	if (r->pid > 0) {
		kill(-r->pid, SIGKILL);
		kill(r->pid, SIGKILL);
		while (waitpid(r->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	buf_release(&r->said);
}

int filter_run(const struct filter *h, const struct buf *in, struct buf *out,
	       struct err *e)
{
	struct run r = {.h = h, .pid = -1, .ends = {-1, -1, -1}};
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
	struct buf path = {0};
	int done = -1, status = 0;

	buf_cut(out, 0);
	r.until = instant_ticks() + h->timeout_ms;
	sigaction(SIGPIPE, &ignore, &before);
	if (find_program(h, &path, e) < 0)
		goto out;
	r.name = h->words[0];
	if (start(&r, path.p, e) < 0 || talk(&r, in, out, e) < 0 ||
	    await(&r, &status, e) < 0)
		goto out;
	done = status ? failed(&r, status, e) : 0;
out:
	finish(&r);
	sigaction(SIGPIPE, &before, NULL);
	buf_release(&path);
	return done;
}
