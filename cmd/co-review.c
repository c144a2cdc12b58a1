/* co-review: accept or reject drafts, or review memories that are due. */
#include "cli/choose.h"
#include "cli/stores.h"
#include "review/decide.h"
#include "store/drafts.h"

#include <unistd.h>

static struct store store;
static struct decide draft = {.s = &store};
static bool list, accept, reject, global, everywhere, allow_secret, keep_trust;
static const char *expected, *keep;

static const struct opt opts[] = {
	FLAG(0, "list", &list, "list the drafts, by id"),
	FLAG(0, "accept", &accept,
	     "accept the drafts named, without a question"),
	FLAG(0, "reject", &reject,
	     "move the drafts named to the trash, without a question"),
	FLAG(0, "due", &draft.due,
	     "review memories whose review-after has passed"),
	{OPT_STR, 0, "keep", &keep, "DATE", NULL,
	 "with --due, review those named again at DATE, or never"},
	{OPT_TAGS, 't', "tag", &draft.tags, "TAG", NULL,
	 "select those with TAG; may be given again"},
	{OPT_STR, 0, "source", &draft.source, "SOURCE", NULL,
	 "select those from SOURCE"},
	FLAG(0, "if-same", &draft.same,
	     "require that standard input is the text of the draft"),
	OPT_EXPECT(&expected, "the replaced memory"),
	FLAG(0, "json", &draft.json,
	     "print records or results as JSON, one per line"),
	FLAG(0, "sensitive", &draft.sensitive, "include sensitive ones"),
	OPT_COLOR(&draft.color),
	OPT_ALLOW_SECRET(&allow_secret, "accept"),
	FLAG(0, "keep-trust", &keep_trust,
	     "keep it external if its writer had read others' text"),
	OPT_GLOBAL(&global),
	OPT_ALL_PROJECTS(&everywhere),
	OPT_QUIET,
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-review",
	.summary = "accept or reject drafts",
	.synopsis = "[-t TAG]... [--source=SOURCE] [--color=WHEN] "
		    "[--allow-secret] [--keep-trust] [--global|-A] "
		    "[ID|PATH|WORD...]\n"
		    "--list [-t TAG]... [--source=SOURCE] [--sensitive] "
		    "[--json] [--global|-A]\n"
		    "--accept|--reject [--allow-secret] [--keep-trust] "
		    "[--json] [--global] [-q] [ID|PATH|WORD...|-]\n"
		    "--accept|--reject -t TAG|--source=SOURCE "
		    "[--allow-secret] [--keep-trust] [--json] [--global] "
		    "[-q]\n"
		    "--accept|--reject --if-same [--expect=SHA256] "
		    "[--allow-secret] [--keep-trust] [--json] [--global] [-q] "
		    "ID|PATH\n"
		    "--due [--list] [-t TAG]... [--source=SOURCE] "
		    "[--sensitive] [--json] [--color=WHEN] [--global]\n"
		    "--due --keep=DATE [-t TAG]... [--source=SOURCE] [--json] "
		    "[--global] [-q] [ID|PATH|WORD...|-]",
	.operands = "[ID|PATH|WORD...|-]",
	.items = "an operand is -",
	.opts = opts,
	.hint = "'co review' shows what waits",
	.habits = (const char *const[]){"accept", "co review --accept*",
					"reject", "co review --reject*",
					"--rejected", "co list --trash",
					"--all", "co review", NULL},
};

/* Return true if options, not operands, select the drafts or memories. */
static bool has_filter(void)
{
	return draft.tags.n || draft.source || (draft.due && !keep);
}

/* Ask about each of NAMES, or about all drafts if it is NULL. Without a
 * terminal, only list what no operand NAMED. */
static int review_drafts(const struct strings *names, bool named)
{
	const char *what = draft.due ? "nothing is due for review"
			   : names   ? "no such drafts wait"
				     : "no drafts wait";
	const bool asks = cli_on_terminal() && isatty(STDOUT_FILENO) && !list &&
			  !draft.json;
	struct err e;
	size_t n = names ? names->n : 0;

	if (!names && store_count(draft.s, AREA_DRAFTS, &n, &e) < 0)
		cli_die(&e);
	if (!n)
		cli_note("%s", what);
	else if (asks)
		decide_walk(&draft, names);
	else if (!named)
		decide_list(&draft);
	if (n && !asks && !draft.due) {
		cli_note("nothing was changed");
		cli_hint("not a terminal: 'co review --accept ID' or '--reject "
			 "ID' decides");
		return ERR_NO;
	}
	if (!global && !draft.json)
		decide_hint_global(draft.due);
	return ERR_NONE;
}

/* Append the operands, or the lines of standard input, to NAMES. Do nothing if
 * options select them. */
static void read_names(struct strings *names, char **operands, int n)
{
	if (has_filter())
		return;
	if (n && !draft.same)
		cli_choose_several(&operands, n, global,
				   keep ? CHOOSE_MEMORIES : CHOOSE_DRAFTS,
				   accept   ? "Accept which?"
				   : reject ? "Reject which?"
					    : "Review which?");
	if (n || !isatty(STDIN_FILENO))
		cli_list_items(operands, false, names);
	if (!names->n)
		cli_want_operand(keep ? CHOOSE_MEMORIES : CHOOSE_DRAFTS);
}

static void check_usage(int n)
{
	const bool decides = accept || reject || keep;

	if (draft.due ? accept || reject || everywhere || draft.same
		      : keep != NULL)
		cli_usage("--due cannot be used with --accept, --reject or "
			  "--all-projects, and --keep requires --due");
	if (everywhere && (decides || global))
		cli_usage("--all-projects cannot be used with --accept, "
			  "--reject or --global: 'co -C DIR review' decides in "
			  "one");
	if (list + accept + reject + !!keep > 1 ||
	    (!decides && (draft.same || (n && (list || draft.due)))))
		cli_usage("expected 'co review [ID]', or with an id 'co review "
			  "--accept ID', --reject or --due --keep=DATE");
	if (n && has_filter())
		cli_usage("--tag and --source choose where no ID does");
	if (draft.same && n != 1)
		cli_usage("--if-same requires one draft");
	if (expected && !(accept && draft.same))
		cli_usage("--expect requires --accept --if-same");
	if ((draft.json && !list && !draft.due && !decides) ||
	    (cli_quiet && !decides))
		cli_usage("--json and --quiet require --accept or --reject");
}

/* Carry out the requested action for NAMES. Return the exit status. */
static int run_action(const struct strings *names, bool named)
{
	if (list && !draft.due)
		decide_list(&draft);
	else if (!accept && !reject && !keep)
		return review_drafts(named || has_filter() ? names : NULL,
				     named);
	else if (!names->n)
		cli_note(draft.due ? "nothing like that is due for review"
				   : "no such drafts wait");
	else if (keep)
		decide_keep(&draft, names, keep);
	else
		(accept ? decide_accept : decide_reject)(&draft, names);
	return list || names->n ? ERR_NONE : ERR_NO;
}

int main(int argc, char **argv)
{
	struct strings names = {0};
	int n, status;
	struct err e;
	char **operands = cli_start(&cmd, argc, argv, &n);

	check_usage(n);
	if (accept || reject || keep || n)
		read_names(&names, operands, n);
	global = global || cli_are_global(names.items, names.n,
					  keep ? AREA_MEMORIES : AREA_DRAFTS);
	cli_open_store(&store, global);
	store_allow_secret(&store, allow_secret);
	drafts_keep_trust(&store, keep_trust);
	cli_expect(&store, expected);
	if (drafts_settle(&store, &e) < 0)
		cli_complain(&e);
	if (has_filter() && (!list || draft.due) && !everywhere)
		decide_choose(&draft, &names, &cli_arena);
	status = everywhere ? decide_everywhere(&draft, list)
			    : run_action(&names, n > 0);
	free(names.items);
	store_close(&store);
	return cli_finish(status);
}
