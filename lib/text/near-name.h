/* near-name.h: names that a mistyped word may stand for. */
#ifndef CO_TEXT_NEAR_NAME_H
#define CO_TEXT_NEAR_NAME_H

#include "base/base.h"

#define NEAR_NAME_MOST 3 /* changes by which two near names differ at most */

/* Return how many letters must be inserted, deleted, replaced or swapped with their
 * neighbour to make NAME of KNOWN: 0 to NEAR_NAME_MOST, and 0 where KNOWN begins with
 * NAME; SIZE_MAX if they are not near.  The shorter NAME, the fewer changes count. */
size_t near_name(const char *known, const char *name);

#endif
