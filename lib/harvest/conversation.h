/* conversation.h: the text of a conversation as a model gets it.
 *
 * It says who said what.  Secrets have already been redacted.
 */
#ifndef CO_HARVEST_CONVERSATION_H
#define CO_HARVEST_CONVERSATION_H

#include "base/buf.h"
#include "base/err.h"

/* Read the conversation at PATH: plain text if PLAIN, else plain text or an
 * agent's record.  PATH may also be FILE#SESSION or "-".  Returns 0 (release
 * with conversation_release()) or -1: ERR_DATA if it is not text,
 * ERR_SYSTEM. */
int conversation_read(struct conversation *c, const char *path, bool plain,
		      struct err *e);
void conversation_release(struct conversation *c);

/* Return true if the file at PATH, or FILE of FILE#SESSION, may be deleted: it
 * is an agent's record and holds only this conversation.  Otherwise *WHY is a
 * reason that completes "'PATH' is kept: WHY"; if the file cannot be read, *WHY
 * points into E. */
bool conversation_is_alone(const char *path, const char **why, struct err *e);

#endif
