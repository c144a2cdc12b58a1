/* terminal.c: see terminal.h. */
#include "sys/terminal.h"

#include "sys/io.h"
#include "sys/signals.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define COLUMNS_MAX 10000

size_t terminal_columns(int fd)
{
	const char *columns = getenv("COLUMNS");
	const long n = columns ? strtol(columns, NULL, 10) : 0;
	struct winsize size;

	if (!isatty(fd))
		return 0;
	if (n > 0 && n <= COLUMNS_MAX)
		return (size_t)n;
	return ioctl(fd, TIOCGWINSZ, &size) < 0 ? 0 : size.ws_col;
}

bool terminal_has_colors(int fd)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return !(no && *no) && term && *term && strcmp(term, "dumb") != 0 &&
	       isatty(fd);
}

#define SIGNALS_MS 100 /* interval of checks for a signal */
#define REST_MS 20     /* longest wait for the next byte of a key */
#define END_OF_INPUT '\004'

static bool has_input(int fd, int ms)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	return poll(&p, 1, ms) > 0;
}

/* Return the most bytes of a key that begins with C: a UTF-8 character or an
 * escape sequence. */
static size_t key_bytes(unsigned char c)
{
	return c == '\033' ? TERMINAL_KEY_MAX - 1
	       : c >= 0xF0 ? 4
	       : c >= 0xE0 ? 3
	       : c >= 0xC0 ? 2
			   : 1;
}

/* Read one key, whose bytes arrive together. Returns false at the end of
 * input. */
static bool read_key(int fd, char key[TERMINAL_KEY_MAX])
{
	size_t n = 0, most;

	do {
		if (io_read(fd, key + n, 1) != 1)
			return false;
		most = key_bytes((unsigned char)key[0]);
	} while (++n < most && has_input(fd, REST_MS));
	key[n] = '\0';
	/* A line typed before the call ends with NUL. */
	return *key && *key != END_OF_INPUT;
}

void terminal_drop_typed(int fd)
{
	tcflush(fd, TCIFLUSH);
}

bool terminal_key(int fd, char key[TERMINAL_KEY_MAX])
{
	struct termios usual, by_key;
	sigset_t before;
	bool waiting = true, got = false;

	if (tcgetattr(fd, &usual) < 0)
		return false;
	by_key = usual;
	by_key.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	by_key.c_cc[VMIN] = 1;
	by_key.c_cc[VTIME] = 0;
	while (waiting) {
		signals_hold(SIGTSTP, &before);
		tcsetattr(fd, TCSANOW, &by_key);
		while (!signals_pending() && waiting) {
			if (!has_input(fd, SIGNALS_MS))
				continue;
			got = read_key(fd, key);
			waiting = false;
		}
		tcsetattr(fd, TCSANOW, &usual);
		/* A pending signal is delivered here. */
		sigprocmask(SIG_SETMASK, &before, NULL);
	}
	return got;
}
