/* help.h: the list of the commands, the other names that they have, and a guess at
 * one that was mistyped.
 */
#ifndef CO_CLI_HELP_H
#define CO_CLI_HELP_H

#include "sys/execpath.h"

/* As execpath_list(), with the kind and the summary of each program. */
void help_list(struct execpath *s, const char *argv0, struct arena *a);

/* Append the programs of S, as help_list() left it, below headings: the commands for
 * every day with an example, on one screen of 24 lines, or with ALL every one. */
void help_commands(struct buf *out, const struct execpath *s, bool all);

/* Return the words that the command NAME is another name of, "knowledge --stats" for
 * "stats", or NULL.  Static. */
const char *help_alias(const char *name);

/* Append "did you mean 'co learn'?", with up to three commands that are near
 * to NAME; nothing where none is. */
void help_guess(struct buf *out, const struct execpath *s, const char *name);

#endif
