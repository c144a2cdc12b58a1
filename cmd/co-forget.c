/* co-forget: move memories and articles to the trash, or restore them. */
#include "cli/choose.h"
#include "cli/out.h"
#include "cli/stores.h"
#include "forget/forget.h"
#include "store/display.h"
#include "store/trash.h"

static bool dry, yes, all, undo, purge, proof, global, is_list;
static const char *text_from;

static const struct opt opts[] = {
	FLAG('n', "dry-run", &dry, "show the memories without forgetting them"),
	FLAG('y', "yes", &yes, "do not ask"),
	FLAG(0, "all", &all, "forget every match, not only a single one"),
	FLAG(0, "undo", &undo, "restore the memories that were forgotten last"),
	FLAG(0, "purge", &purge,
	     "delete it for good, and name the places that still have it"),
	FLAG(0, "proof", &proof, "delete nothing, and say where it still is"),
	{OPT_WORD, 0, "text", &text_from, "-", "-",
	 "read the text from standard input, for --purge or --proof"},
	OPT_GLOBAL(&global),
	OPT_QUIET,
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-forget",
	.summary = "move memories and articles to the trash",
	.synopsis = "[-n] [-y] [--all] [--global] [-q] ID|PATH|TEXT|-...\n"
		    "--undo [--global] [-q]\n"
		    "--purge [-n] [-y] [--global] [-q] ID|PATH|--text=-\n"
		    "--proof [--global] [-q] ID|PATH|--text=-",
	.operands = "[ID|PATH|TEXT...]",
	.items = "an operand is -",
	.opts = opts,
	.hint = "'co list' shows the memories",
};

static struct store store;
static struct strings items; /* the operands, and those that - reads */

/* Return true if the user confirms, or has confirmed by an option, that the
 * selection C is to be forgotten. Otherwise print a hint. */
static bool confirm_selection(struct cli_selection *c)
{
	const size_t n = c->found.n;
	const char *hint = NULL;

	if (c->text && n > 1 && !all && !yes && !dry && cli_on_terminal())
		return cli_choose_some(&c->found, "Forget which?");
	if (c->text && n > 1 && !all)
		hint = "several match: name those you mean by number, or give "
		       "--all";
	else if (yes || dry)
		return true;
	else if (!cli_on_terminal())
		hint = "not a terminal: add -y to forget";
	if (!hint && cli_ask(arena_printf(&cli_arena, "Forget %zu %s? [y/N]", n,
					  cli_select_noun(&c->found))))
		return true;
	cli_note("nothing was forgotten");
	if (hint)
		cli_hint("%s", hint);
	return false;
}

static int forget_shown(const struct results *found)
{
	const char **paths = arena_alloc(&cli_arena, found->n * sizeof(*paths));
	struct buf text = {0};
	struct record r;
	struct err e;

	/* trash_remove() refreshes the cache, which owns the results. */
	for (size_t i = 0; i < found->n; i++) {
		results_get(found, &found->items[i], &cli_arena, &r);
		paths[i] = arena_strdup(&cli_arena, r.path);
		display_file(&text,
			     layout_is_article(r.path) ? "✓ Forgot article"
						       : "✓ Forgot memory",
			     &r);
	}
	if (trash_remove(&store, paths, found->n, false, &cli_arena, NULL, &e) <
	    0)
		cli_die(&e);
	out_buf(&text);
	cli_hint("'co undo%s' brings %s back", global ? " --global" : "",
		 found->n == 1 ? "it" : "them");
	return ERR_NONE;
}

/* On a terminal, where a person sees them, find the articles that C names. */
static void find_articles(struct cli_selection *c)
{
	struct strings words = {0};
	struct err e;

	if (!cli_on_terminal() || yes)
		return;
	cli_select_words(&words, c->text, &cli_arena);
	if (cli_select_articles(&store, false, &words, &c->found, &e) < 0)
		cli_die(&e);
	free(words.items);
}

static int forget_selected(char **operands, size_t n)
{
	struct cli_selection c = {.no_text = is_list};
	struct buf hint = {0};
	int status = ERR_NONE;
	struct err e;

	if (cli_select_memories(&c, &store, (const char *const *)operands, n,
				&cli_arena, &e) < 0)
		cli_die(&e);
	if (!c.found.n)
		find_articles(&c);
	if (!c.found.n) {
		cli_note("no memories found matching '%s'", c.text);
		forget_explain_absent(&hint, &store, c.text, &cli_arena);
		cli_hint("%s", hint.p);
		buf_release(&hint);
		status = ERR_NO;
	}
	out_lines(&c.found, false);
	if (cli_select_has_broken(&c))
		cli_hint_check(global);
	if (!status && !confirm_selection(&c))
		status = ERR_NO;
	else if (!status && !dry)
		status = forget_shown(&c.found);
	results_release(&c.found);
	return status;
}

static bool are_blank(char **operands)
{
	while (*operands && !(*operands)[strspn(*operands, " \t\n")])
		operands++;
	return !*operands;
}

static void check_usage(char **operands, int n)
{
	const bool purges = purge || proof;

	if (undo && (n || dry || yes || all || purges || text_from))
		cli_usage("with --undo, the only other option is --global: "
			  "'co restore ID' brings one memory back");
	if (purges && (n + !!text_from != 1 || all))
		cli_usage("say one of ID, PATH and --text=-");
	if (proof && (dry || yes || purge))
		cli_usage("--proof deletes nothing, and cannot be used with "
			  "--purge, -n or -y");
	if (text_from && !purges)
		cli_usage("--text requires --purge or --proof");
	if (!undo && !text_from && are_blank(operands))
		cli_want_operand(CHOOSE_ALL);
}

/* Replace the operand - of the N OPERANDS by the items of standard input, unless for a
 * purge, and set is_list. Return their number. End the process if there are none. */
static int read_operands(char ***operands, int n)
{
	cli_expand_last(*operands);
	if (undo || purge || proof)
		return n;
	is_list = cli_list_items(*operands, false, &items);
	if (!items.n)
		exit(cli_finish(0));
	strings_add(&items, NULL);
	*operands = (char **)(uintptr_t)items.items;
	return (int)items.n - 1;
}

int main(int argc, char **argv)
{
	struct forget_purge p = {.s = &store};
	int n, status;
	char **operands = cli_start(&cmd, argc, argv, &n);

	check_usage(operands, n);
	n = read_operands(&operands, n);
	global = global || cli_are_global((const char *const *)operands,
					  (size_t)n, AREA_MEMORIES);
	cli_open_store(&store, global);
	if (purge || proof) {
		p.operand = text_from ? NULL : *operands;
		p.proof = proof;
		p.dry = dry;
		p.ask = !yes;
		status = forget_purge(&p);
	} else {
		status = undo ? forget_restore_last(&store)
			      : forget_selected(operands, (size_t)n);
	}
	store_close(&store);
	return cli_finish(status);
}
