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
};

/* Begins as zeros; all lives in the arena. */
struct sessions {
	struct session *items;
	size_t n, cap;
	struct arena *a;
};

#endif
