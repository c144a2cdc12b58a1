/* context.h: the always-loaded context, global before project.
 *
 * Missing, empty and unreadable files never stop a session: what is wrong is
 * reported, what is left is loaded.  One with malformed YAML is left out
 * whole, one with invalid fields keeps its body.
 */
#ifndef CO_CONTEXT_H
#define CO_CONTEXT_H

#include "buf.h"
#include "root.h"

#define CONTEXT_GLOBAL_BUDGET 3072
#define CONTEXT_PROJECT_BUDGET 7168
#define CONTEXT_TARGET 10240
#define CONTEXT_LIMIT 20480
#define CONTEXT_FILE_MAX (1024 * 1024)

/* What became of one of the two files. */
struct context_part {
	enum scope scope;
	char *path;	 /* absolute; yours with the context */
	bool found;	 /* the file is there */
	bool loaded;	 /* its body is in the text */
	size_t size;	 /* bytes of the file */
	size_t body;	 /* bytes of its stripped body */
	size_t budget;	 /* bytes the file may have */
	const char *why; /* where not loaded: "absent", "empty", ... */
};

struct context {
	struct context_part parts[2]; /* global, project */
	struct buf text; /* as it goes to a prompt, unwrapped, cut at the limit;
	                   * empty when nothing was loaded */
	size_t size;	 /* bytes before the cut */
	bool invalid;	 /* some file was reported */
};

/* Load those of the two files that WANT names (bits 1 << scope).  Complaints,
 * budgets included, go to R.  ERR_SYSTEM only where no root can be found. */
int context_load(struct context *c, unsigned want, const struct report *r,
		 struct err *e);

/* Append C's text wrapped in <system-reminder> lines. */
void context_wrap(struct buf *out, const struct context *c);

void context_release(struct context *c);

#endif
