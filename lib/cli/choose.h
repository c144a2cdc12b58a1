/* choose.h: naming a memory by words, where an id is expected. */
#ifndef CO_CLI_CHOOSE_H
#define CO_CLI_CHOOSE_H

#include "store/results.h"

/* Replace the N OPERANDS by the id of the memory that they mean, if none of them is
 * an id, a path or "-": the memory of the project or the user, with GLOBAL of the user
 * only, in whose text or tags each of their words is,
 * a Latin one at the start of a word.  If there are several,
 * ask which on a terminal.  Return how many operands there are then: 1, or N if nothing
 * was replaced.  End the process with 2 if N is 0, and with 1 if no memory has the words,
 * several have and there is no terminal (they are listed on standard error), or the
 * person chose none. */
int cli_choose(char **operands, int n, bool global);

/* Ask on the terminal which of FOUND are meant, QUESTION before the possible answers,
 * and keep these; false if none are, or the answer is not understood, and this is
 * said.  Their ids must have been shown. */
bool cli_choose_some(struct results *found, const char *question);

#endif
