/* past-read.c: commits first, then files, then what of it still exists. */
#include "past/past-read.h"

#include "past/alive.h"
#include "past/commit-rules.h"
#include "past/project-files.h"
#include "repo/gitdir.h"

#include <sys/stat.h>

#define YEAR ((int64_t)365 * 24 * 60 * 60)
#define YEAR_POINTS 4	 /* lost for each year before the newest commit */
#define YEAR_BREAKING 20 /* of a breaking change, which the next one outdates */
#define YEARS_MAX 12
#define LEAST 40 /* points in the end */

/* Open the git work tree of C.  *BELOW: it holds more than C->dir.  Returns 0 or
 * -1. */
static int find_work_tree(struct candidates *c, bool *below, struct err *e)
{
	struct gitdir g;
	struct stat st;
	struct buf path = {0};
	const int r = gitdir_find(&g, c->dir, e);

	if (r == 0)
		return err_set(e, ERR_SYSTEM, "'%s' is not in a git work tree",
			       c->dir);
	if (r < 0)
		return -1;
	*below = strcmp(g.top, c->dir) != 0;
	buf_addf(&path, "%s/shallow", g.common);
	c->shallow = stat(path.p, &st) == 0 && st.st_size > 0;
	buf_release(&path);
	gitdir_release(&g);
	return 0;
}

struct reading {
	struct commit_rules rules;
	int64_t newest;
};

static void read_commit(void *ctx, const struct commit *c)
{
	struct reading *r = ctx;

	if (c->at > r->newest)
		r->newest = c->at;
	commit_rules_apply(&r->rules, c);
}

/* Lower the points of what is old. */
static void lower_old(struct candidates *c, int64_t newest)
{
	for (size_t i = 0; i < c->n; i++) {
		struct candidate *one = &c->items[i];
		int64_t years = (newest - one->at) / YEAR;

		years = years > YEARS_MAX ? YEARS_MAX : years < 0 ? 0 : years;
		if (one->kind == CANDIDATE_BREAKING)
			one->points -= (int)years * YEAR_BREAKING;
		else if (one->kind != CANDIDATE_TRAILER)
			one->points -= (int)years * YEAR_POINTS;
	}
}

static void drop_low(struct candidates *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++) {
		if (c->items[i].points >= LEAST)
			c->items[n++] = c->items[i];
	}
	c->n = n;
}

int past_read(struct candidates *c, struct err *e)
{
	struct commit_log log = {.dir = c->dir,
				 .range = c->range,
				 .max = CANDIDATES_COMMITS,
				 .progress = c->progress};
	struct reading r = {.rules.found = c};
	int result;

	if (find_work_tree(c, &log.below, e) < 0)
		return -1;
	result = commit_log_each(&log, read_commit, &r, e);
	commit_rules_finish(&r.rules);
	lower_old(c, r.newest);
	c->commits = log.n;
	c->more = log.more;
	c->skipped = log.skipped;
	if (!result)
		result = alive_filter(c, e);
	drop_low(c);
	if (!result && !c->range)
		result = project_files_read(c, e);
	candidates_sort(c);
	commit_rules_release(&r.rules);
	return result;
}
