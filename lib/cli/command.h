/* command.h: the table that describes a command, and the list of all commands.
 *
 * A command describes itself once, in a static struct cmd. It is the only
 * source for parsing, -h, --spec, completion, `co help` and the test of its
 * manual.
 */
#ifndef CO_CLI_COMMAND_H
#define CO_CLI_COMMAND_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/strings.h"

struct execpath;

enum opt_kind {
	OPT_END,
	OPT_FLAG,   /* bool *: set true */
	OPT_SWITCH, /* const char **: "true", or the value of =true or =false */
	OPT_STR,    /* const char **: the last value wins */
	OPT_LIST,   /* struct strings *: each value is appended */
	OPT_TAGS,   /* struct strings *: each value, or several with commas */
	OPT_MAYBE,  /* struct strings *: each =VALUE is appended, or "" */
	OPT_COUNT,  /* size_t *: a decimal number */
	OPT_WORD,   /* const char **: one of `words` */
	OPT_OR /* no option: the ones before and after it exclude each other */
};

struct opt {
	enum opt_kind kind;
	char letter;	  /* 0: no letter */
	const char *name; /* without dashes; NULL: only a letter */
	void *to;
	const char *arg;   /* name of the value in the manual: "TAG" */
	const char *words; /* OPT_WORD: "id|created" */
	const char *help;  /* one line, lower case, no full stop */
};

struct cmd {
	const char *name;    /* "co-memory-save" */
	const char *summary; /* one line, lower case, no full stop */
	/* A line for each way to use it, without the name. NULL: all options, then
	 * the operands. */
	const char *synopsis;
	const char *operands; /* one word each, as in "PATTERN [PATH...]"; this
			       * is also the maximum number, unless one ends in
			       * "..."; NULL: no operands */
	const char *input;    /* meaning of standard input; NULL: unused */
	const char *items;    /* when it has ids or paths, one a line: "an
				 * operand is -"; INPUT is then NULL */
	const struct opt *opts; /* ends with OPT_END */
	const char *hint;	/* for an error about an operand; NULL: none */
	bool plumbing;		/* plumbing although its name has one word */
	/* What people type by habit, and the command that they mean: pairs, then
	 * NULL. The first of a pair is an option, or several with `|` between; an
	 * operand that is the first argument; or "*" for the first operand too
	 * many. A * that ends the second is replaced by the operands after the
	 * first, with "*" by those from it on. Not for an option. NULL: none. */
	const char *const *habits;
	/* Names of another table, "a|b|c", for each % in synopsis and operands,
	 * and in the argument and the words of an option; NULL: a % is a %. */
	const char *(*names)(void);
};

/* Rows of an option table: any option, and one without a value. */
#define OPT(...)            \
	{                   \
		__VA_ARGS__ \
	}
#define FLAG(letter, name, to, help) \
	OPT(OPT_FLAG, letter, name, to, NULL, NULL, help)

/* Options that several commands share. cli_quiet is declared in cli.h. */
#define OPT_GLOBAL(to) \
	FLAG(0, "global", to, "use the user store instead of the project store")
#define OPT_Z(to)             \
	FLAG('z', "null", to, \
	     "end paths, in and out, with NUL instead of newline")
#define OPT_QUIET FLAG('q', "quiet", &cli_quiet, "print only errors")
#define OPT_DRY_RUN(to) \
	FLAG('n', "dry-run", to, "print the changes without making them")
#define OPT_ALLOW_SECRET(to, verb) \
	FLAG(0, "allow-secret", to, verb " it even if it looks like a secret")
#define OPT_COLOR(to)                                              \
	OPT(OPT_WORD, 0, "color", to, "WHEN", "auto|always|never", \
	    "colour the output; auto, the default: on a terminal")

/* Return C with its names in the place of each %: C itself, or a copy in A. */
const struct cmd *command_fill(const struct cmd *c, struct arena *a);

/* Append the summary that -h prints. */
void command_help(struct buf *out, const struct cmd *c);

/* Append the table as --spec prints it: one line per entry, fields separated by
 * tabs, as listed in co-json(5). */
void command_spec(struct buf *out, const struct cmd *c);

/* What the command line requests. */
enum command_ask {
	COMMAND_RUN,	/* run the command */
	COMMAND_HELP,	/* -h */
	COMMAND_MANUAL, /* --help */
	COMMAND_SPEC,	/* --spec */
	COMMAND_UNKNOWN /* an option that does not exist: an error */
};

/* Parse ARGV, which ends with NULL, by the option table of C.
 *
 * Options may follow operands; `--` ends the options. The value of a long
 * option follows as `=V` or as the next argument. The value of a letter is the
 * rest of its argument, or the next argument. Options cannot be abbreviated.
 *
 * Store the values of options in the variables that C's table names. Move the
 * operands to the front, after argv[0], end them with NULL and set *N to their
 * number. Values point into ARGV. A -h, --help or --spec ends the parse; *ASK says
 * which was found, or that an option is unknown. Return 0, or -1 with ERR_USAGE for a
 * wrong command line. */
int command_parse(const struct cmd *c, char **argv, int *n,
		  enum command_ask *ask, struct err *e);

/* Return true if NAME is one of our commands, and its operands can be ids. */
bool command_takes_ids(const char *name);

/* Call execpath_list() and set the kind and the summary of each program. Texts
 * are static or live in A. */
void command_list(struct execpath *s, const char *argv0, struct arena *a);

/* Append the programs of S, filled by command_list(), grouped below headings.
 * Without ALL: the everyday commands and an example, in at most 24 lines. With
 * ALL: every program. */
void command_list_text(struct buf *out, const struct execpath *s, bool all);

/* Return the command line that NAME is an alias for, without "co": "knowledge
 * --stats" for "stats". Return NULL if there is none. The result is static. */
const char *command_alias(const char *name);

/* Append "did you mean 'co learn'?" with up to three commands whose names are
 * close to NAME. Append nothing if there are none. */
void command_guess(struct buf *out, const struct execpath *s, const char *name);

#endif
