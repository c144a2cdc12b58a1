/* expect.h: what the unit programs check with.  Each failure prints a line
 * that says what was got and wanted; expect_status() is for main(). */
#ifndef CO_EXPECT_H
#define CO_EXPECT_H

#include "base/buf.h"

static int failures;

static inline void expect(bool ok, const char *what)
{
	if (ok)
		return;
	printf("failed: %s\n", what);
	failures++;
}

/* The contents of GOT are WANT; GOT is emptied. */
static inline void expect_buf(struct buf *got, const char *input,
			      const char *want)
{
	if (got->len != strlen(want) || memcmp(buf_str(got), want, got->len)) {
		printf("failed: '%s' became '%s', not '%s'\n", input,
		       buf_str(got), want);
		failures++;
	}
	buf_cut(got, 0);
}

static inline int expect_status(void)
{
	return failures > 0;
}

#endif
