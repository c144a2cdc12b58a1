/* pager.c: the pager is a child that reads a pipe.
 *
 * Its command line comes from the user and is run by sh, as git does. While it
 * runs, this process ignores keyboard interrupts: if it ended first, pager and
 * shell would both read the terminal.
 */
#include "sys/terminal.h"

#include "base/compat.h"
#include "sys/io.h"
#include "sys/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define NO_SUCH_PROGRAM 127 /* exit status of sh */
#define ANSWER_MAX ((size_t)64 * 1024)

static void NORETURN become_pager(const char *line, int input)
{
	signal(SIGXFSZ, SIG_DFL);
	dup2(input, STDIN_FILENO);
	setenv(INSIDE_VARIABLE, "1", 1);
	setenv("LESS", "FRX", 0);
	setenv("LESSCHARSET", "utf-8", 0); /* as our output is */
	execl("/bin/sh", "sh", "-c", line, (char *)NULL);
	_exit(NO_SUCH_PROGRAM);
}

/* Read INPUT to its end, or ANSWER_MAX bytes of it, into ANSWER, and close it. */
static void read_answer(int input, struct buf *answer)
{
	ssize_t n;

	do {
		buf_grow(answer, ANSWER_MAX);
		n = io_read(input, answer->p + answer->len, ANSWER_MAX);
		if (n > 0)
			answer->len += (size_t)n;
	} while (n > 0 && answer->len < ANSWER_MAX);
	buf_cut(answer, answer->len);
	close(input);
}

/* Write LEN bytes of P to the program PID, read its answer from INPUT (-1: none) into
 * ANSWER, and wait for it. Returns its exit status, -1 if it was killed. */
static int feed_program(pid_t pid, int output, const char *p, size_t len,
			int input, struct buf *answer)
{
	const int signals[] = {SIGPIPE, SIGINT, SIGQUIT};
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct sigaction usual[ARRAY_LEN(signals)];
	int status = 0;

	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		sigaction(signals[i], &ignore, &usual[i]);
	/* Leaving the program before the end is not an error. */
	(void)!io_write(output, p, len);
	close(output);
	if (input >= 0)
		read_answer(input, answer);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		sigaction(signals[i], &usual[i], NULL);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Return the default pager, or "" if the terminal is unknown, as in a container
 * or an editor's shell: less would wait for a key there. */
static const char *default_pager(void)
{
	const char *term = getenv("TERM");

	return term && *term && strcmp(term, "dumb") != 0 ? "less" : "";
}

bool terminal_page(const char *p, size_t len)
{
	const char *line = getenv("PAGER");
	int ends[2];
	pid_t pid;

	if (!line)
		line = default_pager();
	if (!*line || !strcmp(line, "cat") || !isatty(STDOUT_FILENO) ||
	    compat_pipe(ends, O_CLOEXEC) < 0)
		return false;
	pid = fork();
	if (pid == 0)
		become_pager(line, ends[0]);
	close(ends[0]);
	if (pid > 0)
		return feed_program(pid, ends[1], p, len, -1, NULL) !=
		       NO_SUCH_PROGRAM;
	close(ends[1]);
	return false;
}

static void NORETURN become_chooser(const char *const *argv, int input,
				    int output)
{
	signal(SIGXFSZ, SIG_DFL);
	dup2(input, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	execv(argv[0], (char *const *)(uintptr_t)argv);
	_exit(NO_SUCH_PROGRAM);
}

int terminal_choose(const char *const *argv, const char *p, size_t len,
		    struct buf *out)
{
	int in[2], answer[2];
	pid_t pid;

	buf_cut(out, 0);
	if (compat_pipe(in, O_CLOEXEC) < 0)
		return -1;
	if (compat_pipe(answer, O_CLOEXEC) < 0) {
		close(in[0]);
		close(in[1]);
		return -1;
	}
	pid = fork();
	if (pid == 0)
		become_chooser(argv, in[0], answer[1]);
	close(in[0]);
	close(answer[1]);
	if (pid > 0)
		return feed_program(pid, in[1], p, len, answer[0], out);
	close(in[1]);
	close(answer[0]);
	return -1;
}
