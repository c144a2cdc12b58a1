/* fold.h: normalize text for comparison: case-folded, with each run of blanks
 * as one space. */
#ifndef CO_TEXT_FOLD_H
#define CO_TEXT_FOLD_H

#include "base/buf.h"

/* Append P, case-folded (unicode_fold()), with each run of blanks as one space
 * and none at the ends. */
void fold_add(struct buf *out, const char *p, size_t len);

/* Return true if C is white space, in ASCII or Unicode. */
bool fold_is_blank(uint32_t c);

/* Return the hash of the folded text of P. */
uint64_t fold_hash(const char *p, size_t len);

#endif
