/* args.h: parse a command line by the option table of a command.
 *
 * Options may follow operands; `--` ends the options. The value of a long
 * option follows as `=V` or as the next argument. The value of a letter is the
 * rest of its argument, or the next argument. Options cannot be abbreviated.
 */
#ifndef CO_CLI_ARGS_H
#define CO_CLI_ARGS_H

#include "base/err.h"
#include "cli/command.h"

/* What the command line requests. */
enum args_ask {
	ARGS_RUN,    /* run the command */
	ARGS_HELP,   /* -h */
	ARGS_MANUAL, /* --help */
	ARGS_SPEC    /* --spec */
};

/* Parse ARGV, which ends with NULL. Store the values of options in the
 * variables that C's table names. Move the operands to the front, after
 * argv[0], end them with NULL and set *N to their number. Values point into
 * ARGV. A -h, --help or --spec ends the parse; *ASK says which was found.
 * Return 0, or -1 with ERR_USAGE for a wrong command line. */
int args_parse(const struct cmd *c, char **argv, int *n, enum args_ask *ask,
	       struct err *e);

#endif
