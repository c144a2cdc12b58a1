/* co-refresh: compare articles with their sources, and replace them. */
#include "article/article.h"
#include "base/instant.h"
#include "cli/cli.h"
#include "cli/stores.h"
#include "learn/learn.h"

#include <stdlib.h>

#define DAY (24 * 60 * 60)

static bool global, dry, yes, allow_private;
static size_t older;

static const struct opt opts[] = {
	{OPT_COUNT, 0, "older", &older, "DAYS", NULL,
	 "select those fetched more than DAYS days ago"},
	FLAG(0, "allow-private", &allow_private,
	     "allow addresses of this machine and of the local network"),
	OPT_GLOBAL(&global),
	OPT_DRY_RUN(&dry),
	FLAG('y', "yes", &yes, "replace without asking"),
	OPT_QUIET,
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-refresh",
	.summary = "update articles from their sources",
	.operands = "[PATH...]",
	.opts = opts,
	.hint = "'co list --articles' shows the articles",
};

static struct store store;
static struct article_refresh *all;
static struct article_refresh_sources known;
static size_t n_all, cap, unchanged;

static int add_article(const struct record *r, struct err *e)
{
	struct article_refresh f;
	int done;

	if (older && instant_now().sec - r->at.sec <= (int64_t)older * DAY)
		return 0;
	done = article_refresh_of(&f, &store, r, &cli_arena, e);
	for (size_t i = 0; i < n_all && value_get(r->frontmatter, "part"); i++)
		done = !strcmp(all[i].path, f.path) ? 1 : done;
	if (done) {
		article_refresh_release(&f);
		return done < 0 ? -1 : 0;
	}
	*MEM_ADD(all, n_all, cap) = f;
	return 0;
}

static int add_any(void *ctx, const struct record *r)
{
	struct err e;

	(void)ctx;
	if (article_refresh_can(&store, r, &cli_arena) &&
	    article_refresh_is_first(&known, r) && add_article(r, &e) < 0)
		cli_complain(&e);
	return 0;
}

static int add_named(void *ctx, const char *operand, struct err *e)
{
	struct record r;
	int found =
		store_find(&store, AREA_ARTICLES, operand, &cli_arena, &r, e);

	(void)ctx;
	if (found < 0)
		return -1;
	if (!found)
		return err_set(e, ERR_NO, "no article '%s'", operand);
	if (!article_refresh_can(&store, &r, &cli_arena))
		return err_set(
			e, ERR_DATA,
			"'%s' is from '%s', which is neither a URL nor "
			"in this project: 'co learn' keeps what it is now",
			operand, r.source);
	return add_article(&r, e);
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct article_refresh *)a)->path,
		      ((const struct article_refresh *)b)->path);
}

static void print_state(struct article_refresh *f)
{
	static const char *const words[] = {"not modified", "gone", "changed"};
	struct buf diff = {0};

	cli_outf("%s: %s\n", f->path, words[f->state]);
	if (f->state == REFRESH_CHANGED)
		article_refresh_diff(&diff, f);
	cli_out_text(buf_str(&diff), diff.len);
	cli_flush();
	buf_release(&diff);
}

/* Find the articles to refresh: the operands, or all. */
static int find_articles(char **operands, int n, struct err *e)
{
	int r;

	if (article_refresh_sources_read(&known, &store, e) < 0)
		return -1;
	if (!n) {
		r = store_each(&store, AREA_ARTICLES, add_any, NULL, e);
		if (!r && !n_all)
			cli_note("no articles to refresh");
		return r;
	}
	cli_each(operands, false, add_named, NULL);
	return 0;
}

static int refresh_article(struct article_refresh *f, struct arena *a,
			   struct err *e)
{
	if (article_refresh_look(f, &store, &known, allow_private, a, e) < 0)
		return -1;
	print_state(f);
	if (!dry) {
		if (f->state == REFRESH_CHANGED &&
		    !learn_article_agreed("Replace it? [y/N]", yes))
			return err_set(e, ERR_NO, "'%s' stays as it is",
				       f->path);
		if (article_refresh_write(f, &store, a, e) < 0)
			return -1;
	}
	unchanged += f->state != REFRESH_CHANGED &&
		     (f->state != REFRESH_GONE || f->was_gone);
	return 0;
}

int main(int argc, char **argv)
{
	struct err e;
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	cli_open_store(&store, global);
	if (find_articles(operands, n, &e) < 0)
		cli_die(&e);
	MEM_SORT(all, n_all, by_path);
	for (size_t i = 0; i < n_all; i++) {
		struct arena a = {0};

		if (refresh_article(&all[i], &a, &e) < 0)
			cli_complain(&e);
		cli_flush();
		article_refresh_release(&all[i]);
		arena_release(&a);
	}
	free(all);
	article_refresh_sources_release(&known);
	store_close(&store);
	if (n_all && unchanged == n_all && !cli_quiet)
		cli_note("nothing has changed");
	return cli_finish(ERR_NONE);
}
