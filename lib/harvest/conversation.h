/* conversation.h: a conversation as a model gets it: what was said, and by whom.
 *
 * What looks like a secret is gone from it already.
 */
#ifndef CO_HARVEST_CONVERSATION_H
#define CO_HARVEST_CONVERSATION_H

#include "base/buf.h"
#include "base/err.h"

#define CONVERSATION_PART ((size_t)64 * 1024)  /* more is summarised first */
#define CONVERSATION_MAX ((size_t)1024 * 1024) /* more is not harvested */

struct conversation {
	struct buf name; /* "claude/SESSION", or that of the file */
	struct buf text;
	bool too_large; /* more than CONVERSATION_MAX; TEXT is not whole */
	bool session;	/* it is one of several in its file */
	bool request;	/* the suite's own, to a model; TEXT is empty */
	int redacted;	/* secrets */
};

/* Read the conversation at PATH, which is PLAIN text or an agent's record, or
 * PATH#SESSION, or "-".  Release with conversation_release() where it is 0.
 * ERR_DATA: it is no text; ERR_SYSTEM. */
int conversation_read(struct conversation *c, const char *path, bool plain,
		      struct err *e);
void conversation_release(struct conversation *c);

/* Say whether the file at PATH, or at PATH#SESSION, may be deleted for the one
 * conversation that PATH names: true where it is an agent's record of that and
 * holds nothing else.  Else *WHY is a reason, as in "'PATH' is kept: WHY",
 * borrowed from E where it cannot be read. */
bool conversation_is_alone(const char *path, const char **why, struct err *e);

/* Put TEXT, what a model says of it, in the place of what was said. */
int conversation_replace(struct conversation *c, struct buf *text,
			 struct err *e);

/* The part N, from 0, of the text, at most CONVERSATION_PART bytes cut at the
 * end of a line if there is one: false where there is none. */
bool conversation_part(const struct conversation *c, size_t n, const char **p,
		       size_t *len);

#endif
