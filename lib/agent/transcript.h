/* transcript.h: what a person said, read from an agent's own record.
 *
 * Each agent keeps its sessions in a format of its own, JSON lines that grow
 * with each release: what is known is read, the rest passed by, and lines that
 * are broken, half written or longer than TRANSCRIPT_LINE_MAX are counted.
 *
 *	claude   ~/.claude/projects/.../SESSION.jsonl
 *	codex    ~/.codex/sessions/.../rollout-....jsonl
 *	gemini   ~/.gemini/tmp/.../chats/session-....jsonl, older ones .json
 *
 * What the agent's program itself put into the person's mouth is left out:
 * results of tools, hooks, commands, compacted history, side chains.
 */
#ifndef CO_AGENT_TRANSCRIPT_H
#define CO_AGENT_TRANSCRIPT_H

#include "agent/agent.h"
#include "base/err.h"
#include "base/spool.h"

#define TRANSCRIPT_LINE_MAX ((size_t)16 * 1024 * 1024)
#define TRANSCRIPT_SAID_MAX ((size_t)64 * 1024 * 1024) /* bytes, of all */

/* In what gemini's model writes of a session that was compressed, and which
 * then stands there as if a person had said it. */
#define TRANSCRIPT_SNAPSHOT "<state_snapshot>"

struct said {
	const char *text;
	size_t len;
};

struct transcript {
	struct said *items; /* in order; in the arena */
	size_t n;
	size_t skipped;	    /* lines that could not be read */
	struct spool texts; /* of items */
};

/* Read the record of AGENT at PATH into T, which lives in A, but for what
 * transcript_release() releases.  ERR_DATA: a link, no regular file, or no JSON
 * of the older form; ERR_SYSTEM; ERR_NO: absent. */
int transcript_read(struct transcript *t, enum agent agent, const char *path,
		    struct arena *a, struct err *e);

void transcript_release(struct transcript *t);

/* Open the record at PATH, which is a regular file; yours.  Errors as above. */
int transcript_open(const char *path, struct err *e);

#endif
