/* cli.h: the start and end of a program, its output and its questions.
 *
 * The options and operands of a command are in its table, struct cmd: see
 * command.h, whose command_parse() reads the command line. Every program accepts -h
 * (a summary on standard output), --help (the manual) and --spec (the table,
 * tab-separated).
 */
#ifndef CO_CLI_CLI_H
#define CO_CLI_CLI_H

#include "base/mem.h"
#include "cli/command.h"
#include "cli/counter.h"

/* Start the program: open missing descriptors 0 to 2, set signals, and parse
 * ARGV by the table of C. Return the operands, NULL-terminated, and set *N to
 * their number. End the process with 0 for -h, --help and --spec, and with 2
 * for a wrong command line. */
char **cli_start(const struct cmd *c, int argc, char **argv, int *n);

/* Return the name with which messages begin: of the first program, or "co ALIAS". */
const char *cli_name(void);

/* Print the message, a hint at -h unless it names a command, and end with status 2. */
void cli_usage(const char *fmt, ...) PRINTF(1, 2) NORETURN;

/* Print E on standard error as `co-x: SENTENCE`, and remember its code if it is
 * the worst so far. */
void cli_complain(const struct err *e);

/* Call cli_complain() and end the process with the worst code so far. */
void cli_die(const struct err *e) NORETURN;

/* Replace the process by the program argv[0] of the suite, or end it with an error.
 * ARGV ends in NULL; ARGV0: see sys/execpath.h. */
void cli_exec(const char *const *argv, const char *argv0) NORETURN;

/* End the process as main() does by cli_finish(STATUS). */
void cli_end(int status) NORETURN;

/* Return true if an error of ERR_SYSTEM or worse may make the answer incomplete. */
bool cli_failed(void);

/* Print "co-x: " and the text on standard error. The status is not changed. */
void cli_note(const char *fmt, ...) PRINTF(1, 2);

/* Print "hint: " and the text on standard error, unless --quiet was given. */
void cli_hint(const char *fmt, ...) PRINTF(1, 2);

/* Return the report (see base/err.h) for reading a store. It prints each error,
 * and changes the status only for ERR_SYSTEM, since the answer may then be
 * wrong. After ten lines it only counts; cli_finish() prints how many more
 * there were and names `co knowledge --check`. */
const struct report *cli_report(void);

/* Return a report (see base/err.h) that calls cli_complain(), or cli_note(). */
const struct report *cli_complaints(void);
const struct report *cli_notes(void);

/* Return a report that prints the text of each error without the name of the
 * command, for lines such as `WARNING: ...`. */
const struct report *cli_warnings(void);

extern struct arena cli_arena; /* the command's, until cli_finish() */
extern bool cli_quiet; /* set by OPT_QUIET: standard output is discarded */

/* Append to standard output, which is buffered until cli_finish(). */
void cli_out(const char *p, size_t len);
void cli_outs(const char *s);
void cli_outf(const char *fmt, ...) PRINTF(1, 2);
void cli_flush(void);

/* Append text from files. On a terminal, control characters are made visible. */
void cli_out_text(const char *p, size_t len);

/* Return true if output is to be coloured. WHEN: the value of --color; NULL: auto. */
bool cli_colors(const char *when);

/* Call FN with each operand. If there are no operands, and for the operand "-",
 * call it with each line of standard input, or with each NUL-terminated item if
 * ZERO. FN returns 0, or -1 with E set: E is reported, and the next item
 * follows. If standard input is a list for people in place of ids, the process ends.
 * cli_list_items() only appends the items to LIST, in cli_arena. It returns true if it
 * read standard input. */
typedef int cli_fn(void *ctx, const char *item, struct err *e);
void cli_each(char **operands, bool zero, cli_fn *fn, void *ctx);
bool cli_list_items(char **operands, bool zero, struct strings *list);

/* Append the operands, separated by blanks. */
void cli_join(struct buf *out, char **operands);

/* Ask QUESTION on the terminal and replace the contents of ANSWER by the line
 * typed, without its newline. Return false at the end of the input. */
bool cli_ask_line(const char *question, struct buf *answer);

/* Ask QUESTION on the terminal and wait for one key. Return its character, 0 at
 * the end of the input, or '?' for a key that is not a printable ASCII
 * character. Blanks and newlines are ignored. */
int cli_ask_key(const char *question);

/* Call cli_ask_key(), and print HELP, until the key is one of KEYS or 0. */
int cli_ask_among(const char *question, const char *keys, const char *help);

/* Ask QUESTION on the terminal. Return true if the line typed begins with y; '?' explains
 * and asks again. Only for use when cli_on_terminal(), which is true if standard input
 * and standard error are terminals. */
bool cli_ask(const char *question);
bool cli_on_terminal(void);

/* End one answer of several. Return the status that main() would return for
 * STATUS, and start again without complaints. Standard output is not
 * flushed. */
int cli_next(int status);

/* Write the rest of standard output and close it. If a complaint had ERR_NO or
 * ERR_USAGE, names no command, and no hint was printed, print the hint of the command.
 * Return the status for main(): the highest of STATUS, the worst complaint, and 4 if
 * output was lost. */
int cli_finish(int status);

#endif
