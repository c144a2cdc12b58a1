/* review-walk.c: one letter, one step; each step says how the walk goes on. */
#include "porcelain/review-walk.h"

#include "sys/editor.h"

enum step {
	STEP_NEXT, /* to the next draft */
	STEP_SHOW, /* show this one again, as it is now */
	STEP_ASK,  /* ask again */
	STEP_QUIT
};

struct guide {
	struct review *v;
	const struct review_walk_ui *ui;
	struct buf answer, text;
};

/* What is gone is passed over, what has changed is shown. */
static enum step after(const struct err *e)
{
	return e->code == ERR_NO     ? STEP_NEXT
	       : e->code == ERR_BUSY ? STEP_SHOW
				     : STEP_ASK;
}

static enum step tell(struct guide *g, const struct err *e)
{
	g->ui->note("%s", e->text);
	return after(e);
}

static enum step do_accept(struct guide *g, bool rest)
{
	struct err e;

	return review_accept(g->v, rest, g->ui->accepted, &e) < 0 ? after(&e)
								  : STEP_NEXT;
}

static enum step do_reject(struct guide *g, bool rest)
{
	struct err e;
	size_t n;
	const int r = review_reject(g->v, rest, &n, &e);

	buf_cut(&g->text, 0);
	if (n)
		buf_addf(&g->text, "✓ Rejected %zu %s\n", n,
			 n == 1 ? "draft" : "drafts");
	g->ui->show(buf_str(&g->text), g->text.len);
	return r < 0 ? tell(g, &e) : STEP_NEXT;
}

static int use_edit(void *ctx, const struct buf *text, const char *path,
		    struct err *e)
{
	(void)path;
	return review_replace(ctx, text, e);
}

static enum step do_edit(struct guide *g)
{
	struct review *v = g->v;
	const struct editor ed = {.path = v->path,
				  .was = &v->text,
				  .max = STORE_FILE_MAX,
				  .from = EDITOR_ANY,
				  .use = use_edit,
				  .ctx = v,
				  .note = g->ui->note};
	enum step step = STEP_SHOW;
	char *kept;
	struct err e;

	if (editor_edit(&ed, &kept, &e) < 0)
		step = tell(g, &e);
	if (kept) {
		g->ui->note("the edit is kept in '%s'", kept);
		g->ui->note("'e' at this draft opens it again");
	}
	free(kept);
	return step;
}

static enum step do_tag(struct guide *g)
{
	struct err e;

	if (!g->ui->ask("Tags to add, -TAG to take one away, commas between:",
			&g->answer))
		return STEP_QUIT;
	return review_tag(g->v, buf_str(&g->answer), &e) < 0 ? tell(g, &e)
							     : STEP_SHOW;
}

static enum step do_help(struct guide *g)
{
	static const char text[] =
		"y - accept this draft\n"
		"n - reject it: it goes to the trash\n"
		"e - edit it\n"
		"t - change its tags\n"
		"s - skip it: it waits for another time\n"
		"a - accept it and all later ones from its source\n"
		"d - reject it and all later ones from its source\n"
		"q - quit: it and all later ones wait\n"
		"? - this help\n";

	g->ui->show(text, strlen(text));
	return STEP_ASK;
}

static enum step ask(struct guide *g)
{
	const char *p;

	if (!g->ui->ask("Accept this draft [y,n,e,t,s,a,d,q,?]?", &g->answer))
		return STEP_QUIT;
	p = buf_str(&g->answer);
	switch (p[strspn(p, " \t")]) {
	case 'y':
		return do_accept(g, false);
	case 'n':
		return do_reject(g, false);
	case 'e':
		return do_edit(g);
	case 't':
		return do_tag(g);
	case 's':
		return STEP_NEXT;
	case 'a':
		return do_accept(g, true);
	case 'd':
		return do_reject(g, true);
	case 'q':
		return STEP_QUIT;
	default:
		return do_help(g);
	}
}

/* Show the draft at hand and ask until it is decided on. */
static enum step visit(struct guide *g, struct err *e)
{
	enum step step = STEP_SHOW;
	int r = 1;

	while (step == STEP_SHOW || step == STEP_ASK) {
		if (step == STEP_SHOW) {
			buf_cut(&g->text, 0);
			review_show(&g->text, g->v);
			g->ui->show(g->text.p, g->text.len);
		}
		step = ask(g);
		if (step == STEP_SHOW)
			r = review_again(g->v, e);
		if (r != 1)
			return r < 0 ? tell(g, e) : STEP_NEXT;
	}
	return step;
}

/* Sum up what was done, and what waits now. */
static int sum_up(struct guide *g, struct err *e)
{
	size_t waiting;

	if (store_count(g->v->s, AREA_DRAFTS, &waiting, e) < 0)
		return -1;
	buf_cut(&g->text, 0);
	buf_addf(&g->text, "%zu accepted, %zu rejected, %zu waiting\n",
		 g->v->accepted, g->v->rejected, waiting);
	g->ui->show(g->text.p, g->text.len);
	return 0;
}

int review_walk(struct review *v, const struct review_walk_ui *ui,
		struct err *e)
{
	struct guide g = {.v = v, .ui = ui};
	enum step step = STEP_NEXT;
	struct err why;
	int r, result = 0;

	while (step != STEP_QUIT && (r = review_next(v, &why)) != 0) {
		if (r > 0) {
			step = visit(&g, &why);
			continue;
		}
		ui->note("%s", why.text);
		*e = why;
		result = -1;
	}
	if (!result)
		result = sum_up(&g, e);
	buf_release(&g.answer);
	buf_release(&g.text);
	return result;
}
