/* terminal.c: see terminal.h. */
#include "sys/terminal.h"

#include "sys/io.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
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

	return isatty(fd) && !(no && *no) && term && *term &&
	       strcmp(term, "dumb") != 0;
}

#define SIGNALS_MS 100 /* until a signal is noticed */
#define REST_MS 20     /* until the rest of a key has come */
#define END_OF_INPUT '\004'
