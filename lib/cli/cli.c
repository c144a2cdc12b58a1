/* cli.c: printing and exiting. No other module of the library does either.
 *
 * This file also holds the only mutable state of the library: a process has one
 * command line and one standard output.
 */
#include "cli/cli.h"

#include "base/ascii.h"
#include "base/instant.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "sys/dirs.h"
#include "sys/execpath.h"
#include "sys/io.h"
#include "sys/terminal.h"
#include "text/color.h"
#include "text/sanitize.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

static const struct cmd *command;
static struct arena filled;   /* it may live here */
static const char *called_as; /* argv[0] */
static const char *caller; /* the command that cli_exec() replaced, or NULL */
static struct buf output;
bool cli_quiet;
struct arena cli_arena;
static bool output_lost;
static int worst;      /* the highest code of all complaints */
static size_t skipped; /* errors that cli_report() printed or counted */
static struct err last_skipped;
static bool absent; /* ERR_NO was reported without a remedy */
static bool wrong;  /* ERR_USAGE was */
static bool hinted;
static bool option_may_be_text; /* an unknown one */

/* In argv[0], between the name of the command that cli_exec() replaces, or of an alias,
 * and the path of the program: the basename selects the program, see cmd/suite.c. */
#define CALLER_END ":"

#define OUTPUT_CHUNK ((size_t)64 * 1024)
#define SKIPPED_SHOWN 10
#define INPUT_SHOWN 40 /* characters of a wrong line */

/* Open /dev/null for each of the descriptors 0 to 2 that is closed. Otherwise
 * the next file opened would get that number, and output meant for the terminal
 * would be written into it. Descriptors are opened in the wrong direction, so
 * that using one still fails. */
static void fill_descriptors(void)
{
	struct pollfd all[] = {{.fd = 0}, {.fd = 1}, {.fd = 2}};

	/* One call for all three. It fails for devices on some systems; then
	 * each descriptor is tested. */
	if (poll(all, ARRAY_LEN(all), 0) >= 0 &&
	    !((all[0].revents | all[1].revents | all[2].revents) & POLLNVAL))
		return;
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
			_exit(ERR_SYSTEM);
	}
}

static void NORETURN print_and_exit(void (*print)(struct buf *,
						  const struct cmd *))
{
	print(&output, command);
	exit(cli_finish(0));
}

/* Replace the process by man(1). Show the page of the build or installation if
 * there is one, else the page that man(1) finds. Print the short help if man(1)
 * cannot be run. */
static void NORETURN show_manual(void)
{
	struct buf name = {0}, page = {0};

	buf_addf(&name, "%s.1", command->name);
	if (execpath_page(&page, name.p, called_as))
		execlp("man", "man", page.p, (char *)NULL);
	else
		execlp("man", "man", command->name, (char *)NULL);
	buf_release(&name);
	buf_release(&page);
	print_and_exit(command_help);
}

/* End the process if CO_NOW is not a valid time: it would put a wrong date into
 * saved files. */
static void check_now(void)
{
	const char *now = getenv("CO_NOW");
	struct instant t;

	if (!now || instant_parse(now, strlen(now), &t))
		return;
	cli_note("CO_NOW is '%s', and no time as 2026-02-09T14:30:00Z is", now);
	exit(cli_finish(ERR_DATA));
}

/* If cli_exec(), or co for an alias, started the process, set `caller`, and take its name
 * off argv[0]. The name has no slash: a directory may be called "a:". */
static void find_caller(char **argv)
{
	char *end = argv[0] ? argv[0] + strcspn(argv[0], CALLER_END "/") : NULL;

	if (!end || strncmp(end, CALLER_END "/", strlen(CALLER_END "/")) != 0)
		return;
	*end = '\0';
	caller = argv[0];
	argv[0] = end + strlen(CALLER_END);
}

static bool has_option(char **argv)
{
	while (*argv && **argv != '-')
		argv++;
	return *argv;
}

/* Return true if an operand of C is text. */
static bool takes_text(const struct cmd *c)
{
	static const char *const names[] = {"TEXT", "WORD", "QUERY", "PATTERN"};
	bool is = false;

	for (size_t i = 0; c->operands && i < ARRAY_LEN(names); i++)
		is = is || strstr(c->operands, names[i]);
	return is;
}

/* End the process for an operand "-" of a command that names memories on its command line
 * only. */
static void refuse_input(const struct cmd *c, char **operands)
{
	if (c->input || c->items || !c->operands ||
	    !(strstr(c->operands, "ID") || strstr(c->operands, "WORD")))
		return;
	for (; *operands; operands++) {
		if (!strcmp(*operands, "-"))
			cli_usage("'-' is standard input, which %s does not "
				  "read",
				  cli_name());
	}
}

char **cli_start(const struct cmd *c, int argc, char **argv, int *n)
{
	enum command_ask ask;
	struct err e;

	/* Only options need the names: a hook that runs out of memory must not
	 * end here. */
	command = has_option(argv) ? command_fill(c, &filled) : c;
	find_caller(argv);
	called_as = argv[0];
	fill_descriptors();
	signal(SIGXFSZ, SIG_IGN); /* exceeding the file size limit is then an
				   * error of write() */
	signal(SIGPIPE, SIG_DFL);
	if (command_parse(command, argv, n, &ask, &e) < 0) {
		option_may_be_text =
			ask == COMMAND_UNKNOWN && takes_text(command);
		cli_usage("%s", e.text);
	}
	if (ask == COMMAND_MANUAL)
		show_manual();
	if (ask != COMMAND_RUN)
		print_and_exit(ask == COMMAND_HELP ? command_help
						   : command_spec);
	check_now();
	refuse_input(command, argv + (argc > 0));
	return argv + (argc > 0);
}

const char *cli_name(void)
{
	return caller ? caller : command ? command->name : "co";
}

/* Return the offset of the blank at which the LEN bytes of P are broken so that the first
 * line fits in COLUMNS: the last one outside quotes, else the last one. Return 0 if that
 * line would be less than half full. */
static size_t find_break(const char *p, size_t len, size_t columns)
{
	size_t plain = 0, any = 0;
	bool quoted = false;

	for (size_t i = 0; i < len && unicode_columns(p, i) <= columns; i++) {
		if (p[i] == '\'' && quoted)
			quoted = i + 1 < len && ascii_is_letter(p[i + 1]);
		else if (p[i] == '\'')
			quoted = !i || p[i - 1] == ' ' || p[i - 1] == '(';
		else if (p[i] == ' ')
			*(quoted ? &any : &plain) = i;
	}
	plain = plain ? plain : any;
	return unicode_columns(p, plain) >= columns / 2 ? plain : 0;
}

/* Break the text in LINE at blanks into lines of at most COLUMNS; 0: any. */
static void wrap_line(struct buf *line, size_t columns)
{
	size_t from = 0, at;

	while (columns && from < line->len &&
	       unicode_columns(line->p + from, line->len - from) > columns) {
		at = find_break(line->p + from, line->len - from, columns);
		if (!at)
			return;
		line->p[from + at] = '\n';
		from += at + 1;
	}
}

/* Write BEFORE, TEXT and a newline to standard error. A single write keeps
 * lines whole when the programs of a pipeline print at once. TEXT may come from
 * a file, so control characters are made visible. */
static void write_line(const char *before, const char *text)
{
	struct buf line = {0}, shown = {0};

	counter_clear();
	cli_flush();
	buf_adds(&line, before);
	dirs_add_shown(&shown, text, STDERR_FILENO);
	sanitize_terminal(&line, buf_str(&shown), shown.len, false);
	wrap_line(&line, terminal_columns(STDERR_FILENO));
	buf_addc(&line, '\n');
	if (io_write(STDERR_FILENO, line.p, line.len) < 0)
		worst = worst > ERR_SYSTEM ? worst : ERR_SYSTEM;
	buf_release(&line);
	buf_release(&shown);
}

static void write_named_line(const char *text)
{
	char before[128];

	snprintf(before, sizeof(before), "%s: ", cli_name());
	write_line(before, text);
}

#define FORMATTED(text, fmt)                           \
	char text[sizeof(((struct err *)NULL)->text)]; \
	va_list ap_##text;                             \
	va_start(ap_##text, fmt);                      \
	vsnprintf(text, sizeof(text), fmt, ap_##text); \
	va_end(ap_##text)

/* Return true if TEXT says what to write instead, so that -h would add nothing. */
static bool has_remedy(const char *text)
{
	return strstr(text, "'co ") || strstr(text, "'co-") ||
	       strstr(text, "did you mean") || strstr(text, "put -- before");
}

void cli_usage(const char *fmt, ...)
{
	FORMATTED(text, fmt);
	write_named_line(text);
	if (!has_remedy(text)) {
		snprintf(text, sizeof(text), "try '%s -h'%s", cli_name(),
			 option_may_be_text
				 ? "; text that begins with '-' follows '--'"
				 : "");
		write_line("hint: ", text);
	}
	exit(ERR_USAGE);
}

void cli_complain(const struct err *e)
{
	write_named_line(e->text);
	if (!has_remedy(e->text)) {
		absent = absent || e->code == ERR_NO;
		wrong = wrong || e->code == ERR_USAGE;
	}
	if ((int)e->code > worst)
		worst = (int)e->code;
}

void cli_die(const struct err *e)
{
	cli_complain(e);
	cli_end((int)e->code);
}

void cli_exec(const char *const *argv, const char *argv0)
{
	struct strings words = {0};
	struct buf path = {0}, first = {0};
	struct err e;

	cli_flush();
	if (!execpath_find(&path, argv[0], argv0)) {
		err_set(&e, ERR_SYSTEM, "cannot find the program '%s'",
			argv[0]);
		cli_die(&e);
	}
	buf_addf(&first, "%s" CALLER_END "%s", cli_name(), path.p);
	strings_add(&words, first.p);
	do
		strings_add(&words, *++argv);
	while (*argv);
	execv(path.p, (char *const *)(uintptr_t)words.items);
	err_sys(&e, "cannot run '%s'", path.p);
	cli_die(&e);
}

void cli_end(int status)
{
	exit(cli_finish(status));
}

bool cli_failed(void)
{
	return worst >= ERR_SYSTEM;
}

void cli_note(const char *fmt, ...)
{
	FORMATTED(text, fmt);
	write_named_line(text);
}

void cli_hint(const char *fmt, ...)
{
	FORMATTED(text, fmt);
	hinted = true;
	if (!cli_quiet)
		write_line("hint: ", text);
}

static void report_skipped(void *ctx, const struct err *e)
{
	(void)ctx;
	if (e->code == ERR_SYSTEM && worst < ERR_SYSTEM)
		worst = ERR_SYSTEM;
	/* A file may be read several times. */
	if (!strcmp(last_skipped.text, e->text))
		return;
	last_skipped = *e;
	if (skipped++ < SKIPPED_SHOWN)
		write_named_line(e->text);
}

const struct report *cli_report(void)
{
	static const struct report report = {report_skipped, NULL};

	return &report;
}

static void report_complaint(void *ctx, const struct err *e)
{
	(void)ctx;
	cli_complain(e);
}

const struct report *cli_complaints(void)
{
	static const struct report report = {report_complaint, NULL};

	return &report;
}

static void report_note(void *ctx, const struct err *e)
{
	(void)ctx;
	write_named_line(e->text);
}

const struct report *cli_notes(void)
{
	static const struct report report = {report_note, NULL};

	return &report;
}

static void report_bare(void *ctx, const struct err *e)
{
	(void)ctx;
	write_line("", e->text);
}

const struct report *cli_warnings(void)
{
	static const struct report report = {report_bare, NULL};

	return &report;
}

void cli_flush(void)
{
	struct buf text = output;

	if (text.len && counter_is_shown() && isatty(STDOUT_FILENO))
		counter_clear();
	/* cli_note() flushes again, so OUTPUT must be empty by then. */
	output = (struct buf){0};
	if (!output_lost &&
	    io_write(STDOUT_FILENO, buf_str(&text), text.len) < 0) {
		output_lost = true;
		cli_note("cannot write standard output: %s", strerror(errno));
	}
	buf_cut(&text, 0);
	output = text;
}

void cli_out(const char *p, size_t len)
{
	size_t n;

	if (cli_quiet)
		return;
	/* Copy at most one chunk at a time, whatever LEN is. */
	do {
		n = len < OUTPUT_CHUNK ? len : OUTPUT_CHUNK;
		buf_add(&output, p, n);
		if (output.len >= OUTPUT_CHUNK)
			cli_flush();
		p += n;
		len -= n;
	} while (len);
}

void cli_outs(const char *s)
{
	cli_out(s, strlen(s));
}

void cli_outf(const char *fmt, ...)
{
	va_list ap;

	if (cli_quiet)
		return;
	va_start(ap, fmt);
	buf_vaddf(&output, fmt, ap);
	va_end(ap);
	cli_out("", 0);
}

void cli_out_text(const char *p, size_t len)
{
	static int terminal = -1; /* cached: there may be many lines */

	if (cli_quiet)
		return;
	if (terminal < 0)
		terminal = isatty(STDOUT_FILENO);
	if (!terminal) {
		cli_out(p, len);
		return;
	}
	sanitize_terminal(&output, p, len, true);
	cli_out("", 0);
}

bool cli_colors(const char *when)
{
	if (!when || !strcmp(when, "auto"))
		return terminal_has_colors(STDOUT_FILENO);
	return !strcmp(when, "always");
}

/* Call FN with a NUL-terminated copy of the LEN bytes at P; complain if it
 * fails. */
static void call_item(const char *p, size_t len, cli_fn *fn, void *ctx)
{
	char *item;
	struct err e;

	item = memcpy(mem_alloc(len + 1), p, len);
	if (fn(ctx, item, &e) < 0)
		cli_complain(&e);
	free(item);
}

/* End the process if the command reads ids or paths and P, the first line of standard
 * input, is from a list for people or JSON: each line would be an error. */
static void refuse_list(const char *p, size_t len)
{
	const bool path = memchr(p, '/', len) ||
			  (len > 3 && !memcmp(p + len - 3, ".md", 3));

	if (!command->items || !(*p == '{' || (!path && memchr(p, ' ', len))))
		return;
	worst = worst > ERR_USAGE ? worst : ERR_USAGE;
	cli_note("expected an id or a path on each line of standard input, not "
		 "'%.*s'",
		 (int)utf8_prefix(p, len, INPUT_SHOWN), p);
	cli_hint("'co memory-list', 'co memory-grep' and --format='%%(path)' "
		 "print paths");
	cli_end(worst);
}

/* End the process: without -z, a list whose items end with NUL is one line, and only
 * its first item would be used. */
static void refuse_null(void)
{
	worst = worst > ERR_USAGE ? worst : ERR_USAGE;
	cli_note("a line of standard input has a NUL byte");
	for (const struct opt *o = command->opts; o->kind != OPT_END; o++) {
		if (o->letter == 'z')
			cli_hint("-z reads items that end with NUL");
	}
	cli_end(worst);
}

/* Call FN for each item of standard input as soon as the item is complete. Empty
 * items are skipped. */
static void call_input_items(bool zero, cli_fn *fn, void *ctx)
{
	struct lines in = {.fd = STDIN_FILENO, .zero = zero, .max = SIZE_MAX};
	const char *p;
	struct err e;
	bool first = true;
	size_t len;
	int r;

	while ((r = io_lines_next(&in, &p, &len, &e)) > 0) {
		if (!len)
			continue;
		if (first)
			refuse_list(p, len);
		if (!zero && memchr(p, '\0', len))
			refuse_null();
		first = false;
		call_item(p, len, fn, ctx);
	}
	if (r < 0)
		cli_complain(&e);
	io_lines_release(&in);
}

void cli_each(char **operands, bool zero, cli_fn *fn, void *ctx)
{
	if (!*operands)
		call_input_items(zero, fn, ctx);
	for (; *operands; operands++) {
		if (!strcmp(*operands, "-"))
			call_input_items(zero, fn, ctx);
		else
			call_item(*operands, strlen(*operands), fn, ctx);
	}
}

static int list_item(void *ctx, const char *item, struct err *e)
{
	(void)e;
	strings_add(ctx, arena_strdup(&cli_arena, item));
	return 0;
}

bool cli_list_items(char **operands, bool zero, struct strings *list)
{
	bool reads = !*operands;

	cli_each(operands, zero, list_item, list);
	for (; *operands; operands++)
		reads = reads || !strcmp(*operands, "-");
	return reads;
}

void cli_join(struct buf *out, char **operands)
{
	for (size_t i = 0; operands[i]; i++) {
		if (i)
			buf_addc(out, ' ');
		buf_adds(out, operands[i]);
	}
}

bool cli_on_terminal(void)
{
	return isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

/* Print QUESTION on standard error. Return false if that fails. */
static bool print_question(const char *question)
{
	struct buf safe = {0}, text = {0};
	int r;

	cli_flush();
	sanitize_terminal(&safe, question, strlen(question), true);
	color_add(&text,
		  terminal_has_colors(STDERR_FILENO) ? &color_plain : NULL,
		  COLOR_QUESTION, buf_str(&safe), safe.len);
	buf_addc(&text, ' ');
	r = io_write(STDERR_FILENO, text.p, text.len);
	buf_release(&safe);
	buf_release(&text);
	return r == 0;
}

/* Reads one byte at a time, since the input after the line belongs to others,
 * such as an editor. */
bool cli_ask_line(const char *question, struct buf *answer)
{
	ssize_t n = 0;
	char c;

	buf_cut(answer, 0);
	if (print_question(question)) {
		while ((n = io_read(STDIN_FILENO, &c, 1)) == 1 && c != '\n')
			buf_addc(answer, c);
	}
	return n == 1;
}

int cli_ask_key(const char *question)
{
	char key[TERMINAL_KEY_MAX] = "";
	char seen[] = "?\n";
	bool got;

	if (!print_question(question))
		return 0;
	do
		got = terminal_key(STDIN_FILENO, key);
	while (got && strchr(" \t\r\n", *key));
	if (got && !key[1] && *key > ' ' && *key < 0x7f)
		*seen = *key;
	io_write(STDERR_FILENO, got ? seen : "\n", got ? 2 : 1);
	return got ? *seen : 0;
}

int cli_ask_among(const char *question, const char *keys, const char *help)
{
	int key;

	while ((key = cli_ask_key(question)) && !strchr(keys, key)) {
		/* The key may begin a pasted line. */
		if (key != '?')
			terminal_drop_typed(STDIN_FILENO);
		cli_outs(help);
	}
	return key;
}

bool cli_ask(const char *question)
{
	struct buf answer = {0};
	char first;

	do {
		buf_cut(&answer, 0);
		cli_ask_line(question, &answer);
		first = buf_str(&answer)[strspn(buf_str(&answer), " \t")];
		if (first == '?')
			fputs("y - yes\nn - no, and nothing is changed\n",
			      stderr);
	} while (first == '?');
	buf_release(&answer);
	return first == 'y' || first == 'Y';
}

static void finish_report(void)
{
	counter_clear();
	if (skipped > SKIPPED_SHOWN)
		cli_note("%zu more like these; 'co knowledge --check' names "
			 "them all",
			 skipped - SKIPPED_SHOWN);
	skipped = 0;
	last_skipped.text[0] = '\0';
}

int cli_next(int status)
{
	const int most = status > worst ? status : worst;

	finish_report();
	worst = 0;
	return most;
}

int cli_finish(int status)
{
	finish_report();
	if ((absent || wrong) && command->hint && !hinted)
		cli_hint("%s", command->hint);
	else if (wrong && !hinted)
		cli_hint("try '%s -h'", cli_name());
	cli_flush();
	if (!output_lost && close(STDOUT_FILENO) < 0 && errno != EINTR &&
	    errno != EBADF) {
		output_lost = true;
		cli_note("cannot write standard output: %s", strerror(errno));
	}
	buf_release(&output);
	arena_release(&cli_arena);
	if (output_lost && worst < ERR_SYSTEM)
		worst = ERR_SYSTEM;
	return status > worst ? status : worst;
}
