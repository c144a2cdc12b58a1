/* pager.c: the pager is a child that reads a pipe.
 *
 * Its command line comes from the user and is run by sh, as git does. While it
 * runs, this process ignores keyboard interrupts: if it ended first, pager and
 * shell would both read the terminal.
 */
#include "sys/pager.h"

#include "base/compat.h"
#include "sys/inside.h"
#include "sys/io.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define NO_SUCH_PROGRAM 127 /* exit status of sh */

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

/* Write LEN bytes of P to the pager PID and wait for it. Returns its exit
 * status. */
static int feed_pager(pid_t pid, int output, const char *p, size_t len)
{
	const int signals[] = {SIGPIPE, SIGINT, SIGQUIT};
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct sigaction usual[ARRAY_LEN(signals)];
	int status = 0;

	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		sigaction(signals[i], &ignore, &usual[i]);
	/* Leaving the pager before the end is no error. */
	(void)!io_write(output, p, len);
	close(output);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		sigaction(signals[i], &usual[i], NULL);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

/* Return the default pager, or "" if the terminal is unknown, as in a container
 * or an editor's shell: less would wait for a key there. */
static const char *default_pager(void)
{
	const char *term = getenv("TERM");

	return term && *term && strcmp(term, "dumb") != 0 ? "less" : "";
}

bool pager_show(const char *p, size_t len)
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
		return feed_pager(pid, ends[1], p, len) != NO_SUCH_PROGRAM;
	close(ends[1]);
	return false;
}
