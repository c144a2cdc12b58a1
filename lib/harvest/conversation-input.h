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

/* Read the conversation at PATH: plain text if PLAIN, else plain text or an
 * agent's record. PATH may also be FILE#SESSION or "-". Returns 0 (release
 * with conversation_release()) or -1: ERR_DATA if it is not text,
 * ERR_SYSTEM. */
int conversation_read(struct conversation *c, const char *path, bool plain,
		      struct err *e);
void conversation_release(struct conversation *c);

/* Return true if the file at PATH, or FILE of FILE#SESSION, may be deleted: it
 * is an agent's record and holds only this conversation. Otherwise *WHY is a
 * reason that completes "'PATH' is kept: WHY"; if the file cannot be read, *WHY
 * points into E. */
bool conversation_is_alone(const char *path, const char **why, struct err *e);

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
