/* co-undo: undo the last operation. */
#include "cli/out.h"
#include "cli/stores.h"
#include "history/undo.h"
#include "repair/resolve.h"

#define SHOWN 20 /* operations */

static bool global, dry, list, json;

static const struct opt opts[] = {
	OPT_DRY_RUN(&dry),
	{OPT_FLAG, 0, "list", &list, NULL, NULL,
	 "print what was done last instead, the newest first"},
	{OPT_FLAG, 0, "json", &json, NULL, NULL,
	 "list as JSON, one operation a line"},
	OPT_GLOBAL(&global),
	OPT_QUIET,
	{.kind = OPT_END},
};

static const char *const synopsis[] = {
	"[-n] [--global] [-q] [OPERATION]",
	"--list [--json] [--global]",
	NULL,
};

static const struct cmd cmd = {
	.name = "co-undo",
	.summary = "undo the last operation",
	.synopsis = synopsis,
	.operands = "[OPERATION]",
	.opts = opts,
};

static struct store store;

static void print_change(void *ctx, const char *path, const char *what)
{
	struct buf line = {0};

	(void)ctx;
	buf_addf(&line, "✓ %s %s%s\n", path, dry ? "would be " : "", what);
	out_buf(&line);
}

static int print_log(void)
{
	struct buf text = {0};
	struct err e;

	if (undo_list(&store, SHOWN, json, &text, &e) < 0)
		cli_complain(&e);
	else if (!text.len)
		cli_note("nothing was done here that is known");
	if (!text.len)
		return ERR_NO;
	out_buf(&text);
	return ERR_NONE;
}

static void note_skipped(const struct undo *u)
{
	if (u->passed == 1)
		cli_note("operation %lld is passed over: all is as it was "
			 "before it",
			 (long long)u->last);
	else if (u->passed)
		cli_note("%zu operations are passed over: all is as it was "
			 "before them",
			 u->passed);
}

/* Restore the conflicts of git in the files of OP, which co-resolve resolved. */
static void reopen_conflicts(const struct oplog_op *op)
{
	struct err e;
	const int n = resolve_reopen(&store, op, &e);

	if (n < 0)
		cli_complain(&e);
	else if (n)
		cli_hint("git has its conflict back: 'co resolve' settles it");
	else
		cli_note("git's index is unchanged: no merge is in progress, "
			 "or its result is committed");
}

static int undo(const char *operand)
{
	struct undo u = {.store = &store, .dry = dry, .fn = print_change};
	const struct oplog_op *op = NULL;
	struct buf other = {0};
	int64_t number;
	struct err e;
	int r;

	if (operand && !store_is_id(operand, &number))
		cli_usage("'%s' is no operation: 'co undo --list' shows their "
			  "numbers",
			  operand);
	r = operand ? undo_number(&u, number, &op, &e)
		    : undo_newest(&u, false, &op, &e);
	if (r < 0)
		cli_complain(&e);
	else if (r == 0 && operand)
		cli_note("nothing to undo: the files are as before "
			 "operation %lld",
			 (long long)op->number);
	else if (r == 0)
		cli_note("nothing to undo");
	if (r > 0)
		note_skipped(&u);
	if (r > 0 && !dry)
		cli_hint("'co redo%s' does it again",
			 global ? " --global" : "");
	if (r > 0 && !dry && !strcmp(op->command, "co-resolve"))
		reopen_conflicts(op);
	if (r > 0 && undo_other_half(op, &other))
		cli_hint("it was half of a move; to %s the other half: %s",
			 op->other_number ? "take back" : "see", other.p);
	buf_release(&other);
	if (r < 0 && e.code == ERR_BUSY)
		cli_hint("'co undo --list%s' shows what was done since",
			 global ? " --global" : "");
	arena_release(&u.arena);
	return r == 0 ? ERR_NO : ERR_NONE;
}

int main(int argc, char **argv)
{
	char **operands;
	int n, status;

	operands = cli_start(&cmd, argc, argv, &n);
	if (list && (n || dry))
		cli_usage("--list goes with --json and --global alone");
	if (json && !list)
		cli_usage("--json is for --list");
	cli_open_store(&store, global);
	status = list ? print_log() : undo(operands[0]);
	store_close(&store);
	return cli_finish(status);
}
