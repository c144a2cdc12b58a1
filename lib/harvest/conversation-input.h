/* conversation-input.h: the text of a conversation as a model gets it.
 *
 * It says who said what. Secrets have already been redacted.
 */
#ifndef CO_HARVEST_CONVERSATION_INPUT_H
#define CO_HARVEST_CONVERSATION_INPUT_H

#include "base/buf.h"
#include "base/err.h"

#define CONVERSATION_PART ((size_t)64 * 1024)  /* longer: summarized */
#define CONVERSATION_MAX ((size_t)1024 * 1024) /* longer: not harvested */

struct conversation {
	struct buf name; /* "claude/SESSION", or the file's name */
	struct buf text;
	bool too_large; /* over CONVERSATION_MAX; TEXT is incomplete */
	bool request;	/* a request of co to a model; TEXT is empty */
	bool outside;	/* the agent read text from outside in it */
	int redacted;	/* number of secrets */
};

/* Replace the text of C by TEXT, a summary from a model. Secrets are
 * redacted. */
int conversation_replace(struct conversation *c, struct buf *text,
			 struct err *e);

/* Set *P and *LEN to part N (from 0) of the text: at most CONVERSATION_PART
 * bytes, ending at a line end if possible. Returns false if there is no part
 * N. *P is borrowed from C. */
bool conversation_part(const struct conversation *c, size_t n, const char **p,
		       size_t *len);

#endif
