/* harvest.h: list and read conversations, and extract items from one after
 * another.
 *
 * If a conversation fails, it is kept, reported and recorded in the ledger, and
 * the run continues. A conversation that the ledger (ledger.h) has as harvested
 * is not sent to the model again. request.h has the prompts.
 */
#ifndef CO_HARVEST_HARVEST_H
#define CO_HARVEST_HARVEST_H

#include "base/buf.h"
#include "base/err.h"
#include "harvest/ledger.h"
#include "harvest/reply.h"
#include "harvest/request.h"
#include "model/llm.h"
#include "store/store.h"

/* A scan lists the conversations, and decides what may be done with each.
 *
 * A folder in the first layout has conversations/, with one index or more, and
 * splits/, parts of files. The first matching rule counts:
 *
 *	an index, or NAME.run                        live
 *	named in index-saved-conversations-*.json    user-kept
 *	of a file, by file-index-*.json              live; harvest if it is gone
 *	NAME-UUID, UUID-NAME                         harvest
 *	latest-NAME                                  live
 *	anything else                                keep
 *
 * A split whose file is gone or has changed is pruned.
 *
 * A file is gone only if the system reports it as absent: see file_is_gone().
 * If the file cannot be read, or no file is named, the conversation is kept. A
 * relative path in an index is tried relative to the root's directory and to
 * the root. It can only protect a conversation, never condemn it, because the
 * index may have been written elsewhere. If an index cannot be read, all
 * conversations next to it are kept.
 */
enum scan_kind { SCAN_CONVERSATION, SCAN_INDEX, SCAN_SPLIT };

/* In alphabetical order. */
enum scan_class {
	SCAN_HARVEST,
	SCAN_KEEP,
	SCAN_LIVE,
	SCAN_PRUNE,
	SCAN_USER_KEPT
};
#define SCAN_CLASSES 5

const char *harvest_scan_kind_name(enum scan_kind k);
const char *harvest_scan_class_name(enum scan_class c);

/* A record of an agent that is younger may still be in use. */
#define SCAN_LIVE_SECONDS 600

struct artifact {
	const char *path; /* absolute; may end in #SESSION */
	enum scan_kind kind;
	enum scan_class class;
	const char *reason;
	uint64_t size;
	const char *root; /* first-layout folder, or NULL */
	bool named;	  /* the user named this file */
	bool unsure;	  /* kept because a file cannot be read */
	bool empty;	  /* a split without any file */
};

/* Zero it, then set the arena, which holds all strings. */
struct harvest_scan {
	struct artifact *items;
	size_t n, cap;
	struct arena *a;
};

/* Add the conversations in PATH, a folder in the first layout, or the single
 * record at PATH. NAMED: the user named it. ERR_SYSTEM; ERR_DATA if it is
 * neither. */
int harvest_scan_add(struct harvest_scan *s, const char *path, bool named,
		     struct err *e);

/* Add the record at PATH, found by listing. It has SIZE bytes and its last
 * entry is from END, in seconds since 1970. */
void harvest_scan_add_listed(struct harvest_scan *s, const char *path,
			     uint64_t size, int64_t end);

void harvest_scan_release(struct harvest_scan *s);

struct harvest {
	struct store *store;
	struct llm *llm;
	const struct request_prompts *prompts;
	const struct report *report;
	/* Called with the reason why the named record at PATH is not deleted
	 * although RECLAIM is set. */
	void (*undeletable)(const char *path, const char *why);
	/* Called with each step and the label "NAME (1/2)"; may be NULL. */
	void (*progress)(const char *what, const char *label);
	bool unharvested;   /* delete without a model */
	bool reclaim;	    /* also delete records of agents that are named */
	bool drafts;	    /* save items as drafts, to be accepted */
	uint64_t max_bytes; /* of all conversations; 0: no limit */
	size_t max_calls;   /* of the model; 0: no limit */
	int64_t until;	    /* as instant_monotonic_ms(); 0: no limit */

	/* Results; zero them before the run. */
	size_t items[REPLY_KEYS];
	size_t failed, deferred, pruned_entries, calls;
	size_t requests;  /* requests of co to a model, not harvested */
	size_t undeleted; /* named, but RECLAIM cannot delete them; reported */
	uint64_t reclaimed, used;
};

/* Harvest the conversations that S classes as SCAN_HARVEST, and prune those of
 * class SCAN_PRUNE. Returns 0, or -1 if nothing was done: the ledger is
 * damaged, or ERR_NO if co itself started this program (see sys/process.h). All
 * other errors are reported and counted. */
int harvest_run(struct harvest *h, const struct harvest_scan *s, struct err *e);

/* A text whose items a model is asked for. */
struct harvest_question {
	const char *name;  /* of the text, for the model */
	const char *label; /* for H->progress */
	const char *p;
	size_t len; /* at most CONVERSATION_PART; without secrets */
};

/* Ask the model of H for the items of Q, once more if the reply is not valid,
 * within the limits of H. REPLY is allocated in A. Returns 0 or -1: ERR_HELPER,
 * or ERR_SYSTEM if a limit is reached. */
int harvest_ask(struct harvest *h, const struct harvest_question *q,
		struct arena *a, struct reply *reply, struct err *e);

/* Return 0, or -1 with ERR_NO in a program that co started, which must not ask
 * a model. */
int harvest_check_inside(struct err *e);

/* The report of co harvest: what it would do, or did. */
struct harvest_report {
	const struct harvest_scan *scan;
	const struct harvest *done; /* NULL: nothing was done yet */
	bool unharvested;
	const char *provider; /* of the model; "none" if not set */
	double price;	      /* of a million input tokens; 0: unknown */
	uint64_t tokens;      /* input tokens, approximately */
	const char *root, *ledger, *digest; /* paths; the last may be NULL */
};

/* Set the tokens of R from what was said in each candidate. A candidate that
 * cannot be read is reported, and counts with its whole size. All candidates
 * are read. */
void harvest_report_measure(struct harvest_report *r,
			    const struct report *report);

/* Append R as text, or as one JSON object. */
void harvest_report_text(struct buf *out, const struct harvest_report *r);
void harvest_report_json(struct buf *out, const struct harvest_report *r);

/* The text of a conversation as a model gets it.
 *
 * It says who said what. Secrets have already been redacted.
 */

#define CONVERSATION_PART ((size_t)64 * 1024)  /* longer: summarized */
#define CONVERSATION_MAX ((size_t)1024 * 1024) /* longer: not harvested */

struct conversation {
	struct buf name; /* "claude/SESSION", or the file's name */
	struct buf text;
	bool too_large; /* over CONVERSATION_MAX; TEXT is incomplete */
	bool request;	/* a request of co to a model; TEXT is empty */
	bool outside;	/* by its turns, the agent read text from outside */
	int64_t begun;	/* time of its first turn, in seconds; 0: not known */
	const char *agent;  /* whose record it is; NULL for plain text */
	struct buf session; /* its id; empty: not known */
	int redacted;	    /* number of secrets */
};

/* Read the conversation at PATH: plain text if PLAIN, else plain text or an
 * agent's record. PATH may also be FILE#SESSION or "-". Returns 0 (release
 * with harvest_conversation_release()) or -1: ERR_DATA if it is not text,
 * ERR_SYSTEM. */
int harvest_conversation_read(struct conversation *c, const char *path,
			      bool plain, struct err *e);
void harvest_conversation_release(struct conversation *c);

/* Return true if the file at PATH, or FILE of FILE#SESSION, may be deleted: it
 * is an agent's record and holds only this conversation. Otherwise *WHY is a
 * reason that completes "'PATH' is kept: WHY"; if the file cannot be read, *WHY
 * points into E. */
bool harvest_conversation_is_alone(const char *path, const char **why,
				   struct err *e);

/* Replace the text of C by TEXT, a summary from a model. Secrets are
 * redacted. */
int harvest_conversation_replace(struct conversation *c, struct buf *text,
				 struct err *e);

/* Set *P and *LEN to part N (from 0) of the text: at most CONVERSATION_PART
 * bytes, ending at a line end if possible. Returns false if there is no part
 * N. *P is borrowed from C. */
bool harvest_conversation_part(const struct conversation *c, size_t n,
			       const char **p, size_t *len);

#endif
