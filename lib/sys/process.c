/* process.c: a program has ended when waitpid() says so. When it closes its
 * output, that is checked at once; otherwise regularly, since a descendant may
 * keep the output open.
 *
 * The input is a file in memory, complete before the program starts. With a
 * pipe, a program whose parent is killed would take partial input for all of
 * it.
 *
 * The input of a serving program (process_serve()) is a pipe. A question is
 * written in one piece of at most PROCESS_LINE_MAX bytes; it fits in the pipe,
 * because all earlier questions have been read.
 *
 * Nothing here waits for a killed process to die: a process in the middle of a
 * read from a hung disk cannot be killed.
 *
 * Known limit: such a process stays a child, without being waited for, until we
 * end.
 */
#include "sys/process.h"

#include "base/compat.h"
#include "base/instant.h"
#include "base/mem.h"
#include "sys/io.h"
#include "sys/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define CHUNK ((size_t)64 * 1024)
#define LOOK_MS 50    /* interval of checks for its end */
#define ENDING_MS 1   /* interval once its output is closed */
#define KILLED_MS 200 /* time to die after SIGKILL */
#define ENDED_MS 2000 /* time to end after SIGTERM */

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Make a pipe. *OURS is the non-blocking read end, *THEIRS is for the child. */
static int make_pipe(int *ours, int *theirs)
{
	int ends[2];

	if (compat_pipe(ends, O_CLOEXEC))
		return -1;
	*ours = ends[0];
	*theirs = ends[1];
	return fcntl(*ours, F_SETFL, O_NONBLOCK);
}

/* Set *THEIRS to a file with LEN bytes of INPUT, at its start. */
static int make_input(int *theirs, const char *input, size_t len)
{
	*theirs = compat_memory_file();
	if (*theirs < 0 || (len && io_write(*theirs, input, len) < 0))
		return -1;
	return lseek(*theirs, 0, SEEK_SET) < 0 ? -1 : 0;
}

static int spawn_program(struct process *c, const char *const *argv,
			 const int theirs[])
{
	char **marked = c->of_suite ? NULL : process_environment();
	char **args = (char **)(uintptr_t)argv;
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t pipe_only, none;
	int r;

	sigemptyset(&pipe_only);
	sigaddset(&pipe_only, SIGPIPE);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &pipe_only);
	posix_spawnattr_setpgroup(&attributes, 0);
	sigemptyset(&none);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP |
						      POSIX_SPAWN_SETSIGDEF |
						      POSIX_SPAWN_SETSIGMASK);
	r = posix_spawn_file_actions_init(&actions);
	/* An action that failed to be added would leave our own stream to the
	 * child. */
	for (int i = 0; i < PROCESS_FDS && !r; i++)
		r = posix_spawn_file_actions_adddup2(&actions, theirs[i], i);
	if (!r)
		r = compat_spawn_in(c->dir, &c->pid, argv[0], &actions,
				    &attributes, args,
				    marked ? marked : environ);
	free(marked);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	errno = r;
	return r ? -1 : 0;
}

/* Start ARGV with the standard input INPUT, which is closed here. R -1: fail
 * with errno. */
static int start_program(struct process *c, const char *const *argv, int input,
			 int r, int ms, struct err *e)
{
	int theirs[PROCESS_FDS] = {input, -1, -1};

	for (int i = 1; i < PROCESS_FDS && !r; i++)
		r = make_pipe(&c->fds[i], &theirs[i]);
	if (!r)
		r = spawn_program(c, argv, theirs);
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
			      .undisturbed = c->undisturbed,
			      .started = true,
			      .fds = {-1, -1, -1},
			      .in = -1};
	r = make_input(&theirs, input, len);
	return start_program(c, argv, theirs, r, ms, e);
}

int process_serve(struct process *c, const char *const *argv, struct err *e)
{
	int ends[2] = {-1, -1}, r;

	*c = (struct process){
		.started = true, .fds = {-1, -1, -1}, .in = -1, .serves = true};
	r = compat_pipe(ends, O_CLOEXEC);
	c->in = ends[1];
	return start_program(c, argv, ends[0], r, 0, e);
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

/* Return true if the output of a serving C ends with a status line, which is
 * moved to the status of C. */
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

/* Append all available bytes of descriptor I to OUT. Bytes beyond MAX are
 * dropped. */
static void read_output(struct process *c, int i, struct buf *out, size_t max)
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

/* Get the status of C if it has ended. Returns false if it has not. */
static bool reap_status(struct process *c)
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

/* Kill C. If it does not die in time, treat it as dead. */
static void kill_program(struct process *c)
{
	const int64_t start = instant_monotonic_ms();

	kill(-c->pid, SIGKILL);
	while (!reap_status(c) && instant_monotonic_ms() - start < KILLED_MS)
		poll(NULL, 0, ENDING_MS);
	if (!c->pid)
		return;
	c->pid = 0;
	c->status = 128 + SIGKILL;
}

/* Let C, which runs, end within ENDED_MS. */
static void end_program(struct process *c)
{
	kill(-c->pid, SIGTERM);
	c->deadline = instant_monotonic_ms() + ENDED_MS;
	c->ending = true;
}

bool process_work(struct process *c)
{
	read_output(c, 1, &c->output, PROCESS_OUTPUT_MAX);
	read_output(c, 2, &c->errors, PROCESS_ERRORS_MAX);
	if (c->flooded) {
		kill_program(c);
	} else if (has_answered(c)) {
		/* Its errors were written before the answer. */
		read_output(c, 2, &c->errors, PROCESS_ERRORS_MAX);
		return true;
	} else if (!reap_status(c)) {
		const bool late = instant_monotonic_ms() >= c->deadline;

		if (!late)
			return false;
		c->late = true;
		if (c->undisturbed && !c->ending) {
			end_program(c);
			return false;
		}
		kill_program(c);
	}
	read_output(c, 1, &c->output, PROCESS_OUTPUT_MAX);
	read_output(c, 2, &c->errors, PROCESS_ERRORS_MAX);
	/* Partial output must not pass for complete output. */
	if (c->torn)
		c->status = ERR_SYSTEM;
	return true;
}

void process_finish(struct process *c)
{
	struct pollfd p[PROCESS_FDS];
	sigset_t before;

	signals_hold(0, &before);
	while (!process_work(c)) {
		poll(p, process_wait(c, p), process_patience(c));
		if (!c->undisturbed && !c->ending && signals_pending())
			end_program(c);
	}
	/* A pending signal is delivered here. */
	sigprocmask(SIG_SETMASK, &before, NULL);
}

int process_run_taking(struct process *c, const char *const *argv,
		       const char *input, size_t len, int ms,
		       process_take_fn *take, void *ctx, struct err *e)
{
	sigset_t before;
	int r;

	/* A signal must not end this process between the two. */
	signals_hold(0, &before);
	r = process_start(c, argv, input, len, ms, e);
	if (r == 0) {
		c->take = take;
		c->ctx = ctx;
		process_finish(c);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return r;
}

int process_run(struct process *c, const char *const *argv, const char *input,
		size_t len, int ms, struct err *e)
{
	return process_run_taking(c, argv, input, len, ms, NULL, NULL, e);
}

void process_release(struct process *c)
{
	if (c->pid)
		kill_program(c);
	for (int i = 0; c->started && i < PROCESS_FDS; i++)
		close_end(&c->fds[i]);
	if (c->started)
		close_end(&c->in);
	buf_release(&c->output);
	buf_release(&c->errors);
	*c = (struct process){0};
}

extern char **environ;

bool process_is_inside(void)
{
	const char *mark = getenv(INSIDE_VARIABLE);

	return mark && !strcmp(mark, "1");
}

char **process_environment(void)
{
	static char mark[] = INSIDE_VARIABLE "=1";
	const size_t name = strlen(INSIDE_VARIABLE "=");
	char **list;
	size_t n = 0, kept = 0;

	while (environ && environ[n])
		n++;
	list = mem_alloc((n + 2) * sizeof(*list));
	for (size_t i = 0; i < n; i++) {
		if (strncmp(environ[i], mark, name) != 0)
			list[kept++] = environ[i];
	}
	list[kept++] = mark;
	list[kept] = NULL;
	return list;
}
