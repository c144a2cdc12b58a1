/* help.c: how near two names are is counted in changes of one letter. */
#include "cli/help.h"

#define FAR 3		/* changes that still leave a name near to another */
#define GUESSES 3	/* that are worth reading */
#define NAME_LONGEST 64 /* longer ones are near to nothing */

/* What people want to do, and by which commands; one that is new stands below
 * the last heading for people until it is put here. */
static const struct {
	const char *heading, *kind, *names; /* a blank on either side of each */
} groups[] = {
	{"Begin, and see how things are:", "porcelain", " init setup status "},
	{"Remember, and change what is remembered:", "porcelain",
	 " learn harvest edit tag forget tasks "},
	{"Find:", "porcelain", " recall list show "},
	{"Decide what agents know and may do:", "porcelain",
	 " review context config "},
	{"Look after it:", "porcelain", " knowledge resolve import export "},
	{"More:", "porcelain", NULL},
	{"Plumbing, for scripts and pipelines:", "plumbing", NULL},
	{"Others:", "other", NULL},
};

/* True if NAMES has NAME. */
static bool lists(const char *names, const char *name)
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

/* The group that P stands in. */
static size_t group_of(const struct execpath_program *p)
{
	size_t g = 0;

	while (strcmp(groups[g].kind, p->kind) != 0 ||
	       (groups[g].names && !lists(groups[g].names, p->name + 3)))
		g++;
	return g;
}

void help_commands(struct buf *out, const struct execpath *s)
{
	int width = 0;

	buf_adds(out, "usage: co [-C DIR]... COMMAND [ARGUMENT...]\n");
	for (size_t i = 0; i < s->n; i++) {
		int len = (int)strlen(s->items[i].name + 3);

		width = len > width ? len : width;
	}
	for (size_t g = 0; g < ARRAY_LEN(groups); g++) {
		bool any = false;

		for (size_t i = 0; i < s->n; i++) {
			const struct execpath_program *p = &s->items[i];

			if (group_of(p) != g)
				continue;
			if (!any)
				buf_addf(out, "\n%s\n", groups[g].heading);
			any = true;
			if (*p->summary)
				buf_addf(out, "    %-*s  %s\n", width,
					 p->name + 3, p->summary);
			else
				buf_addf(out, "    %s\n", p->name + 3);
		}
	}
	buf_adds(out, "\n'co help COMMAND' shows the manual of one.\n");
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* How many letters must be put in, taken out, changed or swapped with their
 * neighbour to make A of B. */
static size_t distance(const char *a, const char *b)
{
	size_t rows[3][NAME_LONGEST + 1], la = strlen(a), lb = strlen(b);

	if (la > NAME_LONGEST || lb > NAME_LONGEST)
		return SIZE_MAX;
	for (size_t j = 0; j <= lb; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= la; i++) {
		size_t *now = rows[i % 3], *last = rows[(i - 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			now[j] = least(least(last[j], now[j - 1]) + 1,
				       last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				now[j] = least(now[j],
					       rows[(i + 1) % 3][j - 2] + 1);
		}
	}
	return rows[la % 3][lb];
}

/* What NAME lacks to be KNOWN; SIZE_MAX where they have nothing in common.  A
 * beginning is near, for "memory" of "memory-list". */
static size_t farness(const char *known, const char *name)
{
	size_t len = strlen(name), d = distance(known, name);

	if (len > 2 && !strncmp(known, name, len))
		return 0;
	return d <= least(len < 6 ? 1 : len / 3, FAR) ? d : SIZE_MAX;
}

/* What people type whose other tools call it so. */
static const struct {
	const char *names, *means;
} others[] = {
	{" add save new remember note ", "co learn"},
	{" rm remove delete del drop ", "co forget"},
	{" unforget ", "co forget --undo"},
	{" restore ", "co memory-restore"},
	{" search find query ask lookup ", "co recall"},
	{" grep rg ", "co memory-grep"},
	{" ls ll all ", "co list"},
	{" recent ", "co list --sort=modified"},
	{" history ", "co log"},
	{" cat view open less print get ", "co show"},
	{" stats stat count ", "co knowledge --stats"},
	{" check fsck doctor verify lint ", "co knowledge --check"},
	{" fix repair ", "co knowledge --check --fix"},
	{" reindex index ", "co knowledge --reindex"},
	{" load ", "co import"},
	{" dump backup ", "co export"},
	{" tags label ", "co tag"},
	{" set settings preferences ", "co config"},
	{" drafts inbox ", "co list --drafts"},
	{" trash ", "co list --trash"},
	{" accept approve reject ", "co review"},
	{" install ", "co setup"},
};

void help_guess(struct buf *out, const struct execpath *s, const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		if (*name && lists(others[i].names, name)) {
			buf_addf(out, "did you mean '%s'?", others[i].means);
			return;
		}
	}

	for (size_t d = 0; d <= FAR; d++) {
		for (size_t i = 0; i < s->n && n < GUESSES; i++) {
			const char *known = s->items[i].name + 3;

			if (farness(known, name) == d)
				buf_addf(out, "%s'co %s'",
					 n++ ? " or " : "did you mean ", known);
		}
	}
	if (n)
		buf_addc(out, '?');
}
