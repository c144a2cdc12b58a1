/* sessions.h: find the conversations that agents have stored on this
 * machine. */
#ifndef CO_TRANSCRIPT_SESSIONS_H
#define CO_TRANSCRIPT_SESSIONS_H

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
};

/* Zero it and set A, which gets all strings. */
struct sessions {
	struct session *items;
	size_t n, cap;
	struct arena *a;
	/* If set, gets an error for each record that cannot be read or is no
	 * regular file. sessions_find() fails then only for directories and
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
int sessions_find(struct sessions *s, enum transcript_format agent,
		  const char *project, struct err *e);

/* Return the path of the record with ID, in A, for agents that name records by
 * it, such as copilot. Return NULL for others, or if it is not known. */
const char *sessions_record(enum transcript_format agent, const char *id,
			    struct arena *a);

/* Add to EARLIER, in A, the ids of the sessions that the session ID of AGENT continues, as
 * far as its record at PATH names them. */
void sessions_earlier(enum transcript_format agent, const char *path,
		      const char *id, struct strings *earlier, struct arena *a);

/* Return the `#` in the path of S before its id, if it is one of several in a database;
 * else NULL. */
const char *sessions_mark(const struct session *s);

/* Return true if S was started in FOLDER or below. */
bool sessions_is_in(const struct session *s, const char *folder);

void sessions_release(struct sessions *s);

#endif
