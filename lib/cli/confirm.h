/* confirm.h: asking a person before a text is saved that may not be meant, since
 * memories say nearly the same, or since it is the name of a file.
 */
#ifndef CO_CLI_CONFIRM_H
#define CO_CLI_CONFIRM_H

#include "store/save.h"

enum confirm { CONFIRM_SAVE, CONFIRM_DECLINED, CONFIRM_REPLACE };

/* Show on standard error what of S is said otherwise by R, which was saved there,
 * and have R name it, in A: the same. */
void confirm_saved(struct store *s, struct record *r, struct arena *a);

#endif
