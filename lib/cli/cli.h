/* cli.h: command lines: parsing, help, streams, the way out.
 *
 * What a command takes stands in its table, struct cmd (see command.h), by
 * which its command line is read (see args.h).  Every program takes -h (a
 * summary on stdout), --help (its manual) and --spec (itself, tab-separated).
 */
#ifndef CO_CLI_CLI_H
#define CO_CLI_CLI_H

#include "base/err.h"
#include "base/mem.h"
#include "cli/command.h"

/* Start the program: descriptors 0 to 2 made sure of, signals set, ARGV parsed
 * by C.  Returns the operands, NULL-terminated, *N of them.  Ends the process
 * for -h, --help and --spec (0) and for a wrong command line (2). */
char **cli_start(const struct cmd *c, int argc, char **argv, int *n);

/* The name that complaints begin with. */
const char *cli_name(void);

/* End with status 2 and a sentence; -h is named. */
void cli_usage(const char *fmt, ...) PRINTF(1, 2) NORETURN;

/* Print E on stderr as `co-x: SENTENCE`, remember the worst status. */
void cli_complain(const struct err *e);

/* The same, and end with E's code. */
void cli_die(const struct err *e) NORETURN;

/* End the process with STATUS, or a worse one, as main() does. */
void cli_end(int status) NORETURN;

/* True once something was complained of that makes an answer less than whole. */
bool cli_failed(void);

/* One line on stderr that is no complaint: "co-x: " and the text. */
void cli_note(const char *fmt, ...) PRINTF(1, 2);

/* Like cli_note, but beginning with `hint: `. */
void cli_hint(const char *fmt, ...) PRINTF(1, 2);

/* The report (see base/err.h) for going through a store: complains, and changes
 * the status only where the system refused (ERR_SYSTEM), since then the answer
 * may be wrong; after ten lines it counts, and cli_finish() says how many more
 * there were and names `co knowledge --check`. */
const struct report *cli_report(void);

/* The report (see base/err.h) that complains of each, as cli_complain() does. */
const struct report *cli_complaints(void);

/* The report for lines that begin with a word of their own, as WARNING: does:
 * they are printed as they are. */
const struct report *cli_warnings(void);

/* Set by OPT_QUIET: what is printed on standard output is dropped. */
extern bool cli_quiet;

/* Standard output, buffered; cli_finish() writes what is left. */
void cli_out(const char *p, size_t len);
void cli_outs(const char *s);
void cli_outf(const char *fmt, ...) PRINTF(1, 2);
void cli_flush(void);

/* Text of files for standard output: made safe when that is a terminal. */
void cli_out_text(const char *p, size_t len);

/* True if WHEN, the value of --color or NULL, wants standard output coloured. */
bool cli_colors(const char *when);

/* Call FN with each operand, or, when there are none (or one is "-"), with
 * each line of standard input, NUL-separated if ZERO.  FN returns 0 or -1 with
 * E filled, which is complained about, and the rest goes on. */
typedef int cli_fn(void *ctx, const char *item, struct err *e);
void cli_each(char **operands, bool zero, cli_fn *fn, void *ctx);

/* Append the operands with a blank between two. */
void cli_join(struct buf *out, char **operands);

/* Ask a question on the terminal and replace ANSWER's contents by the line that
 * is typed, without its end; false at the end of the input. */
bool cli_ask_line(const char *question, struct buf *answer);

/* Ask a question on the terminal that one key answers: its letter, 0 at the end
 * of the input, '?' for a key that is no letter.  Blanks are passed over. */
int cli_ask_key(const char *question);

/* Ask a question on the terminal: the answer's first letter, lower case, 0 for
 * none; only meaningful when cli_on_terminal(). */
int cli_ask(const char *question);
bool cli_on_terminal(void);

/* End one answer of several: what main() would return for STATUS, and nothing
 * was complained of from here on.  Standard output is not written yet. */
int cli_next(int status);

/* Write what is left on standard output and close it.  If a complaint had ERR_NO or
 * ERR_USAGE, and no hint was printed, print the command's.  Return the status of main():
 * STATUS, the worst complaint's code, or 4 when output was lost. */
int cli_finish(int status);

#endif
