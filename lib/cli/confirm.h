/* confirm.h: asking a person before a text is saved that may not be meant, since
 * memories say nearly the same, or since it is the name of a file.
 */
#ifndef CO_CLI_CONFIRM_H
#define CO_CLI_CONFIRM_H

#include "store/save.h"

enum confirm { CONFIRM_SAVE, CONFIRM_DECLINED, CONFIRM_REPLACE };

/* Show on standard error what of S is similar to NEW, and on a terminal ask whether
 * it is to be saved: what was answered.  CONFIRM_REPLACE: *ID, in A, is the memory
 * whose place it takes, else NULL.  What has the very text is not similar.  Where
 * nobody is asked and only what goes wrong is to be told, nothing is looked for. */
enum confirm confirm_save(struct store *s, const struct store_new *new,
			  struct arena *a, const char **id);

/* Show on standard error what of S is said otherwise by R, which was saved there,
 * and have R name it, in A: the same. */
void confirm_saved(struct store *s, struct record *r, struct arena *a);

/* End with 2 where all of OPERANDS name files or addresses: whoever gives one
 * means what it holds, and must not find its name saved. */
void confirm_refuse_names(char **operands);

#endif
