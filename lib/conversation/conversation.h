/* conversation.h: the conversations that agents keep on this machine: the state
 * of each, and its turns in order.
 *
 * The text is other people's, a model's, and the user's: callers mark it as
 * external. Secrets in it are replaced here, by [REDACTED RULE].
 */
#ifndef CO_CONVERSATION_CONVERSATION_H
#define CO_CONVERSATION_CONVERSATION_H

#include "base/progress.h"
#include "text/color.h"
#include "text/secrets.h"
#include "transcript/listing.h"

enum conversation_state {
	CONVERSATION_READ,
	CONVERSATION_EMPTY,	/* it was read, and has no turns */
	CONVERSATION_UNKNOWN,	/* it is in an unknown version */
	CONVERSATION_UNREADABLE /* it cannot be read */
};

struct conversation {
	struct session session;
	enum conversation_state state;
	const char *why;    /* the error, if it is unreadable, or if a line of
			     * its record is too long; else NULL */
	enum err_code code; /* of that error, if it is unreadable */
	size_t turns;	    /* those that conversation_each() gives */
	size_t skipped;	    /* lines of the record that cannot be read */
	const char *first;  /* first line of the user's first turn; or NULL */
};

/* Zero it, and set A, which gets all strings. Release it with
 * conversation_list_release(). */
struct conversations {
	struct conversation *items;
	size_t n;
	struct arena *a;
};

struct conversations_ask {
	bool all;			 /* also those of other projects */
	const char *agent;		 /* only of this agent; or NULL */
	const struct progress *progress; /* may be NULL */
	const struct report *report;	 /* gets what cannot be read */
	/* If set, returns true if the record of C need not be read, and then
	 * fills in C. Its session is set already. */
	bool (*is_known)(void *ctx, struct conversation *c);
	void *ctx;
};

/* Fill C with the conversations that ASK wants, newest first, without requests
 * of the suite itself. Return 0, or -1 if the project cannot be found. */
int conversation_list(struct conversations *c,
		      const struct conversations_ask *ask, struct err *e);
void conversation_list_release(struct conversations *c);

/* Set *S to the session called NAME, of any project: its name, the only name
 * that begins with NAME, or its path. AGENT: as above. R gets what cannot be
 * read. Strings are in A. Return 0, or -1: ERR_NO if there is none, or several
 * are called so. */
int conversation_find(struct session *s, const char *name, const char *agent,
		      const struct report *r, struct arena *a, struct err *e);

/* What was said or run. */
struct conversation_turn {
	size_t number;	  /* in the conversation, from 1 */
	const char *role; /* TURN_USER, TURN_ASSISTANT or TURN_TOOL; NULL:
			   * unknown */
	const char *text; /* what was said; the command that a tool ran; or what
			   * a failed tool printed. "" for another call */
	size_t len;
	const char *tool; /* the tool that the model called, or NULL */
	const char *at;	  /* as instant_format() writes it, or NULL */
};

/* Process T, which is borrowed during the call. Return 0 to continue, 1 to
 * stop, or -1 with E set. */
typedef int conversation_fn(void *ctx, const struct conversation_turn *t,
			    struct err *e);

/* How the turns of one conversation are read. */
struct conversation_reading {
	struct secrets *secrets;
	/* Where to start, after COUNTED turns, and then where it ended; NULL:
	 * read all. See transcript_each_new(). */
	struct transcript_place *place;
	size_t counted;
	conversation_fn *fn; /* NULL: only count */
	void *ctx;
};

/* Pass the turns of C to HOW->fn, and set the state, the turns and the other
 * facts of C, with strings in A. Return 0, 2 as transcript_each_new(), or FN's
 * result. A record that cannot be read is not an error: see C->state. */
int conversation_each(struct conversation *c,
		      const struct conversation_reading *how, struct arena *a,
		      struct err *e);

/* If C, or a line of its record, could not be read, set E to the error, and return
 * true. */
bool conversation_fault(const struct conversation *c, struct err *e);

/* Return the shell command that resumes S, in A, or NULL if its agent has none.
 * It changes to the directory of S, unless that is the current one. */
const char *conversation_resume(const struct session *s, struct arena *a);

/* The rest is text that is safe for a terminal and a prompt, or JSON. On a terminal,
 * times are local.
 *
 * Append C in a few lines: agent, session, times, turns, first line, and the
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
