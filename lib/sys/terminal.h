/* terminal.h: properties of a terminal, and reading a key. */
#ifndef CO_SYS_TERMINAL_H
#define CO_SYS_TERMINAL_H

#include "base/base.h"

/* Return the columns of the terminal FD, or COLUMNS if that is a number; 0 if
 * FD is not a terminal or its size is unknown. */
size_t terminal_columns(int fd);

/* Return true if FD is a terminal with colours and NO_COLOR is unset or
 * empty. */
bool terminal_has_colors(int fd);

#define TERMINAL_KEY_MAX 16

/* Wait for a key on the terminal FD, without echo. KEY gets the bytes of one
 * character or escape sequence, and a NUL. Returns false at the end of input,
 * or if FD is not a terminal. The terminal settings are restored before this
 * returns and before a signal stops or ends the process. */
bool terminal_key(int fd, char key[TERMINAL_KEY_MAX]);

#endif
