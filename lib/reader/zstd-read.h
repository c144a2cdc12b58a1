/* zstd-read.h: decompress zstd (RFC 8878). This is the only user of libzstd.
 *
 * The library is optional: a build without it refuses all data.
 */
#ifndef CO_READER_ZSTD_READ_H
#define CO_READER_ZSTD_READ_H

#include "base/buf.h"
#include "base/err.h"

/* Append the contents of P, one frame of LEN bytes, to the empty OUT. The frame
 * may be hostile: no more than MAX bytes are written, and the window of the
 * decoder has a limit. Return 0, or -1: ERR_DATA if it is no frame, is torn, or
 * has bytes after its end; ERR_SYSTEM if a limit was reached, or in a build
 * without the library. */
int zstd_read(struct buf *out, const char *p, size_t len, size_t max,
	      struct err *e);

#endif
