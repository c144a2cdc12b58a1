/* shown.h: the ledger of what agents were shown.
 *
 * Whatever reaches an agent through co is noted here when it is given: the context
 * at the start of a session, memories for a prompt, answers of the server. Each event
 * is a line of JSON in $XDG_STATE_HOME/co-cli/shown/PROJECT-ID.jsonl; co-json(5) describes
 * it. A store without an id has a name made of its path; events outside of a
 * project are in user.jsonl.
 *
 * The ledger has ids, hashes and sizes, never a text: not of a memory, and of a prompt
 * or a query only the words that it has in common with the memories found. Events with
 * sensitive memories have no words.
 */
#ifndef CO_SHOWN_SHOWN_H
#define CO_SHOWN_SHOWN_H

#include "base/buf.h"
#include "repo/record.h"
#include "base/strings.h"
#include "base/instant.h"

#define SHOWN_START "start"    /* a hook gave the context */
#define SHOWN_SERVER "server"  /* the server's instructions gave it */
#define SHOWN_AGAIN "repeated" /* a hook gave it again after a compression */
#define SHOWN_PROMPT "prompt"  /* a hook added memories to a prompt */
#define SHOWN_ACTION \
	"action" /* a hook gave memories for an edit or a command */
#define SHOWN_SUBAGENT "subagent" /* a hook gave them to one that starts */
#define SHOWN_READ "read" /* gave nothing: the agent read text from outside */

enum shown_why {
	SHOWN_CONTEXT, /* a context file */
	SHOWN_RULE,    /* always loaded */
	SHOWN_DIGEST,
	SHOWN_CITE,  /* cites the file */
	SHOWN_PATH,  /* its paths match the file */
	SHOWN_NAME,  /* names the file, or something in the edit */
	SHOWN_WORDS, /* has the words */
	SHOWN_ASKED  /* the agent asked for it */
};

/* Something that was shown. */
struct shown_memory {
	int64_t id; /* 0: not a memory */
	enum scope scope;
	const char *project; /* the name of another project; NULL: this one */
	const char *prefix;  /* as in a record: for a named store */
	const char *path;    /* of its file, to find its hash; or NULL */
	const char *sha256;  /* or NULL */
	size_t bytes;	     /* in what was shown */
	enum shown_why why;
	const char *cite; /* the place that it cites, or NULL */
	bool external;	  /* others wrote it */
};

/* What one event shows. A zeroed one is empty. */
struct shown_items {
	struct buf json;     /* the items of "memories" */
	struct buf external; /* names of those that others wrote, each with a
			      * NUL after it */
};
void shown_items_release(struct shown_items *items);

/* Add M to ITEMS. Without `sha256`, its file is read. */
void shown_add(struct shown_items *items, const struct shown_memory *m);

/* Set SUM, SHA256_HEX bytes, to the hash of the file at PATH, as an item has it. Return
 * SUM, or NULL if the file cannot be read. */
const char *shown_hash(const char *path, char *sum);

/* Return the name of the other project that R is from, or NULL; borrowed. */
const char *shown_project(const struct record *r);

/* Add R, which took BYTES; with SHOWN_CITE, CITE is the place, else NULL. */
void shown_add_record(struct shown_items *items, const struct record *r,
		      size_t bytes, enum shown_why why, const char *cite);

/* Words of a query that memories have, too. */
struct shown_words {
	struct buf text; /* the words, with blanks between */
	bool hidden;	 /* one of the memories is sensitive */
};

/* Add to W the words that QUERY has in common with R: see shown_words_of(). */
void shown_words_add(struct shown_words *w, const char *query,
		     const struct record *r);

/* Return the words of W, or NULL; borrowed. */
const char *shown_words_of(const struct shown_words *w);
void shown_words_release(struct shown_words *w);

/* An event. */
struct shown {
	const char *agent;
	const char *session; /* NULL or "": not known */
	const char *event;
	const char *subagent; /* the agent inside the session that got it, or
			       * NULL */
	const char *file; /* that is edited, below the project's top, or NULL */
	const char *words;  /* that the memories share with a query, or NULL */
	const char *prompt; /* see shown_prompt_key(), or NULL */
	const char *read;   /* where text from outside is from, or NULL */
	size_t bytes;
	const struct shown_items *items; /* or NULL */
	bool whole;   /* of a start: the context is complete */
	bool resumed; /* of a start: the session may have lost what it had */
};

/* Set KEY to some bits of the hash of PROMPT: enough to know a prompt that comes again in
 * one session, too few to find a text by them. Return KEY. */
#define SHOWN_PROMPT_KEY 9

/* Append the members of S from "event" to "memories", as the ledger has them. */
void shown_add_event(struct buf *line, const struct shown *s);

/* Note S, with the time. Errors are ignored: an event that cannot be written is
 * lost. */
void shown_note(const struct shown *s);

/* Append the working directory, as the ledger and the log name it. */
void shown_add_folder(struct buf *out);

/* Return true if EVENT is that of a context: its line has a `folder`. */
bool shown_is_start(const char *event);

/* What `co forget --purge` removes from all ledgers. */
struct shown_purge {
	const struct root *root; /* of the memories */
	const int64_t *ids;
	size_t n;
	bool dry;
	void (*gone)(void *ctx, const char *path); /* gets each changed file */
	void *ctx;
};

/* Remove the memories of P, and the words that they were found by. Return 0 or -1. */
int shown_purge(const struct shown_purge *p, struct err *e);

/* Read the ledger. Return 0, or -1 if a file of it cannot be read; L has the rest. Close
 * it with shown_list_close() in every case. */
int shown_list_open(struct shown_list *l, struct err *e);

/* Read into OUT, in A, all events, the newest first, and set N to how many they are.
 * Return as shown_list_open(). */
int shown_list_all(const struct value **out, size_t *n, struct arena *a,
		   struct err *e);

/* Who was given memories. */
struct shown_session {
	const char *agent;
	const char *session;  /* "": not known */
	const char *subagent; /* NULL: the session itself */
	const char *prompt;   /* see shown_prompt_key(), or NULL */
	bool lost; /* it lost its context, which the ledger does not have yet */
};

/* Add to IDS, which is empty, what S was given since it lost its context the last time.
 * Events of the agent without a session, as of a server, belong to S if they are newer than
 * its first; if the session is "", those since the last start. Lists, which show the
 * beginnings of memories, do not count. Nor does what this prompt was given in the last
 * SHOWN_RETRY_SECONDS: if it comes again, the agent or the person has lost the answer.
 *
 * Other callers wait until shown_ids_release(). A caller notes before that what it gives,
 * so that two hooks at once do not give one memory twice. Without a directory that can be
 * locked, nobody waits. */
#define SHOWN_RETRY_SECONDS 60
void shown_list_session(struct shown_ids *ids, const struct shown_session *s);

#endif
