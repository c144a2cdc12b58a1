/* terminal.h: what the terminal behind a descriptor can do. */
#ifndef CO_SYS_TERMINAL_H
#define CO_SYS_TERMINAL_H

#include "base/base.h"

/* The columns of the terminal FD, by COLUMNS where that is a number; 0 where FD
 * is none, or does not say. */
size_t terminal_columns(int fd);

/* True if FD is a terminal that shows colours, and NO_COLOR is unset or
 * empty. */
bool terminal_has_colors(int fd);

#define TERMINAL_KEY_MAX 16

/* Wait for a key on the terminal FD and take it as it is pressed, unseen: KEY
 * gets its bytes, one, or those of a letter or of a key that sends several, and
 * a NUL.  False at the end of the input, and where FD is no terminal.  The
 * terminal is as before when this returns, stops or is ended by a signal. */
bool terminal_key(int fd, char key[TERMINAL_KEY_MAX]);

#endif
