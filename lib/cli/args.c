/* args.c: parse the command line in one pass. The error for an unknown option
 * suggests the most similar known one.
 */
#include "cli/command.h"

#include "base/strings.h"
#include "format/value.h"

#define SHOWN_MAX 32 /* bytes of an unknown option that a message shows */

#define COUNT_MAX 999999999

/* The state of one parse. */
struct parser {
	const struct cmd *command;
	char **next; /* the first argument not read yet */
	enum command_ask ask;
	struct err *e;
};

static const struct opt *find_long(const struct cmd *c, const char *arg,
				   size_t len)
{
	for (const struct opt *o = c->opts; o->kind != OPT_END; o++) {
		if (o->name && strlen(o->name) == len &&
		    !memcmp(o->name, arg, len))
			return o;
	}
	return NULL;
}

static const struct opt *find_letter(const struct cmd *c, char letter)
{
	for (const struct opt *o = c->opts; o->kind != OPT_END; o++) {
		if (o->letter && o->letter == letter)
			return o;
	}
	return NULL;
}

static bool needs_no_value(const struct opt *o)
{
	return o->kind == OPT_FLAG || o->kind == OPT_SWITCH ||
	       o->kind == OPT_MAYBE;
}

static int parse_count(size_t *to, const char *shown, const char *value,
		       struct err *e)
{
	size_t n = 0;

	if (!*value)
		return err_set(e, ERR_USAGE, "%s wants a number", shown);
	for (const char *p = value; *p; p++) {
		if (*p < '0' || *p > '9' || n > COUNT_MAX / 10)
			return err_set(e, ERR_USAGE,
				       "%s wants a number, not '%s'", shown,
				       value);
		n = n * 10 + (size_t)(*p - '0');
	}
	*to = n;
	return 0;
}

/* Split LIST, tags with commas and blanks between them, in place and append them to
 * TAGS. An empty tag is appended too, so that it is refused. */
static void add_tags(struct strings *tags, char *list)
{
	char *next;

	do {
		list += strspn(list, " ");
		next = strchr(list, ',');
		if (next)
			*next++ = '\0';
		strings_add(tags, list);
		list = next;
	} while (list);
}

/* Check VALUE (NULL for a flag) and store it in the variable of O. SHOWN is the
 * option as the user spelled it, for messages. */
static int store_value(const struct opt *o, const char *shown, char *value,
		       struct err *e)
{
	struct value word;

	switch (o->kind) {
	case OPT_FLAG:
		*(bool *)o->to = true;
		break;
	case OPT_SWITCH:
		word = value_str(value ? value : "true");
		if (!value_is_word(&word, "true|false"))
			return err_set(e, ERR_USAGE,
				       "%s wants true or false, not '%s'",
				       shown, value);
		*(const char **)o->to = word.u.s.p;
		break;
	case OPT_WORD:
		word = value_str(value);
		if (!value_is_word(&word, o->words))
			return err_set(e, ERR_USAGE,
				       "%s wants one of %s, not '%s'", shown,
				       o->words, value);
		*(const char **)o->to = value;
		break;
	case OPT_STR:
		*(const char **)o->to = value;
		break;
	case OPT_LIST:
		strings_add(o->to, value);
		break;
	case OPT_MAYBE:
		strings_add(o->to, value ? value : "");
		break;
	case OPT_TAGS:
		add_tags(o->to, value);
		break;
	case OPT_COUNT:
		return parse_count(o->to, shown, value, e);
	case OPT_END:
	case OPT_OR:
		break;
	}
	return 0;
}

/* Return the command that the user meant by TYPED, a habit of A's command; NULL if it
 * is none. */
static const char *find_habit(const struct parser *a, const char *typed)
{
	const char *const *h = a->command->habits;
	const struct value v = value_str(typed);

	while (h && *h && !value_is_word(&v, *h))
		h += 2;
	return h && *h ? h[1] : NULL;
}

/* Fail for TYPED, an unknown WHAT. MEANT is the command for it; a * at its end is for
 * OPERANDS. */
static int refuse_habit(struct parser *a, const char *what, const char *typed,
			const char *meant, char **operands)
{
	const size_t len = strlen(meant);
	const bool open = meant[len - 1] == '*';
	struct buf text = {0};

	buf_add(&text, meant, len - open);
	for (; open && *operands; operands++)
		buf_addf(&text, " %s", *operands);
	err_set(a->e, ERR_USAGE, "%s '%s': did you mean '%s'?", what, typed,
		buf_str(&text));
	buf_release(&text);
	return -1;
}

static int set_request(struct parser *a, enum command_ask ask)
{
	a->ask = ask;
	return 0;
}

/* Fail for the unknown long option ARG of LEN bytes. The message shows only its
 * beginning: a long ARG may be a text or even a secret that was meant as an
 * operand. */
static int unknown_long(struct parser *a, const char *arg, size_t len)
{
	const struct opt *near = NULL;
	size_t least = SIZE_MAX;
	char name[SHOWN_MAX + sizeof("--")];
	const char *meant;

	a->ask = COMMAND_UNKNOWN;
	snprintf(name, sizeof(name), "--%.*s", (int)len, arg);
	meant = find_habit(a, name);
	if (meant)
		return refuse_habit(a, "unknown option", name, meant, NULL);
	for (const struct opt *o = a->command->opts; o->kind != OPT_END; o++) {
		const size_t d =
			o->name ? strings_near(o->name, name + 2) : SIZE_MAX;

		if (d < least) {
			least = d;
			near = o;
		}
	}
	if (near && len <= SHOWN_MAX)
		return err_set(a->e, ERR_USAGE,
			       "unknown option '%s': did you mean '--%s'?",
			       name, near->name);
	return err_set(a->e, ERR_USAGE, "unknown option '%s'%s", name,
		       len > SHOWN_MAX ? "..." : "");
}

/* Fail for the unknown option -LETTER. Suggest the long option that begins with
 * LETTER, if there is exactly one. */
static int unknown_letter(struct parser *a, char letter)
{
	const char shown[] = {'-', letter, '\0'};
	const char *meant = find_habit(a, shown);
	const struct opt *near = NULL;
	size_t n = 0;

	a->ask = COMMAND_UNKNOWN;
	if (meant)
		return refuse_habit(a, "unknown option", shown, meant, NULL);
	for (const struct opt *o = a->command->opts; o->kind != OPT_END; o++) {
		if (o->name && *o->name == letter) {
			near = o;
			n++;
		}
	}
	if (n == 1)
		return err_set(a->e, ERR_USAGE,
			       "unknown option '-%c': did you mean '--%s'?",
			       letter, near->name);
	return err_set(a->e, ERR_USAGE, "unknown option '-%c'", letter);
}

/* Parse the long option ARG, without its leading dashes. */
static int parse_long(struct parser *a, char *arg)
{
	size_t len = strcspn(arg, "=");
	const struct opt *o = find_long(a->command, arg, len);
	char *value = arg[len] ? arg + len + 1 : NULL;
	char shown[64];

	if (!o && !strcmp(arg, "help"))
		return set_request(a, COMMAND_MANUAL);
	if (!o && !strcmp(arg, "spec"))
		return set_request(a, COMMAND_SPEC);
	if (!o)
		return unknown_long(a, arg, len);
	snprintf(shown, sizeof(shown), "--%s", o->name);
	if (o->kind == OPT_FLAG && value)
		return err_set(a->e, ERR_USAGE, "%s takes no value", shown);
	if (!needs_no_value(o) && !value) {
		if (!*a->next)
			return err_set(a->e, ERR_USAGE,
				       "%s wants a value: %s=%s", shown, shown,
				       o->arg);
		value = *a->next++;
	}
	return store_value(o, shown, value, a->e);
}

/* Fail for ARG, a text that begins with a dash and a blank or a letter. */
static int refuse_text(struct parser *a, const char *arg)
{
	return err_set(a->e, ERR_USAGE,
		       "'%.*s%s' was read as %s%.2s: put -- before it",
		       SHOWN_MAX, arg, strlen(arg) > SHOWN_MAX ? "..." : "",
		       arg[1] == ' ' ? "an option" : "the option ",
		       arg[1] == ' ' ? "" : arg);
}

/* Parse ARG, one or more letters without the leading dash. Only the last may
 * have a value: the rest of ARG, or the next argument. */
static int parse_letters(struct parser *a, char *arg)
{
	for (; *arg; arg++) {
		const char shown[] = {'-', *arg, '\0'};
		const struct opt *o = find_letter(a->command, *arg);

		if (!o && *arg == 'h')
			return set_request(a, COMMAND_HELP);
		if (!o)
			return unknown_letter(a, *arg);
		if (needs_no_value(o)) {
			store_value(o, shown, NULL, a->e);
			continue;
		}
		if (arg[1])
			return store_value(o, shown, arg + 1, a->e);
		if (*a->next)
			return store_value(o, shown, *a->next++, a->e);
		return err_set(a->e, ERR_USAGE, "%s wants a value: %s %s",
			       shown, shown, o->arg);
	}
	return 0;
}

/* Return the maximum number of operands that OPERANDS, a field of struct cmd,
 * allows. */
static size_t max_operands(const char *operands)
{
	size_t n = 0;

	if (!operands)
		return 0;
	if (strstr(operands, "..."))
		return SIZE_MAX;
	for (const char *p = operands; *p; p += strspn(p, " ")) {
		p += strcspn(p, " ");
		n++;
	}
	return n;
}

/* Check the N OPERANDS. FIRST: the first argument is one of them. After an option or --,
 * the user means the word as it is written. */
static int check_operands(struct parser *a, char **operands, size_t n,
			  bool first)
{
	const size_t most = max_operands(a->command->operands);
	const char *meant = first ? find_habit(a, operands[0]) : NULL;

	if (meant)
		return refuse_habit(a, "unexpected operand", operands[0], meant,
				    operands + 1);
	if (n <= most)
		return 0;
	meant = find_habit(a, "*");
	if (meant)
		return refuse_habit(a, "unexpected operand", operands[most],
				    meant, operands + most);
	return err_set(a->e, ERR_USAGE, "unexpected operand '%s'",
		       operands[most]);
}

int command_parse(const struct cmd *c, char **argv, int *n,
		  enum command_ask *ask, struct err *e)
{
	char **kept = argv + (*argv != NULL);
	struct parser a = {.command = c, .next = kept, .e = e};
	const char *first = *kept;
	size_t found = 0;
	bool options = true;
	int r = 0;

	while (r == 0 && a.ask == COMMAND_RUN && *a.next) {
		char *arg = *a.next++;

		if (!options || arg[0] != '-' || !arg[1])
			kept[found++] = arg;
		else if (!strcmp(arg, "--"))
			options = false;
		else if (arg[1] == '-')
			r = parse_long(&a, arg + 2);
		else if (arg[1] == ' ' || arg[2] == ' ')
			r = refuse_text(&a, arg);
		else
			r = parse_letters(&a, arg + 1);
	}
	kept[found] = NULL;
	*n = (int)found;
	*ask = a.ask;
	if (r == 0 && a.ask == COMMAND_RUN)
		r = check_operands(&a, kept, found, found && kept[0] == first);
	return r;
}
