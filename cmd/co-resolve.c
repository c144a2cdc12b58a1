/* co-resolve: resolve merge conflicts in memories. */
#include "cli/cli.h"
#include "cli/stores.h"
#include "repair/resolve.h"
#include "store/ids.h"
#include "cli/choose.h"
#include "sys/file.h"

#include <stdlib.h>

static bool dry, global, ours, theirs;

static const struct opt opts[] = {
	FLAG('n', "dry-run", &dry, "print the changes without making them"),
	FLAG(0, "ours", &ours, "take our side of each conflict"),
	{.kind = OPT_OR},
	FLAG(0, "theirs", &theirs, "take their side of each conflict"),
	OPT_GLOBAL(&global),
	OPT_QUIET,
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-resolve",
	.summary = "resolve merge conflicts in memories",
	.operands = "[ID|PATH|WORD...]",
	.opts = opts,
};

/* What the user named, and which of it has a conflict. */
static char **operands;
static struct store store;

/* True if OPERAND, an id or a path, means PATH, which is relative to the
 * root. */
static bool names_path(const char *path, const char *operand)
{
	const char *name = strrchr(path, '/');
	struct arena a = {0};
	const char *full = file_absolute(operand, &a, NULL);
	bool r = false;

	name = name ? name + 1 : path;
	if (operand[strspn(operand, "0123456789")] == '\0')
		r = ids_of_name(name) == strtoll(operand, NULL, 10);
	else if (full)
		r = !strcmp(full, arena_printf(&a, "%s/%s",
					       store.repo.root.path, path));
	arena_release(&a);
	return r;
}

static bool is_wanted(void *ctx, const char *path)
{
	(void)ctx;
	for (char **o = operands; *o; o++) {
		if (names_path(path, *o))
			return true;
	}
	return !*operands;
}

static void print_result(void *ctx, const char *path, bool left,
			 const char *what)
{
	struct buf line = {0};

	(void)ctx;
	buf_addf(&line, "%s %s %s\n", left ? "✗" : "✓", path, what);
	cli_out_text(line.p, line.len);
	buf_release(&line);
}

/* Resolve as R says. Return as resolve_merge(). */
static int resolve(struct resolve *r, struct err *e)
{
	const int left = resolve_merge(r, e);

	if (left < 0 && e->code == ERR_NO)
		cli_note("%s", e->text);
	else if (left < 0)
		cli_complain(e);
	if (r->choice)
		cli_hint("'co resolve --ours' or '--theirs' takes one side; "
			 "'co edit ID' opens the file");
	return left;
}

int main(int argc, char **argv)
{
	struct resolve r = {.store = &store,
			    .wanted = is_wanted,
			    .say = print_result,
			    .report = cli_report()};
	struct err e;
	int n, left;

	operands = cli_start(&cmd, argc, argv, &n);
	if (ours && theirs)
		cli_usage("--ours and --theirs exclude each other");
	r.dry = dry;
	if (ours || theirs)
		r.side = ours ? RESOLVE_OURS : RESOLVE_THEIRS;
	cli_open_store(&store, global);
	if (store.repo.root.fd < 0) {
		err_set(&e, ERR_NO, "there is no %s store here",
			global ? "user" : "project");
		cli_die(&e);
	}
	left = resolve(&r, &e);
	store_close(&store);
	return cli_finish(left > 0 ? ERR_NO : ERR_NONE);
}
