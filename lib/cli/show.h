/* show.h: printing memories that are named by id or path, as they stand or as
 * records. */
#ifndef CO_CLI_SHOW_H
#define CO_CLI_SHOW_H

#include "cli/out.h"
#include "evidence/evidence.h"
#include "store/loose.h"

/* Set the first four; the rest is zero. */
struct show {
	const struct out *out;
	bool global;	  /* ids are the user's */
	bool coloring;	  /* of what is printed as it stands */
	struct buf *page; /* gets what is printed as it stands, safe for a
			   * terminal where that is standard output; NULL: it
			   * is printed at once */

	struct store stores[2]; /* the project's, the user's */
	bool open[2];		/* paths need none */
	bool broken[2];		/* what was named of them */
	struct loose loose;
	struct evidence *evidence[2];
	struct arena arena;
};

/* Show what OPERAND names, an id in each file that bears it: for cli_each(), CTX
 * is a struct show. */
int show_one(void *ctx, const char *operand, struct err *e);

void show_release(struct show *show);

#endif
