/* args.h: a command line, taken apart by a command's table.
 *
 * Options may follow operands; `--` ends them; a long option's value follows
 * as `=V` or as the next argument, a letter's as the rest of its argument or
 * as the next; none is abbreviated.
 */
#ifndef CO_CLI_ARGS_H
#define CO_CLI_ARGS_H

#include "base/err.h"
#include "cli/command.h"

/* What a command line asks for instead of the command's work. */
enum args_ask {
	ARGS_RUN,    /* nothing */
	ARGS_HELP,   /* -h */
	ARGS_MANUAL, /* --help */
	ARGS_SPEC    /* --spec */
};

/* Store the options of ARGV, which NULL ends, where C's table says, and move
 * the operands to its front behind argv[0], NULL-terminated, *N of them.
 * Values are borrowed from ARGV.  What is asked for ends the reading, and *ASK
 * says what.  ERR_USAGE: what is wrong with it. */
int args_parse(const struct cmd *c, char **argv, int *n, enum args_ask *ask,
	       struct err *e);

#endif
