/* help.c: the build makes the table of our programs from cmd/, so that listing
 * them runs none. Programs of others are run to get their summary.
 */
#include "cli/command.h"

#include "base/strings.h"
#include "sys/execpath.h"

#define GUESSES 3 /* maximum number of suggestions */

static const struct {
	const char *name, *kind, *summary, *operands;
} commands[] = {
#include "commands.h"
};

/* The groups of `co help`, in order. A program belongs to the first group that
 * has its kind and either lists its name or lists none. */
static const struct {
	const char *heading, *kind;
	const char *names; /* blank before and after each; NULL: all others */
} groups[] = {
	{"Start:", "porcelain", " init setup status "},
	{"Save and change:", "porcelain", " learn edit tag forget undo "},
	{"Find:", "porcelain", " recall list show "},
	{"Decide what agents know:", "porcelain", " review context "},
	{"More:", "porcelain", NULL},
	{"Plumbing, for scripts and pipelines:", "plumbing", NULL},
	{"Others:", "other", NULL},
};

/* Return true if NAMES, a list with a blank before and after each name,
 * contains NAME. */
static bool has_name(const char *names, const char *name)
{
	const size_t len = strlen(name);

	if (!len || strchr(name, ' '))
		return false;
	for (const char *p = names; (p = strstr(p, name)); p += len) {
		if (p[-1] == ' ' && p[len] == ' ')
			return true;
	}
	return false;
}

/* Return the index of the group that P belongs to. */
static size_t group_of(const struct execpath_program *p)
{
	size_t g = 0;

	while (strcmp(groups[g].kind, p->kind) != 0 ||
	       (groups[g].names && !has_name(groups[g].names, p->name + 3)))
		g++;
	return g;
}

bool command_takes_ids(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
		if (!strcmp(commands[i].name, name))
			return strstr(commands[i].operands, "ID|") != NULL;
	}
	return false;
}

void command_list(struct execpath *s, const char *argv0, struct arena *a)
{
	execpath_list(s, argv0, a);
	for (size_t i = 0; i < s->n; i++) {
		struct execpath_program *p = &s->items[i];

		for (size_t k = 0; p->ours && k < ARRAY_LEN(commands); k++) {
			if (strcmp(p->name, commands[k].name) != 0)
				continue;
			p->kind = commands[k].kind;
			p->summary = commands[k].summary;
		}
	}
	execpath_describe(s, a);
}

/* Append the heading of group G and its programs, the names padded to WIDTH.
 * Append nothing if the group is empty. */
static void add_group(struct buf *out, const struct execpath *s, size_t g,
		      int width)
{
	bool any = false;

	for (size_t i = 0; i < s->n; i++) {
		const struct execpath_program *p = &s->items[i];

		if (group_of(p) != g)
			continue;
		if (!any)
			buf_addf(out, "%s\n", groups[g].heading);
		any = true;
		if (*p->summary)
			buf_addf(out, "    %-*s  %s\n", width, p->name + 3,
				 p->summary);
		else
			buf_addf(out, "    %s\n", p->name + 3);
	}
}

void command_list_text(struct buf *out, const struct execpath *s, bool all)
{
	int width = 0;

	buf_adds(out, "usage: co [-C DIR] COMMAND [ARGUMENT...]\n\n");
	for (size_t i = 0; i < s->n; i++) {
		const int len = (int)strlen(s->items[i].name + 3);

		if ((all || groups[group_of(&s->items[i])].names) &&
		    len > width)
			width = len;
	}
	for (size_t g = 0; g < ARRAY_LEN(groups); g++) {
		if (all || groups[g].names)
			add_group(out, s, g, width);
	}
	if (!all)
		buf_adds(out, "\nexample: co learn 'We use pnpm, not npm'; "
			      "co recall pnpm\n");
	buf_addf(out, "%s'co help COMMAND' opens its manual%s.\n",
		 all ? "\n" : "",
		 all ? "" : "; 'co help -a' lists all commands");
	buf_adds(out, "'co help tutorial' teaches them; 'co help guide' lists "
		      "more to read.\n");
}

/* Names that other tools use. If ALIAS, `co NAME` runs the command; otherwise
 * the command is only suggested, in quotation marks. */
static const struct {
	const char *names, *means;
	bool alias;
} synonyms[] = {
	{" ls ", "co list", true},
	{" search ", "co recall", true},
	{" grep ", "co memory-grep", true},
	{" stats ", "co knowledge --stats", true},
	{" check ", "co knowledge --check", true},
	{" add save new remember note ", "co learn", false},
	{" rm remove delete del drop ", "co forget", false},
	{" unforget ", "co forget --undo", false},
	{" restore undelete ", "co memory-restore", true},
	{" purge shred erase ", "co forget --purge ID", false},
	{" diff changes ", "co knowledge --diff", false},
	{" find query ask lookup q ", "co recall", false},
	{" rg ", "co memory-grep", false},
	{" ll all ", "co list", false},
	{" recent ", "co list --sort=modified", false},
	{" history ", "co log", false},
	{" cat view open less print get ", "co show", false},
	{" stat count ", "co knowledge --stats", false},
	{" fsck doctor verify lint ", "co knowledge --check", false},
	{" fix repair ", "co knowledge --check --fix", false},
	{" reindex index ", "co knowledge --reindex", false},
	{" load ", "co import", false},
	{" dump backup ", "co export", false},
	{" tags label ", "co tag", false},
	{" set settings preferences ", "co config", false},
	{" drafts inbox ", "co list --drafts", false},
	{" trash ", "co list --trash", false},
	{" articles ", "co list --articles", false},
	{" accept approve reject ", "co review", false},
	{" replace update correct ",
	 "co edit ID' or 'co learn --replaces=ID TEXT", false},
	{" mv ", "co move", false},
	{" todo todos ", "co tasks", false},
	{" start begin ", "co init", false},
	{" install ", "co setup", false},
	{" uninstall ", "co setup --remove", false},
};

const char *command_alias(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(synonyms); i++) {
		if (synonyms[i].alias && has_name(synonyms[i].names, name))
			return synonyms[i].means + strlen("co ");
	}
	return NULL;
}

/* Append the command KNOWN, blanks around it left out, if NAME differs from it by D
 * letters. N commands were appended before. Return 1, or 0 if it differs otherwise. */
static size_t add_near(struct buf *out, size_t n, const char *known,
		       const char *name, size_t d)
{
	char word[64];

	known += *known == ' ';
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(known, " "), known);
	if (strings_near(word, name) != d)
		return 0;
	buf_addf(out, "%s'co %s'", n ? " or " : "did you mean ", word);
	return 1;
}

/* Append the everyday commands that begin with LETTER. Return their number. */
static size_t add_everyday(struct buf *out, char letter)
{
	size_t n = 0;

	for (size_t g = 0; g < ARRAY_LEN(groups); g++) {
		const char *p = groups[g].names;

		while (p && *++p) {
			const int len = (int)strcspn(p, " ");

			if (*p == letter)
				buf_addf(out, "%s'co %.*s'",
					 n++ ? " or " : "did you mean ", len,
					 p);
			p += len;
		}
	}
	return n;
}

void command_guess(struct buf *out, const struct execpath *s, const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_LEN(synonyms); i++) {
		if (*name && has_name(synonyms[i].names, name)) {
			buf_addf(out, "did you mean '%s'?", synonyms[i].means);
			return;
		}
	}

	if (strlen(name) == 1)
		n = add_everyday(out, *name);
	for (size_t d = n ? SIZE_MAX : 0; d <= STRINGS_NEAR_MOST; d++) {
		for (size_t i = 0; i < s->n && n < GUESSES; i++)
			n += add_near(out, n, s->items[i].name + 3, name, d);
		for (size_t i = 0; i < ARRAY_LEN(synonyms) && n < GUESSES;
		     i++) {
			if (synonyms[i].alias)
				n += add_near(out, n, synonyms[i].names, name,
					      d);
		}
	}
	if (n)
		buf_addc(out, '?');
}
