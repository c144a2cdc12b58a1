/* co-forget: move memories and articles to the trash, or bring them back */
#include "cli/out.h"
#include "cli/stores.h"
#include "porcelain/select.h"
#include "store/display.h"
#include "store/trash.h"

static bool dry, yes, all, undo, global;

static const struct opt opts[] = {
	{OPT_FLAG, 'n', "dry-run", &dry, NULL, NULL,
	 "only show what would be forgotten"},
	{OPT_FLAG, 'y', "yes", &yes, NULL, NULL, "do not ask"},
	{OPT_FLAG, 0, "all", &all, NULL, NULL,
	 "forget every match, not only a single one"},
	{OPT_FLAG, 0, "undo", &undo, NULL, NULL,
	 "bring back what was forgotten last"},
	OPT_GLOBAL(&global),
	{.kind = OPT_END},
};

static const char *const synopsis[] = {
	"[-n] [-y] [--all] [--global] ID|PATH|TEXT...",
	"--undo [--global]",
	NULL,
};

static const struct cmd cmd = {
	.name = "co-forget",
	.summary = "move memories and articles to the trash",
	.synopsis = synopsis,
	.operands = "[ID|PATH|TEXT...]",
	.opts = opts,
};

static struct store store;
static struct arena arena;

/* What is said of R, which came back. */
static const char *return_of(const struct record *r)
{
	struct layout_place p = {.draft = false};

	layout_parse(&store.repo, r->path, &arena, &p);
	return p.article ? "✓ Remembered article"
	       : p.draft ? "✓ Waiting again: draft"
			 : "✓ Remembered memory";
}

/* May those that were shown be forgotten?  The hint says what was missing. */
static bool agreed(const struct selection *c)
{
	const size_t n = c->found.n;
	const char *hint = NULL;
	char question[64];

	if (c->text && n > 1 && !all)
		hint = "several match: name those you mean by number, or give "
		       "--all";
	else if (yes || dry)
		return true;
	else if (!cli_on_terminal())
		hint = "nobody can be asked here: give -y to forget";
	snprintf(question, sizeof(question), "Forget %zu %s? [y/N]", n,
		 select_noun(c));
	if (!hint && cli_ask(question) == 'y')
		return true;
	cli_note("nothing was forgotten");
	if (hint)
		cli_hint("%s", hint);
	return false;
}

static int forget_shown(const struct results *found)
{
	const char **paths = arena_alloc(&arena, found->n * sizeof(*paths));
	struct buf text = {0};
	struct record r;
	struct err e;

	for (size_t i = 0; i < found->n; i++) {
		results_get(found, &found->items[i], &arena, &r);
		paths[i] = r.path;
	}
	if (trash_remove(&store, paths, found->n, false, &arena, NULL, &e) < 0)
		cli_die(&e);
	for (size_t i = 0; i < found->n; i++) {
		results_get(found, &found->items[i], &arena, &r);
		display_file(&text,
			     layout_is_article(r.path) ? "✓ Forgot article"
						       : "✓ Forgot memory",
			     &r);
	}
	out_buf(&text);
	cli_hint("'co forget --undo%s' brings %s back",
		 global ? " --global" : "", found->n == 1 ? "it" : "them");
	return ERR_NONE;
}

static int forget(char **operands, size_t n)
{
	struct selection c;
	struct buf hint = {0};
	struct err e;
	int status = ERR_NONE;

	if (select_memories(&c, &store, (const char *const *)operands, n,
			    &arena, &e) < 0)
		cli_die(&e);
	if (!c.found.n) {
		cli_note("no memories found matching '%s'", c.text);
		select_elsewhere(&hint, &store, c.text, &arena);
		if (hint.len)
			cli_hint("%s", hint.p);
		buf_release(&hint);
		status = ERR_NO;
	}
	out_lines(&c.found);
	if (!status && !agreed(&c))
		status = ERR_NO;
	else if (!status && !dry)
		status = forget_shown(&c.found);
	results_release(&c.found);
	return status;
}

static int bring_back(void)
{
	struct results back = {0};
	struct buf text = {0};
	struct record r;
	struct err e;
	char *foreign;
	int found = trash_undo(&store, &back, &foreign, &e);

	if (found < 0)
		cli_die(&e);
	for (size_t i = 0; i < back.n; i++) {
		arena_reset(&arena);
		results_get(&back, &back.items[i], &arena, &r);
		display_file(&text, return_of(&r), &r);
		out_buf(&text);
	}
	results_release(&back);
	if (!found && foreign) {
		cli_note("nothing to bring back: what is in the trash was not "
			 "removed here");
		cli_hint("'co memory-restore PATH' brings a file of '%s/%s' "
			 "back",
			 store.repo.path, foreign);
	} else if (!found) {
		cli_note("nothing to bring back: the trash is empty");
	}
	free(foreign);
	return found ? ERR_NONE : ERR_NO;
}

static bool is_blank(char **operands)
{
	for (; *operands; operands++) {
		if ((*operands)[strspn(*operands, " \t\n")])
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	int n, status;
	char **operands = cli_start(&cmd, argc, argv, &n);

	if (undo && (n || dry || yes || all))
		cli_usage("--undo goes with --global alone");
	if (!undo && is_blank(operands))
		cli_usage("what shall be forgotten? name a number, a path or "
			  "a text");
	global = global || cli_are_global((const char *const *)operands,
					  (size_t)n, AREA_MEMORIES);
	cli_open_store(&store, global);
	status = undo ? bring_back() : forget(operands, (size_t)n);
	store_close(&store);
	arena_release(&arena);
	return cli_finish(status);
}
