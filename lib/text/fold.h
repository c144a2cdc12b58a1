/* fold.h: text made equal for comparison: without upper case, and with each run
 * of blanks as one space.
 */
#ifndef CO_TEXT_FOLD_H
#define CO_TEXT_FOLD_H

#include "base/buf.h"

/* Append P folded, caseless, each run of blanks one space, none at the ends. */
void fold_add(struct buf *out, const char *p, size_t len);

bool fold_is_blank(uint32_t c);

/* The hash of P folded. */
uint64_t fold_hash(const char *p, size_t len);

#endif
