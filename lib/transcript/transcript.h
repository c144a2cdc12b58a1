/* transcript.h: read an agent's record of a conversation as turns.
 *
 * Each agent stores its sessions in its own format, which grows with each
 * release. Known lines are read, others ignored; lines that are malformed or
 * too long are counted. Only one line is in memory at a time; the words of
 * gemini, which changes earlier messages, are in a file.
 *
 * 	claude    ~/.claude/projects/.../SESSION.jsonl
 * 	codex     ~/.codex/sessions/.../rollout-....jsonl
 * 	gemini    ~/.gemini/tmp/.../chats/session-....jsonl, older ones .json
 * 	opencode  ~/.local/share/opencode/opencode.db#SESSION
 * 	copilot   ~/.copilot/session-state/SESSION/events.jsonl
 * 	qwen      ~/.qwen/projects/.../chats/SESSION.jsonl
 * 	continue  ~/.continue/sessions/SESSION.json
 * 	aider     .aider.chat.history.md
 * 	pi        ~/.pi/agent/sessions/.../..._SESSION.jsonl
 * 	cline     ~/.cline/data/sessions/SESSION/SESSION.messages.json, and of
 * 	          editors, .../saoudrizwan.claude-dev/tasks/.../ui_messages.json
 * 	roo       .../rooveterinaryinc.roo-cline/tasks/.../ui_messages.json
 * 	goose     ~/.local/share/goose/sessions/sessions.db#SESSION
 * 	crush     .../.crush/crush.db#SESSION
 * 	cursor    .../Cursor/User/globalStorage/state.vscdb#SESSION
 * 	kiro      ~/.kiro/sessions/cli/SESSION.jsonl, older ones
 * 	          in a database in ~/.local/share/kiro-cli, with #SESSION
 * 	amp       ~/.local/share/amp/threads/T-....json
 * 	zed       ~/.local/share/zed/threads/threads.db#SESSION
 * 	text      any text: one turn without a role
 */
#ifndef CO_TRANSCRIPT_TRANSCRIPT_H
#define CO_TRANSCRIPT_TRANSCRIPT_H

#include "reader/reader.h"

/* Return "claude|codex|...", the names of all formats but text. It is static, and made
 * by the first call, which must be in the main thread. */
const char *transcript_agents(void);

const char *transcript_format_name(enum transcript_format f);

/* Set *F to the format called NAME. Return false if there is none. */
bool transcript_format_find(const char *name, enum transcript_format *f);

struct transcript {
	int fd;
	char *path;    /* its name in messages */
	char *session; /* one in a database, or NULL */
	enum transcript_format format;
	bool errors;	 /* set it to also get what failed tools printed, with
			 * the role TURN_TOOL */
	size_t skipped;	 /* lines that the last reading could not read */
	size_t overlong; /* number of the first that was too long; 0: none */
	size_t messages; /* that it understood, also those without a turn */
};

/* Open the record at PATH, or PATH#SESSION, as another program gives it: it
 * must be a regular file, not a link. The caller sets T->format or calls
 * transcript_detect(), then reads as often as it wants, and closes T. Return 0,
 * or -1, with nothing to close: ERR_DATA if it is something else, ERR_NO if it
 * is absent, ERR_SYSTEM. */
int transcript_open(struct transcript *t, const char *path, struct err *e);

/* Like transcript_open(), for the operand of a command: a file or a link to
 * one, a pipe, "-" for standard input, or PATH#SESSION. Return 0, or -1:
 * ERR_DATA if it is a directory, ERR_SYSTEM, also if it is absent. */
int transcript_open_operand(struct transcript *t, const char *operand,
			    struct err *e);

/* Set the format from the contents of T. Return 0, or -1 (ERR_SYSTEM). */
int transcript_detect(struct transcript *t, struct err *e);

/* Return how many conversations the file of T, whose format is set, may have: 0
 * for text that is no agent's record, 1, or 2 for several. A database always
 * counts as several, even if T names one session. -1: ERR_SYSTEM. */
int transcript_count(struct transcript *t, struct err *e);

/* Return 1 if T, whose format is set, is the record of a request that the suite
 * itself made to a model (see text/injected.h), 0 if not or if it is plain
 * text, or -1 as transcript_each(). Reads only up to the first answer. */
int transcript_is_request(struct transcript *t, struct err *e);

/* Call FN with each turn of T, whose format is set, from the first on. Sets
 * T->skipped. Return 0, 1 if FN stopped it, or -1: ERR_DATA, ERR_SYSTEM, or
 * FN's error. */
int transcript_each(struct transcript *t, turn_fn *fn, void *ctx,
		    struct err *e);

/* Like transcript_each(), for the turns after PLACE. Set PLACE to the end of
 * the record; it is zeroed for a format, or a record, that must be read anew
 * when it has changed. Return 2, without turns, if turns before PLACE may have
 * been taken back: read it again from the start. */
int transcript_each_new(struct transcript *t, struct transcript_place *place,
			turn_fn *fn, void *ctx, struct err *e);

/* If the last reading of T skipped a line that is too long, set E to a message that
 * names the first one, and return true. */
bool transcript_is_overlong(const struct transcript *t, struct err *e);

void transcript_close(struct transcript *t);

#endif
