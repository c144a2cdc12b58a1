/* reader.h: the table of the agents whose records can be read. Each has a module
 * of this directory.
 */
#ifndef CO_READER_READER_H
#define CO_READER_READER_H

#include "turns/database.h"

enum transcript_format {
	TRANSCRIPT_CLAUDE,
	TRANSCRIPT_CODEX,
	TRANSCRIPT_GEMINI,
	TRANSCRIPT_OPENCODE,
	TRANSCRIPT_COPILOT,
	TRANSCRIPT_QWEN,
	TRANSCRIPT_CONTINUE,
	TRANSCRIPT_AIDER,
	TRANSCRIPT_PI,
	TRANSCRIPT_CLINE,
	TRANSCRIPT_ROO,
	TRANSCRIPT_GOOSE,
	TRANSCRIPT_CRUSH,
	TRANSCRIPT_CURSOR,
	TRANSCRIPT_KIRO,
	TRANSCRIPT_AMP,
	TRANSCRIPT_ZED,
	TRANSCRIPT_TEXT
};

/* Marks the model's summary of a compressed session of Gemini CLI, whose record
 * attributes it to the user. */
#define GEMINI_SNAPSHOT "<state_snapshot>"

/* How well a value fits the records of an agent. */
enum reader_match {
	READER_NO,
	READER_PERHAPS, /* unless a later line is likely or sure */
	READER_LIKELY,	/* unless another agent is sure of the same value */
	READER_SURE
};

struct reader {
	const char *name;

	/* Return whether V, a line or a whole record, is this agent's. NULL: never.
	 * If several are equally sure, the first of the table is taken. */
	enum reader_match (*match)(const struct value *v);

	/* Its records are text that begins with this. NULL: they are not. */
	const char *begins;

	/* The command that resumes a session, to which the id is appended unless it
	 * resumes the last session. NULL: there is none. */
	const char *resume;
	bool resumes_last;

	/* Its tools that bring text from outside, as its hooks match them: names, or
	 * beginnings and ".*", with | between; and further ones that only its
	 * records name. NULL: none. */
	const char *outside, *recorded;

	/* Pass each turn of the record to RD's callback. Return 0, 1 if the
	 * callback stopped it, or -1: ERR_DATA, also for an unknown version,
	 * ERR_SYSTEM, or as database_read(). */
	int (*read)(struct reading *rd);

	/* Like READ, for RD's session in a database. NULL: there are none. If
	 * READ is NULL, all records are databases. */
	int (*read_session)(struct reading *rd, struct database *db);

	/* Queries for the sessions in a database that no other session started
	 * (see database_each_session()); the old one is for databases that do not
	 * answer the other. NULL: none. */
	const char *sessions, *old_sessions;

	/* Set rd->own, which points to a string, to the directory of RD's
	 * session, which the query does not know. It is valid until RD reads
	 * again, and stays NULL if it is unknown. NULL: only the query knows
	 * directories. */
	int (*find_directory)(struct reading *rd, struct database *db);

	/* Its records can be read from a place (see turns/turn.h). */
	bool continues;

	/* A query that only its database answers. */
	const char *probe;

	/* Its records are told apart by their directories, not their names. */
	bool by_directory;

	/* Return how many sessions the record FD, called PATH in messages, has:
	 * 0, 1, 2 for two or more, or -1 (ERR_SYSTEM). NULL: one. */
	int (*count)(int fd, const char *path, struct err *e);
};

/* The rows; each is defined by the module of its agent. */
extern const struct reader reader_claude, reader_codex, reader_gemini,
	reader_opencode, reader_copilot, reader_qwen, reader_continue,
	reader_aider, reader_pi, reader_cline, reader_roo, reader_goose,
	reader_crush, reader_cursor, reader_kiro, reader_amp, reader_zed,
	reader_text;

/* Return the reader of F. */
const struct reader *reader_of(enum transcript_format f);

/* Pass each turn of the record to RD's callback: see struct reader. */
int reader_read(const struct reader *r, struct reading *rd);

/* Call FN for each session in the database at PATH of an agent that has them: see
 * database_each_session(). */
int reader_each_session(const struct reader *r, const char *path,
			stored_session_fn *fn, void *ctx, struct err *e);

/* Return the tools of AGENT, a name of the table, that bring text from outside, as its
 * hooks match them: names, or beginnings and ".*", with | between. NULL: none. */
const char *reader_outside_tools(const char *agent);

/* Return true if the tool NAME is in LIST, of reader_outside_tools() or NULL. Tools of
 * co's own server never are. */
bool reader_outside_matches(const char *list, const char *name);

/* Return true if a tool that the record of a conversation calls NAME brings text from
 * outside. The names of all agents are compared: no agent has another tool with one of
 * these names. */
bool reader_is_outside_tool(const char *name);

/* Append "zstd VERSION", or "no zstd" in a build without that library. */
void reader_library(struct buf *out);

#endif
