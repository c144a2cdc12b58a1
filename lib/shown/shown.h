/* shown.h: the ledger of what agents were shown.
 *
 * Everything that reaches an agent through co is recorded here when it is
 * given: the context at the start of a session, memories for a prompt, answers
 * of the server. Each event is a line of JSON in
 * $XDG_STATE_HOME/co-cli/shown/PROJECT-ID.jsonl; co-json(5) describes it. The
 * file of a store without an id is named by its path; events outside of a
 * project are in user.jsonl.
 *
 * The ledger has ids, hashes and sizes, but no texts: of a prompt or a query,
 * only the words that it shares with the memories found. Events with sensitive
 * memories have no words.
 */
#ifndef CO_SHOWN_SHOWN_H
#define CO_SHOWN_SHOWN_H

#include "base/strings.h"
#include "base/instant.h"
#include "base/buf.h"
#include "repo/record.h"
#include "shown/log.h"

#define SHOWN_START "start"    /* a hook gave the context */
#define SHOWN_SERVER "server"  /* the server's instructions gave it */
#define SHOWN_AGAIN "repeated" /* a hook gave it again after a compression */
#define SHOWN_PROMPT "prompt"  /* a hook added memories to a prompt */
#define SHOWN_ACTION \
	"action" /* a hook gave memories for an edit or a command */
#define SHOWN_SUBAGENT "subagent"  /* a hook gave them to one that starts */
#define SHOWN_LIST "list_memories" /* a tool gave first lines, no whole text */
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
	size_t bytes;	     /* in the text that was shown */
	enum shown_why why;
	const char *cite; /* the place that it cites, or NULL */
	bool external;	  /* others wrote it */
};

/* The memories of one event. A zeroed one is empty. */
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
const char *shown_prompt_key(const char *prompt, char key[SHOWN_PROMPT_KEY]);

/* Append the members of S from "event" to "memories", as the ledger has them. */
void shown_add_event(struct buf *line, const struct shown *s);

/* Note S, with the time. Errors are ignored: an event that cannot be written is
 * lost. */
void shown_note(const struct shown *s);

/* Append the working directory, as the ledger and the log name it. */
void shown_add_folder(struct buf *out);

/* Return true if EVENT is that of a context: its line has a `folder`. */
bool shown_is_start(const char *event);

/* The memories that `co forget --purge` removes from all ledgers. */
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

/* The ledger of the project of the working directory, oldest first. */
struct shown_list {
	struct buf text;
	size_t at;
	struct arena arena;
};

/* Read the ledger. Return 0, or -1 if a file of it cannot be read; L has the rest. Close
 * it with shown_list_close() in every case. */
int shown_list_open(struct shown_list *l, struct err *e);

/* Read into V the next event whose line has the text WITH (NULL: any). V lives until
 * the next call. Return false at the end. Lines that are no events are skipped. */
bool shown_list_next(struct shown_list *l, const char *with, struct value *v);
void shown_list_close(struct shown_list *l);

/* Set LINE and LEN to the next line, whatever it is; return false at the end. */
bool shown_list_line(struct shown_list *l, const char **line, size_t *len);

/* Read LINE of LEN bytes into V, in A. Return false if it is no event. */
bool shown_list_parse(const char *line, size_t len, struct arena *a,
		      struct value *v);

/* Read into OUT, in A, all events, the newest first, and set N to how many they are.
 * Return as shown_list_open(). */
int shown_list_all(const struct value **out, size_t *n, struct arena *a,
		   struct err *e);

/* Keep only those of the N EVENTS, newest first, that belong to the session of
 * the newest one. Events of its agent without a session belong to it if they
 * are newer than its first. If no event has a session, the last start begins
 * it. Return the number kept, in their order. */
size_t shown_list_last_session(const struct value **events, size_t n);

/* What the last session of an agent was shown. */
struct shown_last {
	struct instant at;	 /* its start */
	size_t bytes;		 /* of context */
	struct strings memories; /* ids that were shown later, each once */
};

/* Find the last session of AGENT in the N EVENTS of shown_list_all(). Return false if
 * there is none. The ids are allocated in A; free the list's items with free(). */
bool shown_list_find_last(struct shown_last *last, const char *agent,
			  const struct value *events, size_t n,
			  struct arena *a);

/* A memory that the ledger has. */
struct shown_id {
	int64_t id;
	bool global;
	bool acted; /* for an action; else in another way */
};

/* Memories that one agent of one session was given. A zeroed one is empty. */
struct shown_ids {
	struct shown_id *items;
	size_t n, cap;
	bool locked; /* DIR is the locked directory of the ledger; FD: see lock.h */
	int dir, fd;
};

/* Who was given memories. */
struct shown_session {
	const char *agent;
	const char *session;  /* "": not known */
	const char *subagent; /* NULL: the session itself */
	const char *prompt;   /* see shown_prompt_key(), or NULL */
	bool lost; /* it lost its context, which the ledger does not have yet */
};

/* Add to IDS, which is empty, what S was given since it lost its context the last time.
 * Events of the agent without a session, as of a server, belong to S if they are newer
 * than its first; if the session is "", those since the last start. Lists, which show
 * the beginnings of memories, do not count. Nor does what this prompt was given in the
 * last SHOWN_RETRY_SECONDS: if it comes again, the agent or the person has lost the
 * answer.
 *
 * Other callers wait until shown_ids_release(). A caller notes before that what it gives,
 * so that two hooks at once do not give one memory twice. Without a directory that can be
 * locked, nobody waits. */
#define SHOWN_RETRY_SECONDS 60
void shown_list_session(struct shown_ids *ids, const struct shown_session *s);

/* Return how IDS has the memory ID, or NULL. */
const struct shown_id *shown_ids_find(const struct shown_ids *ids, int64_t id,
				      bool global);

void shown_ids_release(struct shown_ids *ids);

/* Return true if the ledger has an event of SESSION of AGENT. */
bool shown_list_has_session(const char *agent, const char *session);

/* Append the id that the item V of "memories" has, as people write it: 7, g7 or
 * project:7. Return false if it is not a memory. */
bool shown_list_id(struct buf *out, const struct value *item);

#endif
