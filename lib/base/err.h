/* err.h: errors as values, and the exit statuses they become.
 *
 * A fallible function takes `struct err *e` last and returns 0 or -1. -1 means
 * that E holds a code and a complete message; 0 means that E is unchanged. A
 * lookup returns 1 (found), 0 (absent) or -1 (error). Nothing here allocates.
 *
 * Messages are lower case without a full stop: what failed, then its subject in
 * single quotes: cannot open 'x.md': No such file or directory. An error in a
 * file begins with the position: 'x.md':3:7: Field 'id' must be integer. A code
 * is also the exit status of the program.
 */
#ifndef CO_BASE_ERR_H
#define CO_BASE_ERR_H

#include "base/base.h"

enum err_code {
	ERR_NONE = 0,	/* yes, or done */
	ERR_NO = 1,	/* no match, absent, declined; not an error */
	ERR_USAGE = 2,	/* wrong command line or pattern */
	ERR_DATA = 3,	/* malformed data */
	ERR_SYSTEM = 4, /* the system refused, or a limit was reached */
	ERR_BUSY = 5,	/* another process holds the lock: retry */
	ERR_HELPER = 6, /* a program that we ran failed */
	ERR_NOCMD = 127 /* no such command */
};

struct err {
	enum err_code code;
	char text[4608]; /* a path of PATH_MAX and a sentence */
};

/* Set the code and the formatted message of E, if E is not NULL. Always returns
 * -1, for `return err_set(e, ERR_DATA, "...")`. A message that does not fit is
 * cut between characters and ends in "...". */
int err_set(struct err *e, enum err_code code, const char *fmt, ...)
	PRINTF(3, 4);

/* Call err_set() with ERR_SYSTEM and append ": " and the text of errno. errno
 * is read first and left unchanged. err_take() copies WHY to E instead. */
int err_sys(struct err *e, const char *fmt, ...) PRINTF(2, 3);
int err_take(struct err *e, const struct err *why);

/* A receiver of warnings: errors that do not stop the work, such as one
 * malformed memory among many. SAY is called once for each. */
struct report {
	void (*say)(void *ctx, const struct err *e);
	void *ctx;
};

/* Pass E, or one that is set as by err_set(), to R. Does nothing if R or its SAY is
 * NULL. */
void err_report(const struct report *r, const struct err *e);
void err_warn(const struct report *r, enum err_code code, const char *fmt, ...)
	PRINTF(3, 4);

#endif
