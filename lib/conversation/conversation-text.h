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

/* Append how many of ALL there are of each agent, or only of AGENT unless it is
 * NULL, and how many of them could be read: a line for each, or with JSON an
 * object. */
void conversation_tallies(struct buf *out, const struct conversations *all,
			  const char *agent, bool json);

#endif
