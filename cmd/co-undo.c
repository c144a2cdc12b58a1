/* co-undo: undo the last operation. */
#include "cli/out.h"
#include "cli/setup-agent.h"
#include "cli/stores.h"
#include "cli/undoing.h"
#include "history/undo.h"
#include "repair/repair.h"
#include "store/display.h"
#include "sys/terminal.h"

#include <unistd.h>

#define SHOWN 20 /* operations */

static bool global, dry, list, json;

static const struct opt opts[] = {
	OPT_DRY_RUN(&dry),
	FLAG(0, "list", &list,
	     "list the last operations, newest first; -n N: only N"),
	FLAG(0, "json", &json, "with --list, print JSON, one operation a line"),
	OPT_GLOBAL(&global),
	OPT_QUIET,
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-undo",
	.summary = "undo the last operation",
	.synopsis = "[-n] [--global] [-q] [OPERATION]\n"
		    "--list [-n N] [--json] [--global]",
	.operands = "[OPERATION]",
	.opts = opts,
};

static struct store store;

/* Print the operations. COUNT is the operand of -n or NULL. */
static void print_log(const char *count)
{
	struct buf text = {0};
	int64_t most = SHOWN;
	struct err e;

	if (count && !store_is_id(count, &most))
		cli_usage("-n takes the number of operations, not '%s'", count);
	if (undo_list(&store, (size_t)most,
		      json ? OPERATION_JSON : OPERATION_TEXT,
		      isatty(STDOUT_FILENO), &text, &e) < 0)
		cli_complain(&e);
	else if (!text.len)
		cli_note("no operation is recorded");
	if (!json)
		display_cut(&text, 0, terminal_columns(STDOUT_FILENO));
	out_buf(&text);
}

/* Restore the conflicts of git in the files of OP, which co-resolve resolved. */
static void reopen_conflicts(const struct oplog_op *op)
{
	struct err e;
	const int n = repair_reopen_merge(&store, op, &e);

	if (n < 0)
		cli_complain(&e);
	else if (n)
		cli_hint(
			"git has its conflict back: 'co resolve%s' resolves it",
			global ? " --global" : "");
	else
		cli_note("the files are again as git left them, but git's "
			 "index is unchanged: no merge is in progress, or its "
			 "result is committed");
}

static void undo(const char *operand, const char *argv0)
{
	struct undoing u = {.store = &store, .dry = dry};
	const char *const option = global ? " --global" : "";
	int64_t number = 0;
	struct err e;
	int r;

	if (operand && !store_is_id(operand, &number))
		cli_usage("'%s' is not an operation: 'co undo --list' shows "
			  "their numbers",
			  operand);
	r = undoing_run(&u, number, &e);
	if (r == 0 && operand) {
		cli_note("nothing to undo: the files are as before "
			 "operation %lld",
			 (long long)number);
		cli_hint("'co undo --list%s' shows the operations", option);
		cli_hint("'co restore ID' brings a memory back");
	} else if (r == 0)
		cli_note("nothing to undo");
	if (r == 0 && !operand)
		setup_agent_hint_removal(!global, argv0);
	if (u.elsewhere && r == 0)
		cli_hint("the last operation was in the user store: 'co undo "
			 "--global' undoes it");
	if (r > 0 && !dry)
		cli_hint("'co redo%s' does it again", option);
	if (r > 0 && !dry && undo_took_back(&u.undo, "co-resolve"))
		reopen_conflicts(u.op);
	if (r < 0 && e.code == ERR_BUSY)
		cli_hint("'co undo --list%s' and 'co log%s' show the later "
			 "changes",
			 option, option);
	undoing_release(&u);
}

int main(int argc, char **argv)
{
	const char *argv0 = argv[0];
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	if (list && n != dry)
		cli_usage("--list takes no operand except that of -n");
	if (json && !list)
		cli_usage("--json is for --list");
	cli_open_store(&store, global);
	if (list)
		print_log(operands[0]);
	else
		undo(operands[0], argv0);
	store_close(&store);
	return cli_finish(ERR_NONE);
}
