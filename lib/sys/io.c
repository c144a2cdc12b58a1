/* io.c: see io.h. */
#include "sys/io.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

/* Return true if the failed call on FD must be retried. Waits for EVENT if FD
 * is non-blocking. */
static bool may_retry(int fd, short event)
{
	struct pollfd ready = {fd, event, 0};

	if (errno == EINTR)
		return true;
	if (errno != EAGAIN)
		return false;
	return poll(&ready, 1, -1) >= 0 || errno == EINTR;
}

ssize_t io_read(int fd, char *p, size_t len)
{
	ssize_t got;

	do
		got = read(fd, p, len);
	while (got < 0 && may_retry(fd, POLLIN));
	return got;
}

int io_write(int fd, const char *p, size_t len)
{
	while (len) {
		ssize_t put = write(fd, p, len);

		if (put < 0 && may_retry(fd, POLLOUT))
			continue;
		if (put < 0)
			return -1;
		p += put;
		len -= (size_t)put;
	}
	return 0;
}
