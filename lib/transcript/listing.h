/* listing.h: find the conversations that agents have stored on this machine, and list
 * those of a project, or of all projects. */
#ifndef CO_TRANSCRIPT_LISTING_H
#define CO_TRANSCRIPT_LISTING_H

#include "base/arena.h"
#include "base/instant.h"
#include "base/strings.h"
#include "transcript/transcript.h"

#include <sys/stat.h>

struct session {
	const char *path; /* absolute; of a database, followed by #SESSION */
	enum transcript_format agent;
	const char *id;	     /* NULL if not known, as is project */
	const char *project; /* the directory in which it was started */
	struct instant start, end;
	bool has_start; /* the end is always known */
	uint64_t bytes;
	bool known; /* see struct sessions: only path, agent, bytes and end, the
		     * time of the last write, are set */
	bool maybe_request; /* transcript_is_request() must check it */
	bool ours; /* it belongs to this project; set by listing_find() */
};

/* Zero it and set A, which gets all strings. */
struct sessions {
	struct session *items;
	size_t n, cap;
	struct arena *a;
	/* If set, gets an error for each record that cannot be read or is no
	 * regular file. listing_add() fails then only for directories and
	 * databases. */
	const struct report *report;
	/* If set, return true for a record, whose stat is ST, that need not be
	 * opened; and for a database, whose sessions are left out then. */
	bool (*is_known)(void *ctx, const char *path, const struct stat *st);
	bool (*is_known_database)(void *ctx, const char *path,
				  const struct stat *st);
	void *ctx;
};

/* Add the sessions of AGENT to S. Aider stores its own in the project, so the
 * directory PROJECT is searched. Return 0, or -1: ERR_SYSTEM if a directory
 * cannot be read (S has the others), ERR_DATA or ERR_BUSY if a database cannot
 * be read. */
int listing_add(struct sessions *s, enum transcript_format agent,
		const char *project, struct err *e);

/* Return the path of the record with ID, in A, for agents that name records by
 * it, such as copilot. Return NULL for others, or if it is not known. */
const char *listing_record(enum transcript_format agent, const char *id,
			   struct arena *a);

/* Return the id of the session of T, whose format is set, in A; NULL if it is not
 * known. */
const char *listing_session_id(const struct transcript *t, struct arena *a);

/* Add to EARLIER, in A, the ids of the sessions that the session ID of AGENT continues,
 * as far as its record at PATH names them. */
void listing_earlier(enum transcript_format agent, const char *path,
		     const char *id, struct strings *earlier, struct arena *a);

/* Return the `#` in the path of S before its id, if it is one of several in a database;
 * else NULL. */
const char *listing_mark(const struct session *s);

void listing_release(struct sessions *s);

/* The directories whose conversations belong to a project: its own and the current
 * one; then both as the user names them if that is through a link, or NULL. Some
 * agents record such a name. */
struct listing_dirs {
	const char *path[4];
};

/* Set D to those of the directory PROJECT; NULL: of the current project. Strings
 * are in A. Return 0, or -1 if it cannot be found. */
int listing_dirs(struct listing_dirs *d, const char *project, struct arena *a,
		 struct err *e);

/* Return true if S, whose project is set, belongs to D. */
bool listing_is_ours(const struct session *s, const struct listing_dirs *d);

/* Return true if S is the record of a request that the suite itself made. A
 * record that cannot be read is none; its reader reports it. */
bool listing_is_request(const struct session *s);

struct listing {
	const char *project; /* a directory; NULL: the current project */
	bool all;	     /* also those of other projects, last */
	const char *agent;   /* only of this agent; or NULL */
	const struct instant *since; /* only those that ended then or later; or
				      * NULL */
};

/* Fill S, in its arena, with the sessions that L wants, except requests of the
 * suite itself: this project's first, then by end, newest first. Agents whose
 * sessions cannot be read are reported to R. Return 0, or -1 if the project
 * cannot be found. */
int listing_find(struct sessions *s, const struct listing *l,
		 const struct report *r, struct err *e);

/* Return how many sessions listing_find() finds for the current project; 0 also if it
 * fails. */
size_t listing_count(void);

#endif
