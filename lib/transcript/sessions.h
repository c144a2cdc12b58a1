/* sessions.h: the conversations that agents keep on this machine. */
#ifndef CO_TRANSCRIPT_SESSIONS_H
#define CO_TRANSCRIPT_SESSIONS_H

#include "base/arena.h"
#include "base/instant.h"
#include "transcript/transcript.h"

struct session {
	const char *path; /* absolute; opencode's with #SESSION behind */
	enum transcript_format agent;
	const char *id;	     /* these are NULL where nobody knows */
	const char *project; /* the folder that it was begun in */
	struct instant start, end;
	bool has_start; /* the end is known always */
	uint64_t bytes;
	bool maybe_request; /* worth a call of transcript_is_request() */
};

/* Begins as zeros; all lives in the arena. */
struct sessions {
	struct session *items;
	size_t n, cap;
	struct arena *a;
};

/* Find those of the agent, and add them.  Aider keeps its own in the project, so
 * it is looked for in the folder PROJECT.  ERR_SYSTEM: a folder cannot be read;
 * what of it could, is there.  ERR_DATA, ERR_BUSY: a database cannot be. */
int sessions_find(struct sessions *s, enum transcript_format agent,
		  const char *project, struct err *e);

/* Where the agent keeps the session ID, in A: of copilot and opencode, whose
 * records are named by it; else, and where nobody knows, NULL. */
const char *sessions_record(enum transcript_format agent, const char *id,
			    struct arena *a);

/* True if S was begun in FOLDER, or in one below. */
bool sessions_is_in(const struct session *s, const char *folder);

void sessions_release(struct sessions *s);

#endif
