/* irregular.h: the irregular forms of English nouns and verbs. */
#ifndef CO_RANK_IRREGULAR_H
#define CO_RANK_IRREGULAR_H

#include "base/base.h"

/* "form N rest" each, NUL-ended, ascending by form, an empty one last: the
 * stem of the form is its first N letters and REST; N is one digit from 0 on
 * and parts the two.  irregular.c is made by contrib/irregular. */
extern const char irregular_forms[];
extern const size_t irregular_size; /* without the empty one */

#endif
