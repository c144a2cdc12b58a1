/* pager.c: a child that reads a pipe.
 *
 * The pager's command line is the user's own and goes through sh, as git's
 * does.  While it runs, an interrupt from the keyboard is its business: were we
 * to end first, the two would fight over the terminal.
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

#define NO_SUCH_PROGRAM 127 /* sh's status */

static void NORETURN become_pager(const char *line, int input)
{
	signal(SIGXFSZ, SIG_DFL);
	dup2(input, STDIN_FILENO);
	setenv(INSIDE_VARIABLE, "1", 1);
	setenv("LESS", "FRX", 0);
	setenv("LESSCHARSET", "utf-8", 0); /* what we print, in any locale */
	execl("/bin/sh", "sh", "-c", line, (char *)NULL);
	_exit(NO_SUCH_PROGRAM);
}

/* Write all to the pager PID and wait for it; its status. */
static int feed(pid_t pid, int output, const char *p, size_t len)
{
	const int signals[] = {SIGPIPE, SIGINT, SIGQUIT};
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct sigaction usual[ARRAY_LEN(signals)];
	int status = 0;

	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		sigaction(signals[i], &ignore, &usual[i]);
	/* Who leaves the pager early has seen enough: no error. */
	(void)!io_write(output, p, len);
	close(output);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		sigaction(signals[i], &usual[i], NULL);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

/* The pager that is used unless one is named would ask for a key where the
 * terminal is not known, as in a container or an editor's shell. */
static const char *usual_pager(void)
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
		line = usual_pager();
	if (!*line || !strcmp(line, "cat") || !isatty(STDOUT_FILENO) ||
	    compat_pipe(ends, O_CLOEXEC) < 0)
		return false;
	pid = fork();
	if (pid == 0)
		become_pager(line, ends[0]);
	close(ends[0]);
	if (pid > 0)
		return feed(pid, ends[1], p, len) != NO_SUCH_PROGRAM;
	close(ends[1]);
	return false;
}
