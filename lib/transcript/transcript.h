/* transcript.h: an agent's own record of a conversation, read as turns.
 *
 * Each agent keeps its sessions in a format of its own that grows with each
 * release: what is known is read, the rest passed by, and lines that are broken
 * or too long are counted.  No more is held at a time than one line; of gemini,
 * which goes back to what it wrote, the words lie in a file.
 *
 *	claude    ~/.claude/projects/.../SESSION.jsonl
 *	codex     ~/.codex/sessions/.../rollout-....jsonl
 *	gemini    ~/.gemini/tmp/.../chats/session-....jsonl, older ones .json
 *	opencode  ~/.local/share/opencode/opencode.db#SESSION
 *	copilot   ~/.copilot/session-state/SESSION/events.jsonl
 *	qwen      ~/.qwen/projects/.../chats/SESSION.jsonl
 *	continue  ~/.continue/sessions/SESSION.json
 *	aider     .aider.chat.history.md
 *	text      any text: one turn of nobody's
 */
#ifndef CO_TRANSCRIPT_TRANSCRIPT_H
#define CO_TRANSCRIPT_TRANSCRIPT_H

#include "transcript/turn.h"

enum transcript_format {
	TRANSCRIPT_CLAUDE,
	TRANSCRIPT_CODEX,
	TRANSCRIPT_GEMINI,
	TRANSCRIPT_OPENCODE,
	TRANSCRIPT_COPILOT,
	TRANSCRIPT_QWEN,
	TRANSCRIPT_CONTINUE,
	TRANSCRIPT_AIDER,
	TRANSCRIPT_TEXT
};

/* "claude|codex|...", for options. */
#define TRANSCRIPT_FORMATS \
	"claude|codex|gemini|opencode|copilot|qwen|continue|aider|text"

const char *transcript_format_name(enum transcript_format f);

/* True if NAME is one's name; *F gets it. */
bool transcript_format_find(const char *name, enum transcript_format *f);

struct transcript {
	int fd;
	char *path;    /* what sentences call it */
	char *session; /* opencode's, or NULL */
	enum transcript_format format;
	size_t skipped; /* lines that could not be read */
};

/* Open the record at PATH, as another program names it: a regular file, and no
 * link, or PATH#SESSION.  ERR_DATA: it is something else; ERR_NO: absent;
 * ERR_SYSTEM. */
int transcript_open(struct transcript *t, const char *path, struct err *e);

/* Open what a person names: a file, a pipe, "-" for standard input, or
 * PATH#SESSION.  Absent: ERR_SYSTEM. */
int transcript_open_operand(struct transcript *t, const char *operand,
			    struct err *e);

/* Set the format by what T holds. */
int transcript_detect(struct transcript *t, struct err *e);

/* Count the conversations that the file of T holds, whose format is set: 0 for text
 * that is no agent's record, 1, 2 for several, and for a database always.  -1:
 * ERR_SYSTEM. */
int transcript_count(struct transcript *t, struct err *e);

/* Say whether T, whose format is set, is the record of a request that the suite
 * itself gave to a model: see text/request-mark.h.  1, 0, also for text that is no
 * agent's record, or -1 as transcript_each().  Reads no further than the first
 * answer. */
int transcript_is_request(struct transcript *t, struct err *e);

/* Call FN with each turn, in order, as T's format has them.  1 where FN stopped
 * it, 0, -1: ERR_DATA, ERR_SYSTEM, or FN's. */
int transcript_each(struct transcript *t, turn_fn *fn, void *ctx,
		    struct err *e);

void transcript_close(struct transcript *t);

#endif
