/* help.h: the list of all commands, and a guess at one that was mistyped. */
#ifndef CO_CLI_HELP_H
#define CO_CLI_HELP_H

#include "sys/execpath.h"

/* Append how to call the suite and all its commands, those of each kind below
 * a heading. */
void help_commands(struct buf *out, const struct execpath *s);

/* Append "did you mean 'co learn'?", with up to three commands that are near
 * to NAME; nothing where none is. */
void help_guess(struct buf *out, const struct execpath *s, const char *name);

#endif
