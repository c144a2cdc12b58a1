/* chat.h: the messages of a session as they stand in the end, where an agent
 * replaces what it wrote and takes it back.
 *
 * Each message has an id.  Only a person's has a text; the others are kept as
 * well, since they too are what one goes back to.
 */
#ifndef CO_AGENT_CHAT_H
#define CO_AGENT_CHAT_H

#include "base/mem.h"
#include "base/table.h"

struct chat_message {
	const char *id;	  /* "" for one without */
	const char *text; /* NULL: not a person's */
	size_t len;
};

struct chat {
	struct chat_message *items; /* in order */
	size_t n, cap;
	struct table by_id; /* of those that have one */
};

/* The message ID, NULL where there is none, as for "". */
const struct chat_message *chat_find(const struct chat *c, const char *id);

/* Add M at the end, or in the place of the one with its id.  What M points to
 * must live as long as C. */
void chat_put(struct chat *c, const struct chat_message *m);

/* Take back the message ID and all behind it; all there are where there is no
 * such one. */
void chat_rewind(struct chat *c, const char *id);

void chat_release(struct chat *c);

#endif
