/* json-read.h: reading JSON; the one owner of jansson.
 *
 * Strict RFC 8259 on UTF-8: a key given twice, a lone surrogate and an integer
 * beyond 64 bits are errors.  Nesting is limited to 64.
 */
#ifndef CO_FORMAT_JSON_READ_H
#define CO_FORMAT_JSON_READ_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "format/value.h"

/* Read the one JSON text that the LEN bytes of P hold; *OUT lives in A.
 * ERR_DATA: the sentence begins with the line and column, "1:7: ...". */
int json_parse(const char *p, size_t len, struct arena *a, struct value *out,
	       struct err *e);

/* The same for a stream of JSON texts: reads the one that begins at *AT, blanks
 * in front aside, and moves *AT behind it; places are those of P whole.
 * Returns 1, 0 when nothing but blanks is left, or -1. */
int json_parse_at(const char *p, size_t len, size_t *at, struct arena *a,
		  struct value *out, struct err *e);

/* Before parsing what a stranger sends: true if the LEN bytes of P nest no
 * deeper than json_parse() reads, and hold no more than MOST values. */
bool json_within(const char *p, size_t len, size_t most);

/* Replace each escape of a surrogate that has no partner (\ud83d), as programs
 * that cut text by UTF-16 write them, by that of U+FFFD; in place. */
void json_mend(char *p, size_t len);

/* Append the name and version of the library behind this. */
void json_library(struct buf *out);

#endif
