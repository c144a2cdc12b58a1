/* irregular.h: the irregular forms of English nouns and verbs. */
#ifndef CO_RANK_IRREGULAR_H
#define CO_RANK_IRREGULAR_H

#include "base/base.h"

/* Entries "form N rest", each with a NUL, sorted by form, an empty one last.
 * The stem of the form is its first N letters and REST. N is one digit, which
 * separates the two. contrib/irregular generates irregular.c. */
extern const char irregular_forms[];
extern const size_t irregular_size; /* without the empty one */

#endif
