/* co-resolve: resolve merge conflicts in memories. */
#include "cli/choose.h"
#include "cli/out.h"
#include "cli/stores.h"
#include "repair/repair.h"
#include "repo/gitdir.h"
#include "store/ids.h"
#include "sys/file.h"

static bool dry, global, ours, theirs;
static int64_t first_left; /* id of the first memory left to a person, or 0 */

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
static bool *has_conflict;
static struct store store;

/* Return true if OPERAND, an id or a path, means PATH, which is relative to the
 * root. It may be written as the output names it, too, and the file may be missing: one
 * side may have removed it. */
static bool names_path(const char *path, const char *operand)
{
	struct arena a = {0};
	bool r = !strcmp(operand, path);
	int64_t id;

	if (store_is_id(operand, &id) || store_is_global_id(operand, &id))
		r = ids_of_name(file_name_of(path)) == id;
	else if (!r)
		r = !strcmp(
			file_resolve(operand, &a),
			arena_printf(&a, "%s/%s", store.repo.root.path, path));
	arena_release(&a);
	return r;
}

static bool is_wanted(void *ctx, const char *path)
{
	bool wanted = !*operands;

	(void)ctx;
	for (size_t i = 0; operands[i]; i++) {
		if (names_path(path, operands[i]))
			wanted = has_conflict[i] = true;
	}
	return wanted;
}

/* Report the operands without a conflict. Return ERR_NO if there are any. */
static int report_unmet(void)
{
	int status = ERR_NONE;

	for (size_t i = 0; operands[i]; i++) {
		if (has_conflict[i])
			continue;
		cli_note("'%s' has no conflict", operands[i]);
		status = ERR_NO;
	}
	if (status)
		cli_hint("'co resolve%s -n' lists the conflicts",
			 global ? " --global" : "");
	return status;
}

static void print_result(void *ctx, const char *path, bool left,
			 const char *what)
{
	struct buf line = {0};

	(void)ctx;
	if (left && !first_left)
		first_left = ids_of_name(file_name_of(path));
	path = out_file_name(path, global);
	if (dry && !left)
		buf_addf(&line, "would resolve %s: it %s\n", path, what);
	else
		buf_addf(&line, "%s %s %s\n", left ? "✗" : "✓", path, what);
	cli_out_text(line.p, line.len);
	buf_release(&line);
}

/* Resolve as R says. Return as repair_merge(). */
static int resolve(struct resolve *r, struct err *e)
{
	const int left = repair_merge(r, e);

	if (left < 0 && e->code == ERR_NO)
		cli_note("%s", e->text);
	else if (left < 0)
		cli_complain(e);
	if (r->choice) {
		cli_hint("'co resolve%s --ours' or '--theirs' takes one side",
			 global ? " --global" : "");
		if (first_left)
			cli_hint("%s'co edit %s%lld' opens it",
				 global ? "" : "'git diff' shows both sides, ",
				 global ? "g" : "", (long long)first_left);
	} else if (!left && !r->dry && cli_on_terminal()) {
		cli_hint("%s", global ? "'co sync' sends the result"
				      : "'git commit' ends a merge, 'git "
					"rebase --continue' a rebase");
	}
	return left;
}

/* Replace words among the N operands by paths of memories. Memories of the user mean
 * --global. */
static void choose_operands(int n)
{
	n = n ? cli_choose(operands, n, global, CHOOSE_MEMORIES) : 0;
	global = global || cli_are_global((const char *const *)operands,
					  (size_t)n, AREA_MEMORIES);
	has_conflict =
		arena_alloc(&cli_arena, (size_t)n * sizeof(*has_conflict));
}

/* End the process unless the store exists and is in a work tree of git: nothing else
 * has conflicts of a merge. */
static void require_work_tree(void)
{
	const struct root *root = &store.repo.root;
	const char *what = global ? "user" : "project";
	struct gitdir g;
	struct err e;
	const int r = root->fd < 0 ? 0 : gitdir_find(&g, root->path, &e);

	if (r < 0)
		cli_die(&e);
	if (r) {
		gitdir_release(&g);
		return;
	}
	if (root->fd < 0)
		cli_note("there is no %s store here", what);
	else
		cli_note("'%s': the %s store is in no git repository, so no "
			 "merge can leave conflicts in it",
			 root->path, what);
	if (!global)
		cli_hint("'co resolve --global' is for the user store");
	else if (root->fd >= 0)
		cli_hint("'co setup git --user URL' makes it a repository that "
			 "'co sync' merges");
	cli_end(ERR_NO);
}

int main(int argc, char **argv)
{
	struct resolve r = {.store = &store,
			    .wanted = is_wanted,
			    .say = print_result,
			    .report = cli_report()};
	struct err e;
	int n, left, status = ERR_NONE;

	operands = cli_start(&cmd, argc, argv, &n);
	if (ours && theirs)
		cli_usage("--ours and --theirs exclude each other");
	r.dry = dry;
	if (ours || theirs)
		r.side = ours ? RESOLVE_OURS : RESOLVE_THEIRS;
	choose_operands(n);
	cli_open_store(&store, global);
	require_work_tree();
	left = resolve(&r, &e);
	if (left >= 0)
		status = report_unmet();
	store_close(&store);
	return cli_finish(left > 0 ? ERR_NO : status);
}
