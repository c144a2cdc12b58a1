/* zstd-read.c: decompress in pieces, so that memory grows with what a frame
 * holds, not with what its header claims.
 *
 * The library also decodes the forms of its releases before 1.0, whose decoders
 * are rarely tested. So the magic number of a frame is compared first, and only
 * one frame is read.
 */
#include "reader/zstd-read.h"

#include "reader/reader.h"

#ifdef CO_ZSTD

#include "base/mem.h"

#include <zstd.h>
#include <zstd_errors.h>

#define PIECE ((size_t)128 * 1024)

/* The RFC recommends that a decoder supports 8 MiB. The default is 128 MiB. */
#define WINDOW_LOG 23

static bool is_frame(const char *p, size_t len)
{
	static const char magic[] = {'\x28', '\xb5', '\x2f', '\xfd'};

	return len > sizeof(magic) && !memcmp(p, magic, sizeof(magic));
}

/* Set E to the error RC of the library. */
static int set_error(size_t rc, struct err *e)
{
	const ZSTD_ErrorCode code = ZSTD_getErrorCode(rc);

	if (code == ZSTD_error_memory_allocation)
		mem_none();
	return err_set(e,
		       code == ZSTD_error_frameParameter_windowTooLarge
			       ? ERR_SYSTEM
			       : ERR_DATA,
		       "cannot decompress it: %s", ZSTD_getErrorString(code));
}

/* Decompress the next piece of IN to the end of OUT. Set *LEFT to 0 at the end of
 * the frame. */
static int read_piece(ZSTD_DCtx *decoder, ZSTD_inBuffer *in, struct buf *out,
		      size_t *left, struct err *e)
{
	ZSTD_outBuffer piece;

	buf_grow(out, PIECE);
	piece = (ZSTD_outBuffer){out->p + out->len, PIECE, 0};
	*left = ZSTD_decompressStream(decoder, &piece, in);
	if (ZSTD_isError(*left))
		return set_error(*left, e);
	out->len += piece.pos;
	out->p[out->len] = '\0';
	if (*left && in->pos == in->size && piece.pos < piece.size)
		return err_set(e, ERR_DATA, "cannot decompress it: it is torn");
	return 0;
}

int zstd_read(struct buf *out, const char *p, size_t len, size_t max,
	      struct err *e)
{
	ZSTD_inBuffer in = {p, len, 0};
	ZSTD_DCtx *decoder;
	size_t left = 1;
	int r = 0;

	if (!is_frame(p, len))
		return err_set(e, ERR_DATA, "it is not compressed with zstd");
	decoder = ZSTD_createDCtx();
	if (!decoder)
		mem_none();
	ZSTD_DCtx_setParameter(decoder, ZSTD_d_windowLogMax, WINDOW_LOG);
	while (!r && left) {
		r = read_piece(decoder, &in, out, &left, e);
		if (!r && out->len > max)
			r = err_set(e, ERR_SYSTEM, "it has more than %zu bytes",
				    max);
	}
	if (!r && in.pos < len)
		r = err_set(e, ERR_DATA,
			    "cannot decompress it: it has more than one frame");
	ZSTD_freeDCtx(decoder);
	return r;
}

void reader_library(struct buf *out)
{
	buf_addf(out, "zstd %s", ZSTD_versionString());
}

#else

int zstd_read(struct buf *out, const char *p, size_t len, size_t max,
	      struct err *e)
{
	(void)out;
	(void)p;
	(void)len;
	(void)max;
	return err_set(e, ERR_SYSTEM,
		       "it is compressed, and this build has no libzstd");
}

void reader_library(struct buf *out)
{
	buf_adds(out, "no zstd");
}

#endif
