/* mcp.h: a session of co mcp: the client, and the calls that are being served.
 *
 * Calls that need other programs are queued and served one after the other, so
 * that a recall finds what an earlier call saved. A call that waits for the
 * user is put aside and does not block others.
 */
#ifndef CO_MCP_MCP_H
#define CO_MCP_MCP_H

#include "agent/agent.h"
#include "mcp/frame.h"
#include "mcp/result.h"
#include "mcp/rpc.h"
#include "shown/shown.h"
#include "sys/process.h"

#define MCP_MODERN "2026-07-28"
#define MCP_LEGACY_NEWEST "2025-11-25"
#define MCP_META "io.modelcontextprotocol/"
#define MCP_ASIDE_MOST 100	     /* calls that wait, or that listen */
#define MCP_TEXT_MAX ((size_t)65536) /* bytes of a text for a command line */

struct mcp;
struct mcp_call;
struct mcp_tool;

/* The version and features of the protocol for a call. */
struct mcp_era {
	const char *version; /* versions compare as strings */
	bool modern;	     /* MCP_MODERN, without a session */
	bool elicits;	     /* the client can show its user a form */
	const char *client;  /* its name, in [a-z0-9._-]; "" if unknown */
};

/* The answers to one line that has a list of messages. */
struct mcp_batch {
	struct buf out; /* "[..." */
	size_t open;	/* calls that are not answered yet */
};

typedef void mcp_call_fn(struct mcp *m, struct mcp_call *c);

struct mcp_call {
	struct arena arena; /* for everything that the call needs */
	struct mcp_call *next;
	size_t size; /* bytes of its message */
	const struct value *id, *params;
	struct mcp_era era;
	struct mcp_batch *batch; /* NULL: a line of its own */
	bool listens;		 /* it is answered at the end of the session */
	bool watches;		 /* ... and gets changes of the context */
	bool keeps;	/* it changes something: finish it even if nobody waits
			 * for it */
	bool cancelled; /* it must not be answered */
	bool done;	/* it is answered, or need not be */
	bool asks;	/* it waits for the user */
	const struct mcp_tool *tool; /* the tool that it calls; NULL: another
				      * method */
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
	struct mcp_call *asking;  /* calls that wait for the user */
	struct mcp_call *listens; /* calls that wait for changes */
	struct process child;	  /* the program that works for the first of the
				   * queue */
	struct process ended;	  /* the program that has ended, for
				   * mcp_call.then */
	struct process recalls;	  /* the co-recall that stays, with its index
				   * open */
	struct process maker; /* the program that makes vectors, see idle.c */
	size_t indexed;	      /* stores for which that has been done */
	bool saved;	      /* something was saved since that program was
				   * started */
	int64_t heard;	      /* when the last message came, in ms of
				   * instant_monotonic_ms() */
	int64_t questions;
	bool everywhere;  /* search the user's other projects, too */
	bool ending;	  /* ask nothing, since nobody will answer */
	bool subscribed;  /* the legacy client gets changes of the context */
	struct buf stamp; /* of the context at the last look, see
			   * subscriptions.c */
	int64_t looked;	  /* time of the last look, by instant_monotonic_ms() */
	int64_t pause;	  /* from the last look to the next, in ms */
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

/* Answer C, a call of a tool, with R, and release R. mcp_call_fail() answers
 * with a failure, which is an error unless C calls a tool: WHAT, followed by what the
 * ended program printed. */
void mcp_call_reply(struct mcp *m, struct mcp_call *c, struct mcp_result *r);

/* Return true if the ended program failed and printed nothing: then what it should
 * print is neither empty nor absent. */
bool mcp_call_has_nothing(const struct mcp *m);

/* Append to R, the answer of a program that printed something, what that could not
 * read. */
void mcp_call_add_unread(const struct mcp *m, struct mcp_result *r);

/* Record in the ledger that C is answered with R. EVENT names the tool, the
 * prompt or the kind of resource. An answer without memories is not
 * recorded. */
void mcp_call_note(const struct mcp_call *c, const char *event,
		   const struct mcp_result *r);
void mcp_call_fail(struct mcp *m, struct mcp_call *c, const char *what);

/* Return the argument NAME of C, a call of a tool, or NULL if it is not given. */
const struct value *mcp_call_arg(const struct mcp_call *c, const char *name);

/* Run the program ARGV[0] of the suite for C, the first of the queue, with
 * INPUT. After MS milliseconds at most, call THEN, which finds the ended
 * program in m->ended. ARGV[0] is replaced by its path. */
void mcp_call_run(struct mcp *m, struct mcp_call *c, const char **argv,
		  const char *input, size_t len, int ms, mcp_call_fn *then);

/* Like mcp_call_run(), but by a program that stays for the next call and
 * answers LINE, of LEN bytes with its newline. It is started if it does not
 * run. */
void mcp_call_serve(struct mcp *m, struct mcp_call *c, const char **argv,
		    const char *line, size_t len, int ms, mcp_call_fn *then);

/* Ask the user MESSAGE by a form of a legacy client. Then call THEN, which
 * finds the answer in c->action. */
void mcp_call_ask(struct mcp *m, struct mcp_call *c, const char *message,
		  mcp_call_fn *then);

/* Return the number of calls that wait for the user. */
size_t mcp_asking(const struct mcp *m);

/* Append the name and version of the server. */
void mcp_about(struct buf *out, const char *key, const struct mcp_era *era);

/* Append the params of elicitation/create for MESSAGE: a form without fields,
 * so the answer is accept or decline. */
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

/* End the session after the client's last message. The user is not asked any
 * more, and calls that wait for the user are answered without a decision. If
 * ANSWER is false, the client is gone: calls that change nothing are dropped,
 * and the others are finished. */
void mcp_end(struct mcp *m, bool answer);

void mcp_release(struct mcp *m);

/* Serve a method for C: resources/list, resources/read, prompts/get and
 * completion/complete; see resources.c. Answer at once if the call is wrong or
 * needs no program, else queue it. */
void mcp_resources_list(struct mcp *m, struct mcp_call *c);
void mcp_resources_read(struct mcp *m, struct mcp_call *c);
void mcp_resources_prompt(struct mcp *m, struct mcp_call *c);
void mcp_resources_complete(struct mcp *m, struct mcp_call *c);

/* Serve the methods that tell a client of changes; see subscriptions.c. */
void mcp_subscriptions_subscribe(struct mcp *m, struct mcp_call *c);
void mcp_subscriptions_unsubscribe(struct mcp *m, struct mcp_call *c);
void mcp_subscriptions_listen(struct mcp *m, struct mcp_call *c);

/* Return how long to wait at most before mcp_subscriptions_look() and
 * mcp_idle_look(), in ms; -1 without a limit. */
int mcp_subscriptions_patience(const struct mcp *m);
int mcp_idle_patience(const struct mcp *m);

/* Look at the context if it is time, and tell the clients that listen. */
void mcp_subscriptions_look(struct mcp *m);

/* Start the program that makes vectors if it is time, and see whether it has
 * ended; see idle.c. */
void mcp_idle_look(struct mcp *m);

/* Append what the tools are for, how many drafts wait, and as much of the
 * always-loaded context as fits, marked (see text/injected.h). The last two are
 * left out if a hook gives them to CLIENT (see struct mcp_era, agent/delivery.h).
 * Errors go to R. */
void mcp_instructions(struct buf *out, const char *client,
		      const struct report *r);

/* The tools that change nothing. A tool runs programs of the suite and answers
 * with their output. If one fails, only this call fails: its answer gives the
 * reason in words that help the agent. */

/* Serve the checked call C of a tool that recalls, of one whose command prints
 * records by id, or of one that shows one memory or article. */
void mcp_tools_recall(struct mcp *m, struct mcp_call *c);
void mcp_tools_list(struct mcp *m, struct mcp_call *c);
void mcp_tools_show(struct mcp *m, struct mcp_call *c);

/* Run a program that prints the memory ID of one store as a record, then call
 * THEN. */
void mcp_tools_show_memory(struct mcp *m, struct mcp_call *c, int64_t id,
			   bool global, mcp_call_fn *then);

/* After mcp_tools_show_memory(): return true if the store has that memory, but it
 * is not for agents. */
bool mcp_tools_shown(const struct mcp *m);

/* Run a program that prints the article FILE as a record, then call THEN. It is
 * the project's, else the user's; or, unless SCOPE is NULL, only that of SCOPE,
 * "project" or "global". If there is none, nothing is printed. */
void mcp_tools_show_article(struct mcp *m, struct mcp_call *c, const char *file,
			    const char *scope, mcp_call_fn *then);

/* The tools that save: an agent proposes, and its user decides.
 *
 * A proposal is first saved as a draft, so nothing is lost whatever happens
 * next. Then the user is asked, if the client can ask. A yes makes the draft a
 * memory, a no moves it to the trash, and without an answer it waits for `co
 * review`. If the user's settings let the client ask by itself (save.approval),
 * and it is known to ask a person, the memory is saved at once.
 *
 * Only the user decides. A no that comes sooner than a person can read does not
 * count. The user is not asked about a text that the client does not show
 * whole. */

/* Serve the checked call C of a tool that proposes a memory, or an article. */
void mcp_save_memory(struct mcp *m, struct mcp_call *c);
void mcp_save_article(struct mcp *m, struct mcp_call *c);

/* Append the "outputSchema" of both tools. */
void mcp_save_schema(struct buf *out);

/* Return true if the user's settings let the client ask, and the client of ERA
 * is known to ask a person. The list of tools then tells it that the tool wants
 * that. */
bool mcp_save_approving(struct mcp *m, const struct mcp_era *era);

/* The ledger of what the server shows; see shown/shown.h. */

/* Return the agent whose client has the name CLIENT, or NULL. */
const struct agent *mcp_shown_agent(const char *client);

/* Return the id of the session of AGENT that runs the server, from the environment,
 * or NULL. */
const char *mcp_shown_session(const struct agent *agent);

/* Note that S, which has no agent and no session yet, was shown to CLIENT. */
void mcp_shown_note(const char *client, const struct shown *s);

#endif
