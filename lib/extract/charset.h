/* charset.h: which characters bytes stand for, and the same in UTF-8.
 *
 * A byte order mark decides, then what the sender said, then whether it is UTF-8,
 * then what the text says of itself; else it is windows-1252.  As in browsers,
 * latin1 and ASCII are windows-1252 and gb2312 is gb18030.
 */
#ifndef CO_EXTRACT_CHARSET_H
#define CO_EXTRACT_CHARSET_H

#include "base/buf.h"

/* Load the tables of all charsets that may come, since no file can be opened
 * later. */
void charset_load(void);

/* The charset of the LEN bytes of P: one of static names, in lower case.  SAID
 * is what the sender called it, NULL or unknown: nothing; HTML: <meta> is
 * looked at. */
const char *charset_of(const char *p, size_t len, const char *said, bool html);

/* Append P, of the charset NAME, as UTF-8, without its mark, with U+FFFD for what
 * is none of its characters, lines that end in \n, and a blank for each NUL.
 * Cannot fail. */
void charset_decode(struct buf *out, const char *name, const char *p,
		    size_t len);

#endif
