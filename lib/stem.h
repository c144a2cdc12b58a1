/* stem.h: English words without their endings, by Porter's algorithm.
 *
 * M. F. Porter, "An algorithm for suffix stripping", Program 14 (1980), with
 * what he changed later where it tells words apart that are one: -bli, -logi,
 * -ies, -ied, -y.  Irregular forms (went, mice) are brought to the stem of their
 * base first.  What comes out is a key to compare by, not a word.
 */
#ifndef CO_STEM_H
#define CO_STEM_H

#include "base.h"

/* Stem the LEN bytes of W in place, which has room for LEN + 1, and return
 * the bytes left, at least 1 of LEN > 0.  A word that has anything but a to z,
 * fewer than 3 letters or more than 63 stays as it is. */
size_t stem_english(char *w, size_t len);

#endif
