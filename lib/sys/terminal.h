/* terminal.h: properties of a terminal, reading a key, and showing a long text. */
#ifndef CO_SYS_TERMINAL_H
#define CO_SYS_TERMINAL_H

#include "base/base.h"
#include "base/buf.h"

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

/* Drop what was typed on the terminal FD and not read yet. */
void terminal_drop_typed(int fd);

/* Show LEN bytes of P, which must be safe for a terminal, in $PAGER or less,
 * and wait for its end. Returns false if nothing was shown: standard output is
 * not a terminal, or an unknown one while PAGER is unset; PAGER is empty or
 * `cat`; or the program does not exist. */
bool terminal_page(const char *p, size_t len);

/* Run the program at ARGV[0] on the terminal, with LEN bytes of P on its standard
 * input, and replace OUT by its standard output. Returns its exit status, or -1 if it
 * was not run or was killed. */
int terminal_choose(const char *const *argv, const char *p, size_t len,
		    struct buf *out);

#endif
