/* turn.h: what was said in a conversation, in one form for all agents.
 *
 * A turn is a text, or the model's call of a tool. The model's thoughts, the
 * answers of tools, and texts that an agent's program or the suite inserted are
 * no turns. A caller may ask for the errors of tools (see transcript.h).
 */
#ifndef CO_TURNS_TURN_H
#define CO_TURNS_TURN_H

#include "base/buf.h"
#include "base/err.h"
#include "format/value.h"

#define TURN_USER "user"
#define TURN_ASSISTANT "assistant"
#define TURN_TOOL "tool" /* what a failed tool printed */

#define TURN_ERROR_MAX ((size_t)4096) /* bytes of it */

struct turn {
	const char *role; /* one of the above; NULL: unknown */
	const char *text; /* UTF-8, may contain NULs; NULL for a tool call */
	size_t len;
	const char *time; /* as from instant_format(), or NULL */
	const char *tool; /* the name of the called tool, or NULL */
	/* What the called tool runs in a shell, COMMAND_LEN bytes, or NULL. */
	const char *command;
	size_t command_len;
	/* What it writes to a file: a list of strings, or NULL. */
	const struct value *written;
	size_t nwritten;
};

/* Process T, which is borrowed during the call. Return 0 to continue, 1 to
 * stop, or -1 with E set. */
typedef int turn_fn(void *ctx, const struct turn *t, struct err *e);

/* How far a record was read, so that a later reading continues there. A zeroed place
 * is the start of the record. */
#define PLACE_STATE 128
struct transcript_place {
	/* Bytes read, up to the end of a line; 0: read all again. */
	uint64_t offset;
	/* What the format's reader must know to continue: in most, the id of
	 * the last line that has one. */
	char state[PLACE_STATE];
};

#endif
