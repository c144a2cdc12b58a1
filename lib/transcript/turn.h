/* turn.h: what was said in a conversation, in one form for all agents.
 *
 * A turn is a text, or that the model called a tool.  What a model thought, what
 * tools answered, and what an agent's program or the suite itself put into
 * somebody's mouth is no turn.
 */
#ifndef CO_TRANSCRIPT_TURN_H
#define CO_TRANSCRIPT_TURN_H

#include "base/buf.h"
#include "base/err.h"

#define TURN_USER "user"
#define TURN_ASSISTANT "assistant"

struct turn {
	const char *role; /* one of these; NULL where nobody knows */
	const char
		*text; /* UTF-8, may hold NULs; NULL where a tool was called */
	size_t len;
	const char *time; /* as instant_format() has it, or NULL */
	const char *tool; /* the name of the tool that was called, or NULL */
};

/* Take T, which is borrowed for the call: 0 to go on, 1 to stop, -1 with E
 * filled. */
typedef int turn_fn(void *ctx, const struct turn *t, struct err *e);

/* Append T as one JSON object, {"role","text","time","tool"}, with null for what
 * it lacks, and a newline. */
void turn_json(struct buf *out, const struct turn *t);

#endif
