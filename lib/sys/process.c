/* process.c: a program has ended when nobody holds the other ends of its
 * output, or when the system says so; the first is how it is known at once, the
 * second helps where something that it started lives on and holds them.
 *
 * Its input is a file in memory that is whole before it begins: were it a pipe,
 * a program whose parent is killed would take the part it got for all of it.
 *
 * The input of one that serves is a pipe, and what it is asked is written to it in
 * one piece, which it takes whole, since it has read all before.
 *
 * Nothing here waits for the system to let a program go: one that is in the
 * middle of a read of a disk that does not answer cannot even die.
 *
 * Known limit: such a one is left to itself, a process without a parent that
 * asks for it, as long as we run.
 */
#include "sys/process.h"

#include "base/compat.h"
#include "base/instant.h"
#include "base/mem.h"
#include "sys/inside.h"
#include "sys/io.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define CHUNK ((size_t)64 * 1024)
#define LOOK_MS 50    /* how often the system is asked */
#define ENDING_MS 1   /* ... about a program that has closed its output */
#define KILLED_MS 200 /* that one has to die in */

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* A pipe, of which OURS does not block; the child gets THEIRS. */
static int make_pipe(int *ours, int *theirs)
{
	int ends[2];

	if (compat_pipe(ends, O_CLOEXEC))
		return -1;
	*ours = ends[0];
	*theirs = ends[1];
	return fcntl(*ours, F_SETFL, O_NONBLOCK);
}

/* *THEIRS is a file of LEN bytes of INPUT, at its begin. */
static int make_input(int *theirs, const char *input, size_t len)
{
	*theirs = compat_memory_file();
	if (*theirs < 0 || (len && io_write(*theirs, input, len) < 0))
		return -1;
	return lseek(*theirs, 0, SEEK_SET) < 0 ? -1 : 0;
}

static int spawn(struct process *c, const char *const *argv, const int theirs[])
{
	char **marked = c->of_suite ? NULL : inside_environment();
	char **args = (char **)(uintptr_t)argv;
	posix_spawn_file_actions_t todo;
	posix_spawnattr_t how;
	sigset_t pipe_only;
	int r;

	sigemptyset(&pipe_only);
	sigaddset(&pipe_only, SIGPIPE);
	posix_spawnattr_init(&how);
	posix_spawnattr_setsigdefault(&how, &pipe_only);
	posix_spawnattr_setpgroup(&how, 0);
	posix_spawnattr_setflags(&how,
				 POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
	r = posix_spawn_file_actions_init(&todo);
	/* Each takes memory, and one that is missing is a stream of ours. */
	for (int i = 0; i < PROCESS_FDS && !r; i++)
		r = posix_spawn_file_actions_adddup2(&todo, theirs[i], i);
	if (!r)
		r = compat_spawn_in(c->dir, &c->pid, argv[0], &todo, &how, args,
				    marked ? marked : environ);
	free(marked);
	posix_spawn_file_actions_destroy(&todo);
	posix_spawnattr_destroy(&how);
	errno = r;
	return r ? -1 : 0;
}

/* Start ARGV, whose input THEIRS is unless R is -1. */
static int start(struct process *c, const char *const *argv, int input, int r,
		 int ms, struct err *e)
{
	int theirs[PROCESS_FDS] = {input, -1, -1};

	for (int i = 1; i < PROCESS_FDS && !r; i++)
		r = make_pipe(&c->fds[i], &theirs[i]);
	if (!r)
		r = spawn(c, argv, theirs);
	if (r) {
		c->pid = 0;
		err_sys(e, "cannot run '%s'", argv[0]);
		if (e)
			e->code = ERR_HELPER;
	}
	for (int i = 0; i < PROCESS_FDS; i++) {
		close_end(&theirs[i]);
		if (r)
			close_end(&c->fds[i]);
	}
	if (r)
		close_end(&c->in);
	c->deadline = instant_monotonic_ms() + ms;
	return r;
}

int process_start(struct process *c, const char *const *argv, const char *input,
		  size_t len, int ms, struct err *e)
{
	int theirs = -1, r;

	*c = (struct process){.dir = c->dir,
			      .of_suite = c->of_suite,
			      .started = true,
			      .fds = {-1, -1, -1},
			      .in = -1};
	r = make_input(&theirs, input, len);
	return start(c, argv, theirs, r, ms, e);
}

int process_serve(struct process *c, const char *const *argv, struct err *e)
{
	int ends[2] = {-1, -1}, r;

	*c = (struct process){
		.started = true, .fds = {-1, -1, -1}, .in = -1, .serves = true};
	r = compat_pipe(ends, O_CLOEXEC);
	c->in = ends[1];
	return start(c, argv, ends[0], r, 0, e);
}

int process_ask(struct process *c, const char *line, size_t len, int ms,
		struct err *e)
{
	c->deadline = instant_monotonic_ms() + ms;
	if (len > PROCESS_LINE_MAX)
		return err_set(e, ERR_HELPER, "too long a line");
	if (io_write(c->in, line, len) < 0) {
		err_sys(e, "cannot ask a program");
		if (e)
			e->code = ERR_HELPER;
		return -1;
	}
	return 0;
}

void process_part(struct process *c, struct process *rest)
{
	if (!c->serves || !c->pid)
		return;
	*rest = *c;
	rest->output = rest->errors = (struct buf){0};
	c->pid = 0;
	c->started = c->serves = false;
}

/* True if what C wrote is a whole answer: its status is taken off. */
static bool has_answered(struct process *c)
{
	const char *p = buf_str(&c->output);
	size_t at = c->output.len;

	if (!c->serves || !at || p[at - 1] != '\n')
		return false;
	while (at > 1 && p[at - 2] != '\n')
		at--;
	at--;
	if (p[at] < '0' || p[at] > '9')
		return false;
	c->status = p[at] - '0';
	buf_cut(&c->output, at);
	return true;
}

nfds_t process_wait(const struct process *c, struct pollfd p[PROCESS_FDS])
{
	nfds_t n = 0;

	for (int i = 0; i < PROCESS_FDS; i++) {
		if (c->pid && c->fds[i] >= 0)
			p[n++] = (struct pollfd){c->fds[i], POLLIN, 0};
	}
	return n;
}

int process_patience(const struct process *c)
{
	const int64_t left = c->deadline - instant_monotonic_ms();
	const int look = c->fds[1] < 0 && c->fds[2] < 0 ? ENDING_MS : LOOK_MS;

	return left > look ? look : left > 0 ? (int)left : 0;
}

/* Read what is there from the end I into OUT, which keeps at most MAX. */
static void drain(struct process *c, int i, struct buf *out, size_t max)
{
	while (c->fds[i] >= 0) {
		ssize_t n;

		buf_grow(out, CHUNK);
		n = read(c->fds[i], out->p + out->len, CHUNK);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n <= 0) {
			c->torn = c->torn || n < 0;
			close_end(&c->fds[i]);
			return;
		}
		out->len += (size_t)n;
		out->p[out->len] = '\0';
		if (i == 1 && c->take && !c->take(c->ctx, out)) {
			c->flooded = true;
			return;
		}
		if (out->len <= max || (i == 1 && c->take))
			continue;
		buf_cut(out, max);
		c->flooded = c->flooded || i == 1;
		if (c->flooded)
			return;
	}
}

/* Take C's status, if it has one. */
static bool reap(struct process *c)
{
	int status = 0;
	pid_t r;

	do
		r = waitpid(c->pid, &status, WNOHANG);
	while (r < 0 && errno == EINTR);
	if (r == 0)
		return false;
	c->pid = 0;
	c->torn = c->torn || r < 0;
	c->status = WIFEXITED(status) ? WEXITSTATUS(status)
				      : 128 + WTERMSIG(status);
	return true;
}

/* Kill C; where it does not die, it is forgotten as one that has. */
static void end(struct process *c)
{
	const int64_t start = instant_monotonic_ms();

	kill(-c->pid, SIGKILL);
	while (!reap(c) && instant_monotonic_ms() - start < KILLED_MS)
		poll(NULL, 0, ENDING_MS);
	if (!c->pid)
		return;
	c->pid = 0;
	c->status = 128 + SIGKILL;
}

bool process_work(struct process *c)
{
	drain(c, 1, &c->output, PROCESS_OUTPUT_MAX);
	drain(c, 2, &c->errors, PROCESS_ERRORS_MAX);
	if (c->flooded) {
		end(c);
	} else if (has_answered(c)) {
		/* What it complained of was written before. */
		drain(c, 2, &c->errors, PROCESS_ERRORS_MAX);
		return true;
	} else if (!reap(c)) {
		c->late = instant_monotonic_ms() >= c->deadline;
		if (!c->late)
			return false;
		end(c);
	}
	drain(c, 1, &c->output, PROCESS_OUTPUT_MAX);
	drain(c, 2, &c->errors, PROCESS_ERRORS_MAX);
	/* A part is not to be taken for all of it. */
	if (c->torn)
		c->status = ERR_SYSTEM;
	return true;
}

int process_run_taking(struct process *c, const char *const *argv,
		       const char *input, size_t len, int ms,
		       process_take_fn *take, void *ctx, struct err *e)
{
	struct pollfd p[PROCESS_FDS];

	if (process_start(c, argv, input, len, ms, e) < 0)
		return -1;
	c->take = take;
	c->ctx = ctx;
	while (!process_work(c))
		poll(p, process_wait(c, p), process_patience(c));
	return 0;
}

int process_run(struct process *c, const char *const *argv, const char *input,
		size_t len, int ms, struct err *e)
{
	return process_run_taking(c, argv, input, len, ms, NULL, NULL, e);
}

void process_release(struct process *c)
{
	if (c->pid)
		end(c);
	for (int i = 0; c->started && i < PROCESS_FDS; i++)
		close_end(&c->fds[i]);
	if (c->started)
		close_end(&c->in);
	buf_release(&c->output);
	buf_release(&c->errors);
	*c = (struct process){0};
}
