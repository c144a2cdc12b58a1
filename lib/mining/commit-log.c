/* commit-log.c: `git log -z` ends each commit with a NUL, and a message holds none.
 * The output is handled as it arrives, and at most one message is in memory. */
#include "mining/commit-log.h"

#include "sys/git.h"

#define FORMAT "--format=%H%n%ct%n%an <%ae>%n%B"

struct reader {
	struct commit_log *l;
	commit_log_fn *fn;
	void *ctx;
	bool skipping; /* the rest of a message that is too long */
};

/* Return the line at *P, NUL-terminated in place, and move *P to the next one. */
static char *cut_line(char **p)
{
	char *line = *p, *end = strchr(line, '\n');

	*p = end ? end + 1 : line + strlen(line);
	if (end)
		*end = '\0';
	return line;
}

/* Pass on the commit TEXT, which is NUL-terminated and may be changed. */
static void pass_commit(struct reader *r, char *text)
{
	struct commit c;

	r->l->n++;
	progress_step(r->l->progress, "commits", r->l->n, 0);
	if (r->skipping) {
		r->skipping = false;
		r->l->skipped++;
		return;
	}
	c.name = cut_line(&text);
	c.at = strtoll(cut_line(&text), NULL, 10);
	c.author = cut_line(&text);
	c.subject = cut_line(&text);
	c.body = text;
	r->fn(r->ctx, &c);
}

static bool parse_log(void *ctx, struct buf *out)
{
	struct reader *r = ctx;
	size_t at = 0;
	char *nul;

	while (r->l->n < r->l->max &&
	       (nul = memchr(out->p + at, '\0', out->len - at))) {
		pass_commit(r, out->p + at);
		at = (size_t)(nul - out->p) + 1;
	}
	if (r->l->n == r->l->max) {
		r->l->more |= at < out->len;
		at = out->len;
	} else if (out->len - at > COMMIT_LOG_TEXT) {
		r->skipping = true;
		at = out->len;
	}
	memmove(out->p, out->p + at, out->len - at);
	buf_cut(out, out->len - at);
	return !r->l->more;
}

/* Return 1 if the range of L names commits, 0 if there is no commit yet, or -1. */
static int check_range(const struct commit_log *l, struct err *e)
{
	struct buf out = {0};
	int r;

	if (l->range && (l->range[0] == '-' || !l->range[0]))
		return err_set(e, ERR_USAGE, "'%s' is not a range of commits",
			       l->range);
	r = git_ask(l->dir,
		    (const char *const[]){"rev-parse", "-q", "--verify", "HEAD",
					  NULL},
		    "", 0, &out, e);
	if (r >= 0 && l->range) {
		r = git_ask(l->dir,
			    (const char *const[]){"rev-list", "--max-count=1",
						  l->range, "--", NULL},
			    "", 0, &out, NULL);
		if (r)
			r = err_set(e, ERR_USAGE, "'%s' names no commits here",
				    l->range);
	}
	buf_release(&out);
	return r < 0 ? -1 : !r;
}

int commit_log_each(struct commit_log *l, commit_log_fn *fn, void *ctx,
		    struct err *e)
{
	struct reader r = {.l = l, .fn = fn, .ctx = ctx};
	char most[40];
	int status = check_range(l, e);

	if (status <= 0)
		return status;
	snprintf(most, sizeof(most), "--max-count=%zu", l->max + 1);
	status = git_ask_taking(
		l->dir,
		(const char *const[]){"log", "-z", "--no-merges", "--no-notes",
				      "--no-color", FORMAT, most,
				      l->range ? l->range : "HEAD", "--",
				      l->below ? "." : NULL, NULL},
		"", 0, parse_log, &r, e);
	if (l->more)
		return 0;
	if (status > 0)
		return err_set(e, ERR_HELPER, "git cannot read the history");
	return status;
}
