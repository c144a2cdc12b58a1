/* commit-log.h: the messages of commits, newest first.
 *
 * git is run, and memory stays small: a message of more than COMMIT_LOG_TEXT bytes
 * is skipped and counted.
 */
#ifndef CO_MINING_COMMIT_LOG_H
#define CO_MINING_COMMIT_LOG_H

#include "base/err.h"
#include "base/progress.h"

#define COMMIT_LOG_TEXT ((size_t)64 * 1024)

/* A commit; its strings are borrowed until the callback returns. */
struct commit {
	const char *name;   /* full, in hexadecimal */
	int64_t at;	    /* seconds since 1970, as its committer claims */
	const char *author; /* "NAME <MAIL>" */
	const char *subject;
	const char
		*body; /* the lines after the subject; "" if there are none */
};

struct commit_log {
	const char *dir;   /* in a work tree; absolute */
	const char *range; /* as git reads it; NULL: HEAD */
	bool below;	   /* only commits that change files below DIR */
	size_t max;	   /* commits to read */
	const struct progress *progress; /* may be NULL */

	/* Results: */
	size_t n;	/* commits read, the skipped ones included */
	size_t skipped; /* for their size */
	bool more;	/* there are more than MAX */
};

/* Call FN for each commit of L that is no merge. Returns 0, also if there is no
 * commit yet; or -1: ERR_USAGE, the range names no commits; ERR_HELPER. */
typedef void commit_log_fn(void *ctx, const struct commit *c);
int commit_log_each(struct commit_log *l, commit_log_fn *fn, void *ctx,
		    struct err *e);

#endif
