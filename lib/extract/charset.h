/* charset.h: detect the charset of bytes, and convert them to UTF-8.
 *
 * A byte order mark decides, then the sender's label, then whether the bytes
 * are valid UTF-8, then the label in the text; the default is windows-1252. As
 * in browsers, latin1 and ASCII mean windows-1252, and gb2312 means gb18030.
 */
#ifndef CO_EXTRACT_CHARSET_H
#define CO_EXTRACT_CHARSET_H

#include "base/buf.h"

/* Load the tables of all supported charsets, because no file can be opened
 * later. */
void charset_load(void);

/* Return the charset of the LEN bytes of P: a static name in lower case. SAID
 * is the sender's label; NULL or an unknown label is ignored. HTML: also look
 * for <meta>. */
const char *charset_of(const char *p, size_t len, const char *said, bool html);

/* Append P, in the charset NAME, as UTF-8 without byte order mark. Invalid
 * bytes become U+FFFD, line ends \n, and NULs blanks. Cannot fail. */
void charset_decode(struct buf *out, const char *name, const char *p,
		    size_t len);

#endif
