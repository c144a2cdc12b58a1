/* help.h: the list of commands, synonyms for commands, and suggestions for a
 * misspelled one.
 */
#ifndef CO_CLI_HELP_H
#define CO_CLI_HELP_H

#include "sys/execpath.h"

/* Call execpath_list() and set the kind and the summary of each program. Texts
 * are static or live in A. */
void help_list(struct execpath *s, const char *argv0, struct arena *a);

/* Append the programs of S, filled by help_list(), grouped below headings.
 * Without ALL: the everyday commands and an example, in at most 24 lines. With
 * ALL: every program. */
void help_commands(struct buf *out, const struct execpath *s, bool all);

/* Return the command line that NAME is an alias for, without "co": "knowledge
 * --stats" for "stats". Return NULL if there is none. The result is static. */
const char *help_alias(const char *name);

/* Append "did you mean 'co learn'?" with up to three commands whose names are
 * close to NAME. Append nothing if there are none. */
void help_guess(struct buf *out, const struct execpath *s, const char *name);

#endif
