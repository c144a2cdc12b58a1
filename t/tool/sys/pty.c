/* pty.c: run a line of sh on its own terminal, type standard input there, and
 * copy the screen to standard output, without the echo of the input. Exit with
 * the status of the line, or with 124 if nothing happens for two minutes. At the
 * byte 1 of the input, wait until the screen ends in a question.
 *
 * The end of input is typed too, and typed again while the program continues to
 * read, since an editor may have consumed it.
 */
#include "base/base.h"
#include "sys/io.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define QUIET_MS 200
#define PATIENCE_MS 120000
#define AWAIT_QUESTION '\001'
#define END_OF_INPUT "\004"

static void no_echo(int fd)
{
	struct termios t;

	if (tcgetattr(fd, &t) == 0) {
		t.c_lflag &= ~(tcflag_t)ECHO;
		tcsetattr(fd, TCSANOW, &t);
	}
}

static pid_t start(int master, int terminal, const char *line)
{
	const pid_t pid = fork();

	if (pid)
		return pid;
	close(master);
	setsid();
	ioctl(terminal, TIOCSCTTY, 0);
	for (int fd = 0; fd < 3; fd++)
		dup2(terminal, fd);
	if (terminal > 2)
		close(terminal);
	execl("/bin/sh", "sh", "-c", line, (char *)NULL);
	_exit(127);
}

/* Copy the screen until it ends in a question, which is "?" and a blank. Return false
 * if that does not happen. */
static bool copy_question(int master)
{
	struct pollfd p = {.fd = master, .events = POLLIN};
	char text[4096], before = '\0';
	ssize_t n;

	while (poll(&p, 1, PATIENCE_MS) == 1) {
		n = io_read(master, text, sizeof(text));
		if (n <= 0 || io_write(STDOUT_FILENO, text, (size_t)n) < 0)
			return false;
		if (n > 1)
			before = text[n - 2];
		if (before == '?' && text[n - 1] == ' ')
			return true;
		before = text[n - 1];
	}
	return false;
}

/* Type N bytes of P. Return false if an awaited question does not come. */
static bool type_input(int master, const char *p, size_t n)
{
	const char *await;

	while ((await = memchr(p, AWAIT_QUESTION, n))) {
		io_write(master, p, (size_t)(await - p));
		if (!copy_question(master))
			return false;
		n -= (size_t)(await - p) + 1;
		p = await + 1;
	}
	io_write(master, p, n);
	return true;
}

/* Copy the screen until the program has closed it. Return false if it hangs. */
static bool copy(int master)
{
	struct pollfd p = {.fd = master, .events = POLLIN};
	char text[4096];
	int quiet = 0;
	ssize_t n;

	while (quiet < PATIENCE_MS) {
		if (poll(&p, 1, QUIET_MS) == 0) {
			quiet += QUIET_MS;
			io_write(master, END_OF_INPUT, 1);
			continue;
		}
		quiet = 0;
		n = io_read(master, text, sizeof(text));
		if (n <= 0)
			return true;
		if (io_write(STDOUT_FILENO, text, (size_t)n) < 0)
			return false;
	}
	return false;
}

int main(int argc, char **argv)
{
	const int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	char typed[4096];
	int terminal, status;
	bool typing = true;
	ssize_t n;
	pid_t pid;

	if (argc != 2 || master < 0 || grantpt(master) || unlockpt(master))
		return 125;
	terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
	if (terminal < 0)
		return 125;
	no_echo(terminal);
	pid = start(master, terminal, argv[1]);
	while (typing && (n = io_read(STDIN_FILENO, typed, sizeof(typed))) > 0)
		typing = type_input(master, typed, (size_t)n);
	io_write(master, END_OF_INPUT, 1);
	close(terminal);
	if (pid < 0 || !typing || !copy(master)) {
		kill(-pid, SIGKILL);
		return 124;
	}
	if (waitpid(pid, &status, 0) < 0)
		return 125;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
