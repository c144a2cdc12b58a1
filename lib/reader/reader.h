/* reader.h: the table of the agents whose records can be read. Each has a module
 * of this directory.
 */
#ifndef CO_READER_READER_H
#define CO_READER_READER_H

#include "turns/database.h"
#include "turns/reading.h"

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
	TRANSCRIPT_TEXT
};

/* Marks the model's summary of a compressed session of Gemini CLI, whose record
 * attributes it to the user. */
#define GEMINI_SNAPSHOT "<state_snapshot>"

struct reader {
	const char *name;

	/* Pass each turn of the record to RD's callback. Return 0, 1 if the
	 * callback stopped it, or -1: ERR_DATA, also for an unknown version,
	 * ERR_SYSTEM, or as database_read(). */
	int (*read)(struct reading *rd);

	/* Call FN for each session of the database at PATH that was not started
	 * by another one (see database_each_session()). NULL for an agent
	 * without a database. */
	int (*each)(const char *path, stored_session_fn *fn, void *ctx,
		    struct err *e);

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
	reader_crush, reader_cursor, reader_kiro, reader_amp, reader_text;

/* Return the reader of F. */
const struct reader *reader_of(enum transcript_format f);

#endif
