/* command.h: a command's table, and the table as text.
 *
 * A command describes itself once, in a static struct cmd: the only source for
 * parsing, -h, --spec, completion, `co help` and the test of its manual.
 */
#ifndef CO_CLI_COMMAND_H
#define CO_CLI_COMMAND_H

#include "base/buf.h"
#include "base/strings.h"

enum opt_kind {
	OPT_END,
	OPT_FLAG,   /* bool *: set true */
	OPT_SWITCH, /* const char **: "true", or what =true or =false says */
	OPT_STR,    /* const char **: the last one counts */
	OPT_LIST,   /* struct strings *: each is kept */
	OPT_TAGS,   /* struct strings *: each is kept, several with commas */
	OPT_COUNT,  /* size_t *: a decimal number */
	OPT_WORD    /* const char **: one of `words` */
};

struct opt {
	enum opt_kind kind;
	char letter;	  /* 0 when there is none */
	const char *name; /* without dashes; NULL when there is only a letter */
	void *to;
	const char *arg;   /* what the manual calls the value: "TAG" */
	const char *words; /* OPT_WORD: "id|created" */
	const char *help;  /* one line, lower case, no full stop */
};

struct cmd {
	const char *name;	     /* "co-memory-save" */
	const char *summary;	     /* one line, lower case, no full stop */
	const char *const *synopsis; /* lines after the name, NULL ends them */
	const char *operands; /* one word each, as in "PATTERN [PATH...]": that
	                       * many are taken, any number where one ends in
	                       * "...", none when NULL */
	const char *input;    /* what standard input means; NULL for nothing */
	const struct opt *opts; /* OPT_END ends them */
	const char *hint; /* printed when an operand is wrong or names nothing,
	                   * as "'co list' shows the memories"; may be NULL */
	bool plumbing;	  /* though its name has one word: it serves programs */
};

/* For the tables: options as every command spells them; cli_quiet is cli.h's. */
#define OPT_GLOBAL(to)                                                      \
	{                                                                   \
		OPT_FLAG, 0, "global", to, NULL, NULL,                      \
			"work on the user's store instead of the project's" \
	}
#define OPT_Z(to)                                                            \
	{                                                                    \
		OPT_FLAG, 'z', "null", to, NULL, NULL,                       \
			"end paths, in and out, with NUL instead of newline" \
	}

#define OPT_QUIET                                               \
	{                                                       \
		OPT_FLAG, 'q', "quiet", &cli_quiet, NULL, NULL, \
			"print nothing but what goes wrong"     \
	}
#define OPT_DRY_RUN(to)                                                \
	{                                                              \
		OPT_FLAG, 'n', "dry-run", to, NULL, NULL,              \
			"print what would be done, and change nothing" \
	}
#define OPT_COLOR(to)                                                      \
	{                                                                  \
		OPT_WORD, 0, "color", to, "WHEN", "auto|always|never",     \
			"colour what is printed: auto, on a terminal, as " \
			"without it"                                       \
	}

/* Append the summary for people, -h. */
void command_help(struct buf *out, const struct cmd *c);

/* Append the table for programs, --spec: lines of fields between tabs, as
 * co-json(5) lists them. */
void command_spec(struct buf *out, const struct cmd *c);

#endif
