/* conversation-search.h: find turns of conversations that answer a question.
 *
 * They are ranked like memories (see rank/rank.h), by words.
 */
#ifndef CO_CONVERSATION_CONVERSATION_SEARCH_H
#define CO_CONVERSATION_CONVERSATION_SEARCH_H

#include "conversation/conversation-index.h"
#include "repo/record.h"
#include "text/color.h"

/* Lines shown before and after the one that answers. */
#define CONVERSATION_LINES 2

/* A turn that answers. All text is without secrets, and external. */
struct conversation_hit {
	const struct conversation *c;
	size_t turn;
	const char *role;    /* as in struct conversation_turn; NULL: unknown */
	bool command;	     /* a tool ran it */
	const char *at;	     /* as instant_format() writes it, or NULL */
	struct instant when; /* AT; or the end of the conversation if AT is
			      * NULL */
	const char *lines;   /* the line with most words of the question, and
			    * those around it, also of the turns before and
			    * after, which begin with their role */
	size_t lines_len;
	const char *snippet; /* one line, see rank/snippet.h */
	const char *matches; /* the words in it, as JSON */
	float score, coverage;
	bool partial;
};

struct conversation_answer {
	struct conversation_hit *hits; /* best first */
	size_t n;
	size_t whole, partial; /* turns with all words, or with some */
};

/* Fill OUT, in A, with the MAX best turns for QUERY in the wanted conversations
 * of IX, which stays open. Turns next to a better one are left out. Return 0, or
 * -1: ERR_USAGE if a filter of QUERY is malformed. */
int conversation_search(struct conversation_index *ix, const char *query,
			size_t max, struct arena *a,
			struct conversation_answer *out, struct err *e);

#define CONVERSATION_MENTIONS_MAX 10

/* Return in how many conversations of this project a turn has all words of
 * QUERY, at most CONVERSATION_MENTIONS_MAX. Looks only at an index that exists,
 * as it is, for about a millisecond. */
size_t conversation_mentions(const char *query);

/* Append HIT as text for a prompt or, with COLORS, a terminal: as
 * display_memory(), and the command that resumes the conversation. */
void conversation_hit_text(struct buf *out, const struct conversation_hit *hit,
			   const struct coloring *colors);

/* Append the fields of HIT, a record of co-json(5), and a newline. */
void conversation_hit_json(struct buf *out, const struct conversation_hit *hit);

#endif
