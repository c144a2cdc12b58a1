/* fold.h: text as it is compared with what is known: upper and lower case and
 * blanks aside.
 */
#ifndef CO_FOLDED_H
#define CO_FOLDED_H

#include "base/buf.h"

/* Append P folded, caseless, each run of blanks one space, none at the ends. */
void folded_add(struct buf *out, const char *p, size_t len);

bool folded_is_blank(uint32_t c);

/* The hash of P folded. */
uint64_t folded_hash(const char *p, size_t len);

#endif
