/* survival.c: git prints what the commits added, and one pass through the files of
 * the work tree finds these lines, wherever they are now. */
#include "mining/candidates.h"

#include "base/ascii.h"
#include "base/table.h"
#include "mining/tracked.h"
#include "sys/git.h"

#define LINE_MIN 10 /* bytes without indentation; shorter ones are everywhere */
#define LINES_MAX 400 /* of one commit; more tell no more */
#define SEVERAL 4     /* lines; a style may have changed one or two */
/* Points that are lost if less than half is left, and if the only line is gone. */
#define GONE 1000
#define ONE_GONE 25
#define LINE_MAX_BYTES ((size_t)64 * 1024)

/* A text that commits added. Each text is here once, since a line as "return 0;" may
 * be in each file and in each commit. */
struct line {
	const char *p;
	size_t len;
	size_t first; /* addition of it, plus 1; 0: it was found and counted */
};

/* A commit added a line. */
struct use {
	size_t candidate;
	size_t next; /* of the same line, plus 1; 0: none */
};

/* What the commit of a candidate added. */
struct addition {
	bool wanted;
	bool removed;	/* some line */
	size_t n, left; /* lines added */
};

struct lines {
	struct candidates *c;
	struct addition *additions; /* of each candidate */
	struct line *items;	    /* each text once */
	size_t n, cap;
	size_t found; /* of these, in the work tree */
	struct use *uses;
	size_t nuses, usecap;
	struct arena arena;
	struct table by_text;

	/* In git's output: */
	size_t at;     /* the candidate; C->n: none */
	size_t hunk;   /* lines that are left of the hunk */
	bool skipping; /* the rest of a line that is too long */
};

static void trim(const char **p, size_t *len)
{
	while (*len && ascii_is_blank((*p)[*len - 1]))
		--*len;
	while (*len && ascii_is_blank(**p)) {
		++*p;
		--*len;
	}
}

/* Return the line of LOOK whose text is the LEN bytes P, or NULL. */
static struct line *find_line(const struct lines *l, struct table_look look,
			      const char *p, size_t len)
{
	size_t i;

	while (table_next(&look, &i)) {
		if (l->items[i].len == len && !memcmp(l->items[i].p, p, len))
			return &l->items[i];
	}
	return NULL;
}

/* Return the line with this text, a new one if there is none. */
static struct line *intern_line(struct lines *l, const char *p, size_t len)
{
	const struct table_look look =
		table_look_to_put(&l->by_text, p, len, 0);
	struct line *line = find_line(l, look, p, len);

	if (line)
		return line;
	table_put_looked(&l->by_text, &look, l->n);
	line = MEM_ADD(l->items, l->n, l->cap);
	*line = (struct line){arena_copy(&l->arena, p, len), len, 0};
	return line;
}

static void add_line(struct lines *l, const char *p, size_t len)
{
	struct addition *a;
	struct line *line;

	trim(&p, &len);
	if (l->at == l->c->n || len < LINE_MIN)
		return;
	a = &l->additions[l->at];
	if (a->n == LINES_MAX)
		return;
	a->n++;
	line = intern_line(l, p, len);
	*MEM_ADD(l->uses, l->nuses, l->usecap) =
		(struct use){l->at, line->first};
	line->first = l->nuses;
}

/* Return the number after the comma at P, or 1 if a blank is there. */
static size_t hunk_lines(const char *p)
{
	return *p == ',' ? strtoul(p + 1, NULL, 10) : 1;
}

/* Return how many lines follow the head of a hunk P: "@@ -5,2 +5 @@". */
static size_t read_hunk(const char *p)
{
	const char *removed = p + strlen("@@ -"), *added;

	removed += strspn(removed, "0123456789");
	added = strchr(removed, '+');
	if (!added)
		return 0;
	added++;
	return hunk_lines(removed) +
	       hunk_lines(added + strspn(added, "0123456789"));
}

/* Set the candidate to that of the commit P, if P names one. */
static void find_commit(struct lines *l, const char *p)
{
	for (size_t i = 0; i < l->c->n; i++) {
		if (l->additions[i].wanted && !strcmp(l->c->items[i].commit, p))
			l->at = i;
	}
}

/* Read a line of git's output, NUL-terminated. */
static void read_line(struct lines *l, const char *p, size_t len)
{
	if (l->hunk && *p != '\\') {
		l->hunk--;
		if (*p == '+')
			add_line(l, p + 1, len - 1);
		else if (l->at < l->c->n)
			l->additions[l->at].removed = true;
	} else if (!strncmp(p, "@@ -", strlen("@@ -"))) {
		l->hunk = read_hunk(p);
	} else if (ascii_is_hex(*p)) {
		find_commit(l, p);
	}
}

/* A process_take_fn. */
static bool read_output(void *ctx, struct buf *out)
{
	struct lines *l = ctx;
	size_t at = 0;
	char *end;

	while ((end = memchr(out->p + at, '\n', out->len - at))) {
		*end = '\0';
		if (!l->skipping)
			read_line(l, out->p + at, (size_t)(end - out->p) - at);
		l->skipping = false;
		at = (size_t)(end - out->p) + 1;
	}
	if (out->len - at > LINE_MAX_BYTES) {
		l->hunk -= !l->skipping && l->hunk;
		l->skipping = true;
		at = out->len;
	}
	memmove(out->p, out->p + at, out->len - at);
	buf_cut(out, out->len - at);
	return true;
}

/* Count LINE, which the work tree has, as left for each commit that added it. */
static void count_left(struct lines *l, struct line *line)
{
	for (size_t i = line->first; i; i = l->uses[i - 1].next)
		l->additions[l->uses[i - 1].candidate].left++;
	line->first = 0;
	l->found++;
}

/* A tracked_fn: note which lines F has, until all were found. */
static bool mark_left(void *ctx, const struct tracked_file *f)
{
	struct lines *l = ctx;
	const char *p = buf_str(f->text), *stop = p + f->text->len;

	while (p < stop) {
		const char *end = memchr(p, '\n', (size_t)(stop - p));
		const char *word = p;
		size_t len = (size_t)((end ? end : stop) - p);
		struct line *line;

		p = end ? end + 1 : stop;
		trim(&word, &len);
		if (len < LINE_MIN)
			continue;
		line = find_line(l, table_look(&l->by_text, word, len, 0), word,
				 len);
		if (line && line->first)
			count_left(l, line);
	}
	return l->found < l->n;
}

/* Read what the commits of L added. Returns 0 or -1. */
static int read_additions(struct lines *l, struct err *e)
{
	static const char *const words[] = {"diff-tree",
					    "--stdin",
					    "--root",
					    "-r",
					    "-p",
					    "-U0",
					    "--no-color",
					    "--no-renames",
					    "--no-ext-diff",
					    "--no-textconv",
					    "--",
					    ".",
					    NULL};
	struct buf commits = {0};
	int r;

	for (size_t i = 0; i < l->c->n; i++) {
		if (l->additions[i].wanted)
			buf_addf(&commits, "%s\n", l->c->items[i].commit);
	}
	l->at = l->c->n;
	r = commits.len ? git_ask_taking(l->c->dir, words, commits.p,
					 commits.len, read_output, l, e)
			: 0;
	buf_release(&commits);
	return r > 0 ? err_set(e, ERR_HELPER, "git cannot compare commits") : r;
}

/* Return the points that A takes from its candidate. */
static int lost_points(const struct addition *a)
{
	if (!a->n)
		return a->removed ? GONE : 0;
	if (!a->left)
		return a->n > 1 ? GONE : ONE_GONE;
	return a->n >= SEVERAL && a->left * 2 < a->n ? GONE : 0;
}

int candidates_judge_survival(struct candidates *c, struct err *e)
{
	static const char *const all[] = {".", NULL};
	struct lines l = {.c = c};
	int r;

	l.additions = mem_alloc((c->n + 1) * sizeof(*l.additions));
	for (size_t i = 0; i < c->n; i++)
		l.additions[i].wanted = candidates_explains(c->items[i].kind);
	r = read_additions(&l, e);
	if (!r && l.n)
		r = tracked_each(c->dir, all, NULL, mark_left, &l, e);
	for (size_t i = 0; i < c->n && !r; i++) {
		if (l.additions[i].wanted)
			c->items[i].points -= lost_points(&l.additions[i]);
	}
	free(l.additions);
	free(l.items);
	free(l.uses);
	table_release(&l.by_text);
	arena_release(&l.arena);
	return r < 0 ? -1 : 0;
}
