/* args.c: one pass over the arguments; see args.h. */
#include "cli/args.h"

#include "format/value.h"
#include "text/near-name.h"

#define SHOWN_MAX 32 /* bytes of an unknown option */

#define COUNT_MAX 999999999

/* The reading of one command line. */
struct args {
	const struct cmd *command;
	char **next; /* the argument behind the one at hand */
	enum args_ask ask;
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

static int take_count(size_t *to, const char *shown, const char *value,
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

/* Add to TAGS those that LIST has, with commas and blanks between them; LIST is cut
 * into them.  An empty one is added as it is, to be refused. */
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

/* Take VALUE (NULL for a flag) for O; SHOWN is how the user spelled it. */
static int store(const struct opt *o, const char *shown, char *value,
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
	case OPT_TAGS:
		add_tags(o->to, value);
		break;
	case OPT_COUNT:
		return take_count(o->to, shown, value, e);
	case OPT_END:
		break;
	}
	return 0;
}

static int ask_for(struct args *a, enum args_ask ask)
{
	a->ask = ask;
	return 0;
}

/* Fail for the unknown long option ARG of LEN bytes.  A long one may be a text, even a
 * key, that was meant as an operand: its end is not repeated. */
static int unknown_long(struct args *a, const char *arg, size_t len)
{
	const struct opt *near = NULL;
	size_t least = SIZE_MAX;
	char name[SHOWN_MAX + 1];

	snprintf(name, sizeof(name), "%.*s", (int)len, arg);
	for (const struct opt *o = a->command->opts; o->kind != OPT_END; o++) {
		const size_t d = o->name ? near_name(o->name, name) : SIZE_MAX;

		if (d < least) {
			least = d;
			near = o;
		}
	}
	if (near && len <= SHOWN_MAX)
		return err_set(a->e, ERR_USAGE,
			       "unknown option '--%s': did you mean '--%s'?",
			       name, near->name);
	return err_set(a->e, ERR_USAGE, "unknown option '--%s'%s", name,
		       len > SHOWN_MAX ? "..." : "");
}

/* Fail for the unknown option -LETTER, and name the one long option that begins with
 * it. */
static int unknown_letter(struct args *a, char letter)
{
	const struct opt *near = NULL;
	size_t n = 0;

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

/* Take the long option ARG, behind its dashes. */
static int take_long(struct args *a, char *arg)
{
	size_t len = strcspn(arg, "=");
	const struct opt *o = find_long(a->command, arg, len);
	char *value = arg[len] ? arg + len + 1 : NULL;
	char shown[64];

	if (!o && !strcmp(arg, "help"))
		return ask_for(a, ARGS_MANUAL);
	if (!o && !strcmp(arg, "spec"))
		return ask_for(a, ARGS_SPEC);
	if (!o)
		return unknown_long(a, arg, len);
	snprintf(shown, sizeof(shown), "--%s", o->name);
	if (o->kind == OPT_FLAG && value)
		return err_set(a->e, ERR_USAGE, "%s takes no value", shown);
	if (o->kind != OPT_FLAG && o->kind != OPT_SWITCH && !value) {
		if (!*a->next)
			return err_set(a->e, ERR_USAGE,
				       "%s wants a value: %s=%s", shown, shown,
				       o->arg);
		value = *a->next++;
	}
	return store(o, shown, value, a->e);
}

/* Take the letters of ARG, behind its dash, of which the last may have a value:
 * the rest of ARG, or the next argument. */
static int take_letters(struct args *a, char *arg)
{
	for (; *arg; arg++) {
		const char shown[] = {'-', *arg, '\0'};
		const struct opt *o = find_letter(a->command, *arg);

		if (!o && *arg == 'h')
			return ask_for(a, ARGS_HELP);
		if (!o)
			return unknown_letter(a, *arg);
		if (o->kind == OPT_FLAG || o->kind == OPT_SWITCH) {
			store(o, shown, NULL, a->e);
			continue;
		}
		if (arg[1])
			return store(o, shown, arg + 1, a->e);
		if (*a->next)
			return store(o, shown, *a->next++, a->e);
		return err_set(a->e, ERR_USAGE, "%s wants a value: %s %s",
			       shown, shown, o->arg);
	}
	return 0;
}

/* How many operands the command takes at most. */
static size_t most_operands(const char *operands)
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

int args_parse(const struct cmd *c, char **argv, int *n, enum args_ask *ask,
	       struct err *e)
{
	char **kept = argv + (*argv != NULL);
	struct args a = {.command = c, .next = kept, .e = e};
	size_t found = 0;
	bool options = true;
	int r = 0;

	while (r == 0 && a.ask == ARGS_RUN && *a.next) {
		char *arg = *a.next++;

		if (!options || arg[0] != '-' || !arg[1])
			kept[found++] = arg;
		else if (!strcmp(arg, "--"))
			options = false;
		else if (arg[1] == '-')
			r = take_long(&a, arg + 2);
		else
			r = take_letters(&a, arg + 1);
	}
	kept[found] = NULL;
	*n = (int)found;
	*ask = a.ask;
	if (r == 0 && a.ask == ARGS_RUN && found > most_operands(c->operands))
		r = err_set(e, ERR_USAGE, "unexpected operand '%s'",
			    kept[most_operands(c->operands)]);
	return r;
}
