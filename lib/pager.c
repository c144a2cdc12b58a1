/* pager.c: a child that reads our standard output through a pipe.
 *
 * The pager's command line is the user's own and goes through sh, as git's
 * does.  From then on an interrupt from the keyboard is the pager's business:
 * were we to end first, the two would fight over the terminal.
 */
#include "pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void NORETURN become_pager(const char *line, int input)
{
	dup2(input, STDIN_FILENO);
	signal(SIGXFSZ, SIG_DFL);
	setenv("LESS", "FRX", 0);
	execl("/bin/sh", "sh", "-c", line, (char *)NULL);
	_exit(127);
}

bool pager_start(struct pager *p)
{
	const char *line = getenv("PAGER");
	int ends[2];

	p->pid = 0;
	if (!isatty(STDOUT_FILENO))
		return false;
	if (!line)
		line = "less";
	if (!*line || !strcmp(line, "cat") || pipe2(ends, O_CLOEXEC) < 0)
		return true;
	p->pid = fork();
	if (p->pid == 0)
		become_pager(line, ends[0]);
	close(ends[0]);
	if (p->pid > 0) {
		dup2(ends[1], STDOUT_FILENO);
		signal(SIGINT, SIG_IGN);
		signal(SIGQUIT, SIG_IGN);
	}
	close(ends[1]);
	return true;
}

void pager_wait(struct pager *p)
{
	while (p->pid > 0 && waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
		;
}
