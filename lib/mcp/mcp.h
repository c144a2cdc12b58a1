/* mcp.h: a session of co mcp: who is at the other end, and which calls are
 * being served.
 *
 * Calls that need other programs stand in a queue and are served one after the
 * other, so that what was saved first is found by what is recalled next.  One
 * that waits for the user's word stands aside and holds up nobody.
 */
#ifndef CO_MCP_MCP_H
#define CO_MCP_MCP_H

#include "mcp/frame.h"
#include "mcp/result.h"
#include "mcp/rpc.h"
#include "sys/process.h"

#define MCP_MODERN "2026-07-28"
#define MCP_LEGACY_NEWEST "2025-11-25"
#define MCP_META "io.modelcontextprotocol/"
#define MCP_ASIDE_MOST 100 /* calls that wait for the user, or listen */

struct mcp;
struct mcp_call;
struct mcp_tool;

/* By which rules a call is answered. */
struct mcp_era {
	const char *version; /* they compare as strings */
	bool modern;	     /* MCP_MODERN, without a session */
	bool elicits;	     /* the client can ask its user by a form */
	const char *client;  /* its name, of [a-z0-9._-]; "" for none */
};

/* The answers to one line that is a list of messages. */
struct mcp_batch {
	struct buf out; /* "[..." */
	size_t open;	/* calls that are not answered yet */
};

typedef void mcp_call_fn(struct mcp *m, struct mcp_call *c);

struct mcp_call {
	struct arena arena; /* everything below lives in it */
	struct mcp_call *next;
	size_t size; /* bytes of its message */
	const struct value *id, *params;
	struct mcp_era era;
	struct mcp_batch *batch; /* NULL for a line of its own */
	bool listens;		 /* it is answered at the end of the session */
	bool watches;		 /* ... and is told when the context changes */
	bool keeps;	/* it is to be done even where nobody waits for it */
	bool cancelled; /* it must not be answered */
	bool done;	/* it is answered, or need not be */
	bool asks;	/* it waits for the user's word */
	const struct mcp_tool *tool; /* it calls; NULL for other methods */
	mcp_call_fn *then;	     /* how it goes on */
	void *state;		     /* ... with what */
	int64_t question;	     /* number of our own call to the client */
	int64_t asked;	    /* when it was made, by instant_monotonic_ms() */
	const char *action; /* the user's word: accept, decline or cancel */
};

struct mcp {
	struct frame frame;
	const char *folder;	     /* of the suite, with a slash behind */
	const struct report *report; /* for what the user should see */
	struct mcp_era legacy;	     /* version NULL before initialize */
	char client[64];
	struct mcp_call *queue;	  /* the first is being served */
	struct mcp_call *asking;  /* these wait for the user's word */
	struct mcp_call *listens; /* these wait for changes */
	struct process child;	  /* works for the first of the queue */
	struct process ended;	  /* has worked, while that goes on */
	struct process recalls;	  /* has its index open, and waits */
	int64_t questions;
	bool everywhere;  /* the user's other projects are asked, too */
	bool ending;	  /* no more questions: nobody will answer them */
	bool subscribed;  /* the legacy client is told of the context */
	struct buf stamp; /* of it at the last look, see subscriptions.c */
	int64_t looked;	  /* ... in ms of a clock of its own */
	int64_t pause;	  /* ... until the next, in ms */
};

/* True if ERA is of VERSION or later. */
bool mcp_era_has(const struct mcp_era *era, const char *version);

/* A new call, which belongs to BATCH unless that is NULL; it is released once
 * it is done, by whatever list it stands in, or by mcp_call_free(). */
struct mcp_call *mcp_call_new(struct mcp_batch *batch);
void mcp_call_free(struct mcp *m, struct mcp_call *c);

/* Give up one hold on B; the last one sends what was answered. */
void mcp_batch_drop(struct mcp *m, struct mcp_batch *b);

/* Answer C: RESULT is the inside of a JSON object, "" for an empty one; what
 * its era adds is added, with TYPE, which is "complete" but for questions.  Or
 * with an error; DATA is JSON or NULL. */
void mcp_call_answer(struct mcp *m, struct mcp_call *c, const char *type,
		     const char *result);
void mcp_call_refuse(struct mcp *m, struct mcp_call *c, int code,
		     const char *text, const char *data);

/* Answer C, a call of a tool, with R, which is released; or with a failure:
 * WHAT, and what the program that has ended said. */
void mcp_call_reply(struct mcp *m, struct mcp_call *c, struct mcp_result *r);

/* Note in the ledger that C is answered with R. EVENT names the tool, the prompt or the
 * kind of resource. Nothing is noted of an answer without memories. */
void mcp_call_note(const struct mcp_call *c, const char *event,
		   const struct mcp_result *r);
void mcp_call_fail(struct mcp *m, struct mcp_call *c, const char *what);

/* The argument NAME of C, a call of a tool; NULL where it is not given. */
const struct value *mcp_call_arg(const struct mcp_call *c, const char *name);

/* Have the program ARGV[0] of the suite do something for C, the first of the
 * queue, and go on with THEN, which finds what came of it in m->ended. */
void mcp_call_run(struct mcp *m, struct mcp_call *c, const char **argv,
		  const char *input, size_t len, int ms, mcp_call_fn *then);

/* The same by a program that answers LINE, of LEN bytes with its end, and goes on
 * for the next call; it is started where it does not run. */
void mcp_call_serve(struct mcp *m, struct mcp_call *c, const char **argv,
		    const char *line, size_t len, int ms, mcp_call_fn *then);

/* Ask the user MESSAGE by the legacy client's form; goes on with THEN, which
 * finds the word in c->action. */
void mcp_call_ask(struct mcp *m, struct mcp_call *c, const char *message,
		  mcp_call_fn *then);

/* How many calls wait for the user's word. */
size_t mcp_asking(const struct mcp *m);

/* Append who we are. */
void mcp_about(struct buf *out, const char *key, const struct mcp_era *era);

/* The params of elicitation/create for MESSAGE: a form that asks for a yes. */
void mcp_question(struct buf *out, const struct mcp_era *era,
		  const char *message);

/* Say how far C is, to a client that wants to know. */
void mcp_call_progress(struct mcp *m, struct mcp_call *c, int step, int steps,
		       const char *message);

/* Let C stand aside until the session ends, and append its subscription's id. */
void mcp_listen(struct mcp *m, struct mcp_call *c);
void mcp_add_subscription(struct buf *out, const struct mcp_call *c);

/* Put C, to be started by THEN, at the end of the queue. */
void mcp_queue(struct mcp *m, struct mcp_call *c, mcp_call_fn *then);

/* Serve the queue as far as is possible without waiting. */
void mcp_serve(struct mcp *m);

/* The same, once the program that works has ended or answered. */
void mcp_worked(struct mcp *m);

/* The client's answer to a question of ours; one to no question is dropped. */
void mcp_answered(struct mcp *m, const struct rpc *answer);

/* The client gives up the call ID. */
void mcp_cancel(struct mcp *m, const struct value *id);

/* No more will come from the client: nobody is asked any more, and what waits
 * for the user's word is answered without it.  ANSWER false: the client is
 * gone, so that what only answers is dropped; what keeps is done. */
void mcp_end(struct mcp *m, bool answer);

void mcp_release(struct mcp *m);

#endif
