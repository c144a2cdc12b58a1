/* remote.h: ask the program that speaks to the server of a remote index, push a commit to
 * it, and search it.
 *
 * The program is `co-remote-postgres`, or remote.command of the user's settings. Each
 * run answers one request: JSON lines on its standard input and output. It gets the
 * address of the server in the environment variable CO_REMOTE_URL, and the time that it
 * has in CO_REMOTE_TIMEOUT_MS. Its last line has "ok": true, or "ok": false and an error
 * of a known kind. All that it prints is untrusted.
 *
 * A search that fails leaves a mark in the cache directory, so that the next searches do
 * not ask again for REMOTE_PAUSE seconds.
 */
#ifndef CO_REMOTE_REMOTE_H
#define CO_REMOTE_REMOTE_H

#include "base/arena.h"
#include "base/sha256.h"
#include "base/strings.h"
#include "format/value.h"
#include "repo/record.h"
#include "repo/settings.h"
#include "store/store.h"
#include "sys/process.h"

#define REMOTE_PAUSE 30				/* seconds */
#define REMOTE_NAME_MAX 128			/* bytes of a project's name */
#define REMOTE_PROJECTS_MAX 64			/* of one question */
#define REMOTE_HITS_MAX 100			/* of one question */
#define REMOTE_QUESTION_MAX ((size_t)64 * 1024) /* bytes */
#define REMOTE_ANSWER_MAX ((size_t)16 * 1024 * 1024) /* bytes */
#define REMOTE_COMMAND_MS 10000 /* for describe, purge and others */
#define REMOTE_PUSH_MS 600000

/* The settings of the user. */
struct remote {
	const char *url;	    /* "": none is set */
	const char *const *command; /* never empty */
	const char *argv0;	    /* argv[0] of this program */
	int timeout_ms;		    /* of a question */
	bool always;		    /* each recall asks */
	struct remote_project {
		const char
			*id; /* of the user's project; NULL: of others only */
		const char *name; /* on the server */
	} * projects;
	size_t nprojects;
};

/* Read the user's settings into R, in A. Return 0, or -1: ERR_USAGE if neither a URL
 * nor a command is set (all else of R is then set), or ERR_SYSTEM. */
int remote_open(struct remote *r, const char *argv0, struct arena *a,
		const struct report *report, struct err *e);

/* Return the name on the server of the project with ID; NULL if it has none. */
const char *remote_name_of(const struct remote *r, const char *id);

/* Return true if NAME can be that of a project: letters, digits, '.', '_', '-' and '/'
 * inside. */
bool remote_is_name(const char *name);

/* Return true if TEXT is the whole name of a commit, with SHA-1 or SHA-256. */
bool remote_is_commit(const char *text);

enum remote_fault {
	REMOTE_NONE,
	REMOTE_UNREACHABLE,
	REMOTE_REFUSED,
	REMOTE_SCHEMA,
	REMOTE_TIMEOUT,
	REMOTE_LIMIT,
	REMOTE_INVALID,
	REMOTE_CONFLICT,
	REMOTE_INTERNAL,
	REMOTE_NONSENSE, /* not an answer as described above */
	REMOTE_ABSENT	 /* the program cannot be run */
};

/* An answer, in an arena. */
struct remote_reply {
	struct value *lines; /* N objects, then the last line */
	size_t n;
	struct value last;
	enum remote_fault fault;
};

/* Start the program of R with a question as C, which is zeroed. It may take
 * r->timeout_ms, and its answer is limited so that it is read in some milliseconds.
 * Return 0 or -1 with ERR_HELPER. End with remote_finish(). */
int remote_start(const struct remote *r, const struct buf *question,
		 struct process *c, struct err *e);

/* Wait for C and read its answer into OUT, in A. Release C. Return 0; or -1 with
 * out->fault set, and ERR_BUSY for a conflict, else ERR_HELPER. */
int remote_finish(const struct remote *r, struct process *c,
		  struct remote_reply *out, struct arena *a, struct err *e);

/* Run the program of R with REQUEST, for at most MS milliseconds, and read its answer as
 * remote_finish() does. */
int remote_ask(const struct remote *r, const struct buf *request, int ms,
	       struct remote_reply *out, struct arena *a, struct err *e);

/* Return true if a search of R failed less than REMOTE_PAUSE seconds ago, with E set to
 * how. */
bool remote_is_paused(const struct remote *r, struct err *e);

/* Leave the mark of a failed search by FAULT; with REMOTE_NONE, remove it. Errors are
 * ignored. */
void remote_note(const struct remote *r, enum remote_fault fault);

/* Set *PROJECT to that of the store S. Return 0, or -1 with ERR_NO if it has no id.
 *
 * A project's name on the server is in the user's setting remote.projects, by the id of
 * the project. A clone brings an id, and so can be taken for a project that has it, but
 * it never brings a name. */
int remote_own_project(struct project *project, const struct store *s,
		       struct err *e);

/* Return the name on the server of the project of S, which R has; NULL if it has none. */
const char *remote_own_name(const struct remote *r, const struct store *s);

/* Give the project ID the NAME in the settings of the store USER; NULL: take its name
 * away. Return 1, 0 if nothing changed, or -1 as settings_write(). */
int remote_join(struct store *user, const char *id, const char *name,
		struct err *e);

/* What a server has of a project of the user. */
struct remote_state {
	const char *name;
	const char *commit; /* NULL: nothing was pushed, or nothing is shown */
	const char *at;	    /* when COMMIT was made */
	int64_t documents;
	bool write;	/* the user may push */
	bool own;	/* of the project of the working directory */
	int64_t behind; /* of the own one: later commits that change knowledge/; -1:
			 * not known */
};

/* All strings are in an arena. */
struct remote_status {
	const char *server, *role; /* as the program reports them; or NULL */
	int64_t schema;
	struct remote_state
		*projects; /* those of the settings, in their order */
	size_t n;
};

/* Fill S with what the server of R says of the projects of the settings. OWN is the
 * store of the project. Return 0, or -1 as remote_ask(). */
int remote_status_get(struct remote_status *s, const struct remote *r,
		      const struct store *own, struct arena *a, struct err *e);

/* Append S as a JSON object and a newline, or as lines of text for people. */
void remote_status_json(struct buf *out, const struct remote_status *s,
			const struct remote *r);
void remote_status_text(struct buf *out, const struct remote_status *s,
			const struct remote *r);

/* Make a project of a remote index have the documents of a commit.
 *
 * Only memories, items and sections of articles that a search finds unasked are sent: no
 * drafts, no trash, no sensitive, expired or replaced memories, and nothing of the user
 * store. A document that looks as if it held a secret is not sent.
 *
 * The server keeps the *basis* of what it has: all that decides which documents a commit
 * has, that is, the version of co, the tree of the store, and the time when the first of
 * them expires. If it is that of the commit, the documents are not even read. Else the
 * digest of the documents is compared. If it is equal, nothing is sent. Else the server
 * gets what it lacks, and removes what it has too much, in one transaction. A push that
 * withheld a document, and a purge, leave no basis.
 */

#define PUSH_TRIES 3 /* if others push at the same time */

struct remote_push {
	/* Set before the call: */
	struct store *store; /* of the project */
	const char *rev;     /* a commit */
	bool dry;	     /* compare, but change nothing */
	bool force; /* compare all, and replace those of another history */
	/* Called for each document that would be sent, with its path, and for each one
	 * that would be removed, with its hash and ADDED false. Or NULL. */
	void (*plan)(void *ctx, const char *what, bool added);
	void *ctx;
	const struct report *report; /* gets a document that is not sent */

	/* Results, the strings in ARENA: */
	const char *project;	 /* its name on the server */
	const char *commit, *at; /* AT: when it was made */
	char digest[SHA256_HEX];
	size_t documents, withheld; /* WITHHELD: not sent, and reported */
	size_t added, removed;
	struct arena arena;
};

/* Push as P says to R. The commit, not the work tree, says which project it is, and
 * whether that is shared. Return 1; 0 if the server had these documents already; or -1:
 * ERR_USAGE, no such commit; ERR_NO, the commit is of no project with a name on the
 * server, is not shared, or is of another history than that of the server; ERR_DATA, its
 * settings are malformed; ERR_BUSY, others pushed meanwhile; ERR_HELPER; ERR_SYSTEM.
 * Release P with remote_push_release() in every case. */
int remote_push(struct remote_push *p, const struct remote *r, struct err *e);
void remote_push_release(struct remote_push *p);

/* The part of an answer that a remote index gives, for --remote.
 *
 * It is asked while the local stores are searched. The local part of the answer is the
 * same whatever the remote index does: if that fails, or is too slow, one report says so.
 *
 * A record of a remote index has `commit` and `as_of`. Its path is not a path of this
 * machine: it is PROJECT:7, or PROJECT:knowledge/... for what has no id.
 */

struct remote_question {
	const char *text;      /* as the user typed it */
	const char **projects; /* names; none: the server chooses */
	size_t nprojects;
	size_t max;
	bool meaning; /* compare meaning, too, if the server can */
	const char
		*own; /* the name of the project of the local store, or NULL */
};

struct remote_answer {
	struct record *items; /* best first, in an arena */
	size_t n;
	bool pruned; /* the server chose which projects to search */
};

/* A zeroed one has no records. */
struct remote_part {
	struct remote_answer answer; /* its records, best first */
	const struct report *report; /* gets what fails */

	/* Used by remote-part.c only: */
	struct remote remote;
	struct remote_question question;
	struct process process;
	struct store *own;
	size_t max;
	bool asked;
	struct arena arena;
};

/* What to ask. */
struct remote_part_ask {
	const struct strings
		*names; /* values of --remote, "" for one without: none
				      * means that the user's setting decides */
	const char *query;
	size_t max;
	const char *mode;  /* unless it is "fts", by meaning as well */
	struct store *own; /* of the project; open until remote_part_finish() */
	const char *argv0; /* argv[0] of this program */
	const struct report *report;
};

/* Ask the remote index as ASK says. Do not wait. Return 0, or -1 with ERR_USAGE if the
 * names cannot be followed. */
int remote_part_begin(struct remote_part *p, const struct remote_part_ask *ask,
		      struct err *e);

/* Wait for the answer, as long as the user's setting remote.timeout_ms allows. KIND: keep
 * only records of that kind, unless NULL. */
void remote_part_end(struct remote_part *p, const char *kind);

/* Remove the records of P that are LOCAL, too. */
void remote_part_drop(struct remote_part *p, const struct record *local);

/* Remove the records of the own project that the store OWN has, in whatever version, and
 * those beyond the maximum. Note that the session of an agent that runs this program
 * reads the others. */
void remote_part_finish(struct remote_part *p);

/* Return record I of P, with a snippet in A if its content is longer than WHOLE bytes. */
struct record remote_part_record(const struct remote_part *p, size_t i,
				 size_t whole, struct arena *a);

void remote_part_release(struct remote_part *p);

/* Read the request on the descriptor FD, as co-remote-postgres(1) describes it, and
 * append the answer to OUT. URL is that of the server; NULL: none is set. ARGV0: argv[0]
 * of this program. The work takes at most MS milliseconds; 0: what its verb usually
 * takes. Return 0, or -1 if the answer is an error. Only co-remote-postgres links
 * this. */
int remote_answer_postgres(int fd, const char *url, const char *argv0,
			   int64_t ms, struct buf *out);

#endif
