/* mcp.h: a session of co mcp: the client, and the calls that are being served.
 *
 * Calls that need other programs are queued and served one after the other, so that
 * a recall finds what an earlier call saved. A call that waits for the user is put
 * aside and blocks no other.
 */
#ifndef CO_MCP_MCP_H
#define CO_MCP_MCP_H

#include "mcp/frame.h"
#include "mcp/result.h"
#include "mcp/rpc.h"
#include "sys/process.h"
#include "agent/agent.h"
#include "shown/shown.h"

#define MCP_MODERN "2026-07-28"
#define MCP_LEGACY_NEWEST "2025-11-25"
#define MCP_META "io.modelcontextprotocol/"
#define MCP_ASIDE_MOST 100 /* of calls that wait for the user, or listen */

struct mcp;
struct mcp_call;
struct mcp_tool;

/* The version of the protocol by which a call is answered. */
struct mcp_era {
	const char *version; /* they compare as strings */
	bool modern;	     /* MCP_MODERN, without a session */
	bool elicits;	     /* the client can ask its user by a form */
	const char *client;  /* its name, of [a-z0-9._-]; "" for none */
};

/* The answers to one line that has a list of messages. */
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
	bool watches;		 /* ... and gets changes of the context */
	bool keeps;	/* it is finished even if nobody waits for it */
	bool cancelled; /* it must not be answered */
	bool done;	/* it is answered, or need not be */
	bool asks;	/* it waits for the user */
	const struct mcp_tool *tool; /* it calls; NULL for other methods */
	mcp_call_fn *then;	     /* continues it */
	void *state;		     /* for THEN */
	int64_t question;	     /* number of our own call to the client */
	int64_t asked;	    /* when it was made, by instant_monotonic_ms() */
	const char *action; /* of the user: accept, decline or cancel */
};

struct mcp {
	struct frame frame;
	const char *folder;	     /* of the suite, with a slash at its end */
	const struct report *report; /* for what the user should see */
	struct mcp_era legacy;	     /* version NULL before initialize */
	char client[64];
	struct mcp_call *queue;	  /* the first is being served */
	struct mcp_call *asking;  /* these wait for the user */
	struct mcp_call *listens; /* these wait for changes */
	struct process child;	  /* works for the first of the queue */
	struct process ended;	  /* has worked; for mcp_call.then */
	struct process recalls;	  /* has its index open, and waits */
	struct process maker;	  /* makes vectors, see idle.h */
	size_t indexed;		  /* stores that it is done with */
	bool saved;		  /* an agent saved since it was started */
	int64_t heard;		  /* when the last message came, in ms of
				   * instant_monotonic_ms() */
	int64_t questions;
	bool everywhere;  /* the user's other projects are searched, too */
	bool ending;	  /* ask nothing: nobody will answer */
	bool subscribed;  /* the legacy client gets changes of the context */
	struct buf stamp; /* of it at the last look, see subscriptions.c */
	int64_t looked;	  /* ... in ms of a clock of its own */
	int64_t pause;	  /* ... until the next, in ms */
};

/* Return true if ERA is VERSION or later. */
bool mcp_era_has(const struct mcp_era *era, const char *version);

/* Return a new call, which belongs to BATCH unless that is NULL. It is released
 * when it is done, from whatever list it is in, or by mcp_call_free(). */
struct mcp_call *mcp_call_new(struct mcp_batch *batch);
void mcp_call_free(struct mcp *m, struct mcp_call *c);

/* Release one reference to B. The last one sends the answers. */
void mcp_batch_drop(struct mcp *m, struct mcp_batch *b);

/* Answer C, and release INSIDE, the inside of a JSON object; NULL for an empty
 * one. Members that the era requires are added, among them TYPE, which is
 * "complete" except for questions. mcp_call_refuse() answers with an error; DATA
 * is JSON or NULL. */
void mcp_call_answer(struct mcp *m, struct mcp_call *c, const char *type,
		     struct buf *inside);
void mcp_call_refuse(struct mcp *m, struct mcp_call *c, int code,
		     const char *text, const char *data);

/* Answer C, a call of a tool, with R, and release R. mcp_call_fail() answers with a
 * failure: WHAT, and what the program that has ended printed. */
void mcp_call_reply(struct mcp *m, struct mcp_call *c, struct mcp_result *r);

/* Note in the ledger that C is answered with R. EVENT names the tool, the prompt or
 * the kind of resource. An answer without memories is not noted. */
void mcp_call_note(const struct mcp_call *c, const char *event,
		   const struct mcp_result *r);
void mcp_call_fail(struct mcp *m, struct mcp_call *c, const char *what);

/* Return the argument NAME of C, a call of a tool, or NULL if it is not given. */
const struct value *mcp_call_arg(const struct mcp_call *c, const char *name);

/* Let the program ARGV[0] of the suite work for C, the first of the queue. Then
 * call THEN, which finds the ended program in m->ended. */
void mcp_call_run(struct mcp *m, struct mcp_call *c, const char **argv,
		  const char *input, size_t len, int ms, mcp_call_fn *then);

/* Like mcp_call_run(), but by a program that answers LINE, of LEN bytes with its
 * newline, and stays for the next call. It is started if it does not run. */
void mcp_call_serve(struct mcp *m, struct mcp_call *c, const char **argv,
		    const char *line, size_t len, int ms, mcp_call_fn *then);

/* Ask the user MESSAGE through the form of the legacy client. Then call THEN, which
 * finds the answer in c->action. */
void mcp_call_ask(struct mcp *m, struct mcp_call *c, const char *message,
		  mcp_call_fn *then);

/* Return the number of calls that wait for the user. */
size_t mcp_asking(const struct mcp *m);

/* Append the name and version of the server. */
void mcp_about(struct buf *out, const char *key, const struct mcp_era *era);

/* Append the params of elicitation/create for MESSAGE: a form with one yes or no. */
void mcp_question(struct buf *out, const struct mcp_era *era,
		  const char *message);

/* Report the progress of C, if the client wants it. */
void mcp_call_progress(struct mcp *m, struct mcp_call *c, int step, int steps,
		       const char *message);

/* Put C aside until the session ends; append the id of its subscription. */
void mcp_listen(struct mcp *m, struct mcp_call *c);
void mcp_add_subscription(struct buf *out, const struct mcp_call *c);

/* Put C at the end of the queue, to be started by THEN. */
void mcp_queue(struct mcp *m, struct mcp_call *c, mcp_call_fn *then);

/* Serve the queue as far as possible without waiting. */
void mcp_serve(struct mcp *m);

/* Continue to serve the queue after the working program has ended or answered. */
void mcp_worked(struct mcp *m);

/* Process the client's answer to one of our questions. An answer to no question is
 * dropped. */
void mcp_answered(struct mcp *m, const struct rpc *answer);

/* Cancel the call ID for the client. */
void mcp_cancel(struct mcp *m, const struct value *id);

/* End the session after the client's last message. Nobody is asked any more, and
 * calls that wait for the user are answered without them. If ANSWER is false, the
 * client is gone: calls that only answer are dropped, and those that change
 * something are done. */
void mcp_end(struct mcp *m, bool answer);

void mcp_release(struct mcp *m);
int mcp_idle_patience(const struct mcp *m);

/* Start the program that makes vectors if it is time, and see whether it has
 * ended; see idle.c. */
void mcp_idle_look(struct mcp *m);

/* Append what the tools are for, how many drafts wait, and as much of the
 * always-loaded context as fits, marked (see text/injected.h). The last two are
 * left out if a hook gives them to CLIENT (see struct mcp_era, agent/delivery.h).
 * Errors go to R. */
void mcp_instructions(struct buf *out, const char *client,
		      const struct report *r);

#endif
