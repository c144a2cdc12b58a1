/* io.h: read and write descriptors of any kind.
 *
 * Calls interrupted by a signal are retried. If another program has made the
 * descriptor non-blocking, these functions wait.
 */
#ifndef CO_SYS_IO_H
#define CO_SYS_IO_H

#include "base/base.h"

#include <sys/types.h>

/* Read at most LEN bytes into P. Returns the number read, 0 at the end, or -1
 * with errno set. */
ssize_t io_read(int fd, char *p, size_t len);

/* Write all LEN bytes of P. Returns 0, or -1 with errno set. */
int io_write(int fd, const char *p, size_t len);

#endif
