/* conversation-text.h: conversations and their turns as text and as JSON.
 *
 * All text is safe for a terminal and a prompt. On a terminal, times are local.
 */
#ifndef CO_CONVERSATION_CONVERSATION_TEXT_H
#define CO_CONVERSATION_CONVERSATION_TEXT_H

#include "conversation/conversation.h"
#include "text/color.h"

/* Append C in a few lines: agent, session, times, turns, first line, and the
 * command that resumes it. LOCAL: times are local. COLORS: see color.h. */
void conversation_text(struct buf *out, const struct conversation *c,
		       bool local, const struct coloring *colors);

/* Append C as a JSON object and a newline. */
void conversation_json(struct buf *out, const struct conversation *c);

/* Append the turn T with its number, its role and its time. */
void conversation_turn_text(struct buf *out, const struct conversation_turn *t,
			    bool local, const struct coloring *colors);
void conversation_turn_json(struct buf *out, const struct conversation_turn *t);

/* What was found of each agent. */
struct conversation_tally {
	size_t found, read, empty, unknown, unreadable;
	size_t turns;
	size_t lines; /* that cannot be read, in conversations that can */
	uint64_t bytes;
};

/* Count C in T. */
void conversation_count(struct conversation_tally *t,
			const struct conversation *c);

/* Append T, of AGENT, as a line, or as a JSON object and a newline. */
void conversation_tally_text(struct buf *out, const char *agent,
			     const struct conversation_tally *t);
void conversation_tally_json(struct buf *out, const char *agent,
			     const struct conversation_tally *t);

#endif
