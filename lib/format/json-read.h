/* json-read.h: read JSON. Only this module uses jansson.
 *
 * Strict RFC 8259 in UTF-8. A duplicate key, a lone surrogate and an integer
 * beyond 64 bits are errors. Nesting is limited to 64.
 */
#ifndef CO_FORMAT_JSON_READ_H
#define CO_FORMAT_JSON_READ_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "format/value.h"

/* Parse the LEN bytes at P, which must contain exactly one JSON text, into
 * *OUT, in A. Returns 0, or -1: ERR_DATA, with a message that begins with line
 * and column, "1:7: ...". */
int json_parse(const char *p, size_t len, struct arena *a, struct value *out,
	       struct err *e);

/* Parse the next JSON text of a stream, from *AT on, and advance *AT past it.
 * Blanks before it are skipped. Positions in messages refer to the whole of P.
 * Returns 1, 0 if only blanks are left, or -1 as json_parse(). */
int json_parse_at(const char *p, size_t len, size_t *at, struct arena *a,
		  struct value *out, struct err *e);

/* Check untrusted JSON before parsing it. Return true if the LEN bytes at P do
 * not nest deeper than json_parse() allows and contain at most MOST values. */
bool json_within(const char *p, size_t len, size_t most);

/* Replace each escape of a surrogate without a partner (\ud83d) by \ufffd, in
 * place. Programs that cut UTF-16 text write such escapes. */
void json_mend(char *p, size_t len);

/* Parse a copy of the LEN bytes of P, allocated in A and repaired by json_mend(). Return
 * as json_parse(). */
int json_parse_mended(const char *p, size_t len, struct arena *a,
		      struct value *out, struct err *e);

/* Append the name and version of jansson. */
void json_library(struct buf *out);

#endif
