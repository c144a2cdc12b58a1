/* spelling.h: unite British and American spelling before words are stemmed.
 *
 * The result is a key for comparing, not a word. The first letter never changes, which
 * stem_first() depends on.
 */
#ifndef CO_RANK_SPELLING_H
#define CO_RANK_SPELLING_H

#include "base/base.h"

/* Replace the LEN letters of P, only a to z, by those of a spelling that both have:
 * optimisation by optimization, colour by color, center by centre. Return the new length,
 * at most LEN. */
size_t spelling_unite(char *p, size_t len);

#endif
