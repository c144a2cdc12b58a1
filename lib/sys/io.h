/* io.h: reading and writing descriptors of any kind.
 *
 * A call that a signal interrupts is made again; a descriptor that does not
 * block, since another program at its other end made it so, is waited for.
 */
#ifndef CO_SYS_IO_H
#define CO_SYS_IO_H

#include "base/base.h"

#include <sys/types.h>

/* read(): at most LEN bytes to P; what it returns, -1 with errno set. */
ssize_t io_read(int fd, char *p, size_t len);

/* Write all LEN bytes of P; 0, or -1 with errno set. */
int io_write(int fd, const char *p, size_t len);

#endif
