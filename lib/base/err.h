/* err.h: errors as values, and the exit statuses they become.
 *
 * A fallible function returns 0 or -1 and takes `struct err *e` last.  -1
 * means that e holds a code and one finished sentence; 0 means e is untouched.
 * A lookup returns 1 (found), 0 (absent) or -1.  Nothing here allocates.
 *
 * Sentences are lower case without a full stop: what failed, then the subject
 * in single quotes: cannot open 'x.md': No such file or directory.  A fault in
 * a file names its place first: 'x.md':3:7: Field 'id' must be integer.
 *
 * Codes are exit statuses, one meaning each, so the two cannot drift.
 */
#ifndef CO_BASE_ERR_H
#define CO_BASE_ERR_H

#include "base/base.h"

enum err_code {
	ERR_NONE = 0,	/* yes, or done */
	ERR_NO = 1,	/* no: no match, absent, declined; never trouble */
	ERR_USAGE = 2,	/* wrong command line, a bad pattern included */
	ERR_DATA = 3,	/* malformed data */
	ERR_SYSTEM = 4, /* the system refused, or a limit struck */
	ERR_BUSY = 5,	/* somebody else holds the lock: try again */
	ERR_HELPER = 6, /* another program that we need failed */
	ERR_NOCMD = 127 /* no such command */
};

struct err {
	enum err_code code;
	char text[4608]; /* a path of PATH_MAX and a sentence */
};

/* Fill E (NULL is allowed, then nothing is kept); always -1, so that
 * `return err_set(e, ERR_DATA, "...")` is a whole failure.  Text that does
 * not fit is cut at a character and ends in "...". */
int err_set(struct err *e, enum err_code code, const char *fmt, ...)
	PRINTF(3, 4);

/* The same with ERR_SYSTEM and ": " and errno's text behind; errno is read
 * before anything else happens, and left as it was. */
int err_sys(struct err *e, const char *fmt, ...) PRINTF(2, 3);

/* Where complaints go that do not stop the work: a broken memory among good
 * ones is reported and skipped.  SAY is called once a complaint. */
struct report {
	void (*say)(void *ctx, const struct err *e);
	void *ctx;
};

/* Hand E to R; a NULL R, or one without SAY, drops it. */
void err_report(const struct report *r, const struct err *e);

#endif
