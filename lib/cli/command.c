/* command.c: format a command table as help for people and as --spec for
 * programs. The text comes from the table only.
 */
#include "cli/command.h"

#include "base/mem.h"

#define WIDTH 80       /* columns of a line of help */
#define HELP_COLUMN 26 /* where descriptions begin */

/* Return "plumbing" for a command named co-NOUN-VERB or marked as such in its
 * table, else "porcelain". */
static const char *kind_of(const struct cmd *c)
{
	const char *noun = strchr(c->name, '-');

	return c->plumbing || (noun && strchr(noun + 1, '-')) ? "plumbing"
							      : "porcelain";
}

static const char *fill(const char *text, const char *names, struct arena *a)
{
	const char *at = text ? strchr(text, '%') : NULL;

	return at ? arena_printf(a, "%.*s%s%s", (int)(at - text), text, names,
				 fill(at + 1, names, a))
		  : text;
}

const struct cmd *command_fill(const struct cmd *c, struct arena *a)
{
	const char *names = c->names ? c->names() : NULL;
	struct cmd *copy;
	struct opt *opts;
	size_t n = 0;

	if (!names)
		return c;
	copy = arena_alloc(a, sizeof(*copy));
	*copy = *c;
	copy->operands = fill(c->operands, names, a);
	copy->synopsis = fill(c->synopsis, names, a);
	while (c->opts[n].kind != OPT_END)
		n++;
	opts = arena_alloc(a, (n + 1) * sizeof(*opts));
	copy->opts = opts;
	while (n--) {
		opts[n] = c->opts[n];
		opts[n].arg = fill(opts[n].arg, names, a);
		opts[n].words = fill(opts[n].words, names, a);
	}
	return copy;
}

/* Append the value of O, after SEPARATOR if it is required. */
static void add_value(struct buf *out, const struct opt *o, char separator)
{
	if (o->kind == OPT_SWITCH)
		buf_adds(out, "[=false]");
	else if (o->kind == OPT_MAYBE)
		buf_addf(out, "[=%s]", o->arg);
	else if (o->kind != OPT_FLAG)
		buf_addf(out, "%c%s", separator, o->arg);
}

static void add_option(struct buf *line, const struct opt *o)
{
	if (o->letter)
		buf_addf(line, "-%c", o->letter);
	if (o->letter && o->name)
		buf_adds(line, ", ");
	if (o->name)
		buf_addf(line, "--%s", o->name);
	add_value(line, o, o->name ? '=' : ' ');
}

/* Return the length of TEXT up to the first blank outside brackets. */
static size_t piece_length(const char *text)
{
	size_t n = 0, depth = 0;

	for (; text[n] && (text[n] != ' ' || depth); n++) {
		if (text[n] == '[')
			depth++;
		else if (text[n] == ']' && depth)
			depth--;
	}
	return n;
}

/* Append TEXT, broken into lines that all begin at COLUMN. The caller has
 * already filled the first line up to COLUMN. */
static void add_wrapped(struct buf *out, const char *text, size_t column)
{
	size_t at = column;

	while (*text) {
		size_t len = piece_length(text);

		if (at > column && at + 1 + len > WIDTH) {
			buf_addf(out, "\n%*s", (int)column, "");
			at = column;
		} else if (at > column) {
			buf_addc(out, ' ');
			at++;
		}
		buf_add(out, text, len);
		at += len;
		text += len + strspn(text + len, " ");
	}
	buf_addc(out, '\n');
}

static void add_row(struct buf *out, const char *left, const char *right)
{
	if (strlen(left) + 4 >= HELP_COLUMN)
		buf_addf(out, "    %s\n%*s", left, HELP_COLUMN, "");
	else
		buf_addf(out, "    %-*s", HELP_COLUMN - 4, left);
	add_wrapped(out, right, HELP_COLUMN);
}

/* Return the lines of the synopsis of C: those of its table, or one made of all
 * options and the operands. The caller frees. */
static char *copy_synopsis(const struct cmd *c)
{
	const char *before = "[";
	struct buf out = {0};

	if (c->synopsis)
		return mem_strdup(c->synopsis);
	for (const struct opt *o = c->opts; o->kind != OPT_END; o++) {
		if (o->kind == OPT_OR) {
			buf_cut(&out, out.len - 1);
			before = "|";
			continue;
		}
		buf_addf(&out, "%s%s", before, o->letter ? "-" : "--");
		if (o->letter)
			buf_addc(&out, o->letter);
		else
			buf_adds(&out, o->name);
		add_value(&out, o, o->letter ? ' ' : '=');
		buf_adds(&out, o->kind == OPT_LIST || o->kind == OPT_TAGS ||
					       o->kind == OPT_MAYBE
				       ? "]..."
				       : "]");
		before = " [";
	}
	if (c->operands)
		buf_addf(&out, "%s%s", out.len ? " " : "", c->operands);
	return buf_take(&out);
}

/* Append the meaning of standard input, nothing if C does not read it. */
static void add_input(struct buf *out, const struct cmd *c)
{
	if (c->items)
		buf_addf(out, "ids or paths, one a line, where %s", c->items);
	else if (c->input)
		buf_adds(out, c->input);
}

void command_help(struct buf *out, const struct cmd *c)
{
	char *synopsis = copy_synopsis(c), *rest = synopsis, *way;
	struct buf line = {0};

	while ((way = strsep(&rest, "\n"))) {
		size_t start = out->len;

		buf_addf(out, "%s %s%s",
			 way == synopsis ? "usage:" : "   or:", c->name,
			 *way ? " " : "");
		add_wrapped(out, way, out->len - start);
	}
	free(synopsis);
	buf_addf(out, "\n%s\n\n", c->summary);
	for (const struct opt *o = c->opts; o->kind != OPT_END; o++) {
		if (o->kind == OPT_OR)
			continue;
		buf_cut(&line, 0);
		add_option(&line, o);
		add_row(out, buf_str(&line), o->help);
	}
	add_row(out, "-h", "this help");
	add_row(out, "--help", "the manual");
	add_row(out, "--spec", "the table of options, for programs");
	buf_cut(&line, 0);
	add_input(&line, c);
	if (line.len)
		buf_addf(out, "\nStandard input: %s.\n", line.p);
	buf_release(&line);
}

static const char *kind_name(enum opt_kind k)
{
	static const char *const names[] = {
		[OPT_FLAG] = "flag",   [OPT_SWITCH] = "flag",
		[OPT_STR] = "string",  [OPT_LIST] = "list",
		[OPT_TAGS] = "list",   [OPT_MAYBE] = "flag",
		[OPT_COUNT] = "count", [OPT_WORD] = "word",
	};

	return names[k];
}

static const char *or_empty(const char *s)
{
	return s ? s : "";
}

/* Append the FIELDS, which end with NULL, as a line separated by tabs. */
static void add_line(struct buf *out, const char *const *fields)
{
	for (size_t i = 0; fields[i]; i++) {
		if (i)
			buf_addc(out, '\t');
		buf_adds(out, fields[i]);
	}
	buf_addc(out, '\n');
}

#define LINE(out, ...) add_line(out, (const char *const[]){__VA_ARGS__, NULL})

void command_spec(struct buf *out, const struct cmd *c)
{
	char *synopsis = copy_synopsis(c), *rest = synopsis, *way;
	struct buf input = {0};

	LINE(out, "command", c->name, kind_of(c), c->summary);
	while ((way = strsep(&rest, "\n")))
		LINE(out, "synopsis", way);
	free(synopsis);
	LINE(out, "operands", or_empty(c->operands));
	add_input(&input, c);
	LINE(out, "input", buf_str(&input));
	buf_release(&input);
	for (const struct opt *o = c->opts; o->kind != OPT_END; o++) {
		const char letter[] = {o->letter, '\0'};

		if (o->kind == OPT_OR)
			continue;
		LINE(out, "option", letter, or_empty(o->name),
		     kind_name(o->kind),
		     o->kind == OPT_MAYBE ? "" : or_empty(o->arg),
		     or_empty(o->words), o->help);
	}
}
