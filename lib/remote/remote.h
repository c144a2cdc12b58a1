/* remote.h: ask the program that speaks to the server of a remote index.
 *
 * The program is `co-remote-postgres`, or remote.command of the user's settings. Each run
 * answers one request: JSON lines on its standard input and output. It gets the address of
 * the server in the environment variable CO_REMOTE_URL, and the time that it has in
 * CO_REMOTE_TIMEOUT_MS. Its last line has "ok": true, or "ok": false and an error of a
 * known kind. All that it prints is untrusted.
 *
 * A search that fails leaves a mark in the cache directory, so that the next searches do
 * not ask again for REMOTE_PAUSE seconds.
 */
#ifndef CO_REMOTE_REMOTE_H
#define CO_REMOTE_REMOTE_H

#include "base/arena.h"
#include "format/value.h"
#include "repo/project-id.h"
#include "repo/settings.h"
#include "store/store.h"
#include "sys/helper.h"

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

/* Start the program of R with a question as C, which is zeroed. It may take r->timeout_ms,
 * and its answer is limited so that it is read in some milliseconds. Return 0 or -1 with
 * ERR_HELPER. End with remote_finish(). */
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
 * the project. A clone brings an id, and so can be taken for a project that has it, but it
 * never brings a name. */
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

#endif
