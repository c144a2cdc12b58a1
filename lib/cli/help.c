/* help.c: how near two names are is counted in changes of one letter. */
#include "cli/help.h"

#define FAR 3		/* changes that still leave a name near to another */
#define GUESSES 3	/* that are worth reading */
#define NAME_LONGEST 64 /* longer ones are near to nothing */

void help_commands(struct buf *out, const struct execpath *s)
{
	static const struct {
		const char *kind, *heading;
	} groups[] = {
		{"porcelain", "Commands:"},
		{"plumbing", "Plumbing, for scripts and pipelines:"},
		{"other", "Others:"},
	};
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

			if (strcmp(p->kind, groups[g].kind))
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

void help_guess(struct buf *out, const struct execpath *s, const char *name)
{
	size_t n = 0;

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
