/* last.h: the memories of this project that a person saw last, so that a later command
 * can name them: by no operand at all, or by @1 to @9.
 *
 * They are noted only if standard error is a terminal: what programs read does not
 * count. The note is local, $XDG_STATE_HOME/co-cli/last/, one file for each project,
 * mode 0600. If it cannot be written or read, nothing was seen.
 */
#ifndef CO_CLI_LAST_H
#define CO_CLI_LAST_H

#include "base/strings.h"

/* Note the first LAST_ANSWERS of the N answers of a search, best first: IDS has the id
 * of each, NULL for an answer that is not a memory of this project. The first memory
 * counts as shown. */
void last_note_answers(const char *const *ids, size_t n);

/* Note that ID was shown or edited. The answers stay. */
void last_note_shown(const char *id);

/* Return the id that was shown last, NULL if none is known. Static. */
const char *last_shown(void);

/* Replace each of OPERANDS from @1 to @9 by the id of that answer, which is static.
 * End the process with 1 if there is no such answer. */
void last_expand(char **operands);

#endif
