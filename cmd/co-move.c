/* co-move: move memories to another store. */
#include "agent/context.h"
#include "cli/choose.h"
#include "cli/out.h"
#include "cli/stores.h"
#include "format/json-write.h"
#include "move/move.h"
#include "store/display.h"
#include "sys/dirs.h"

static bool dry, json, global, allow_secret;
static const char *target;

static const struct opt opts[] = {
	{OPT_STR, 0, "to", &target, "PLACE", NULL,
	 "move to global, or a project's directory, name or id"},
	OPT_ALLOW_SECRET(&allow_secret, "move"),
	OPT_GLOBAL(&global),
	OPT_DRY_RUN(&dry),
	FLAG(0, "json", &json,
	     "print the moved memories as JSON, one per line"),
	OPT_QUIET,
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-move",
	.summary = "move memories to another store",
	.synopsis = "--to=PLACE [-n] [--global] [--allow-secret] [--json] "
		    "[-q] ID|PATH|WORD|-...",
	.operands = "ID|PATH|WORD|-...",
	.items = "an operand is -",
	.opts = opts,
	.hint = "'co list' shows the memories",
};

static struct store from, to;
static struct strings items;
static struct move_references all_references; /* in FROM */

/* Print that WAS became R, and which files still name it. */
static void print_moved(const struct record *was, const struct record *r)
{
	struct strings references = {0};
	struct buf out = {0};

	move_references_to(&all_references, was, &references);
	if (json) {
		json_write_open(&out, NULL, '{');
		json_write_int(&out, "from_id", was->id);
		json_write_text(&out, "from_path", was->path);
		if (!dry) {
			json_write_int(&out, "memory_id", r->id);
			json_write_text(&out, "path", r->path);
		}
		json_write_text(&out, "scope",
				record_scope_name(to.repo.root.scope));
		json_write_texts(&out, "references", references.items,
				 references.n);
		out_json(&out);
	} else if (dry) {
		out_line(was, false);
	} else {
		buf_addf(&out, "✓ Moved memory %s%lld", record_prefix(was),
			 (long long)was->id);
		display_file(&out, " to", r);
		buf_addf(&out, "Location: %s\n", dirs_shown_path(r->path));
		out_buf(&out);
	}
	for (size_t i = 0; i < references.n; i++)
		cli_note("'%s' names it still", references.items[i]);
	free(references.items);
}

/* Read OPERAND, a memory or a draft, into WAS. Return 1, 0 if there is none, or -1. */
static int read_item(const char *operand, struct record *was, bool *draft,
		     struct err *e)
{
	const char *path;
	int found = store_locate(&from, AREA_MEMORIES, operand, &cli_arena,
				 &path, e);

	*draft = !found;
	if (!found)
		found = store_locate(&from, AREA_DRAFTS, operand, &cli_arena,
				     &path, e);
	return found == 1 ? store_read(&from, path, &cli_arena, was, e) : found;
}

/* Fail if the target store cannot take WAS. */
static int check_target(const struct record *was, bool draft, struct err *e)
{
	struct buf text = {0};
	int r = move_text(&from, &to, was, was->id, &text, e);

	if (!r && !draft && rules_has(was))
		r = context_has_room(&to, was->content, was->content_len, e);
	buf_release(&text);
	return r;
}

static int move_item(const char *operand, struct err *e)
{
	struct record was, r;
	bool draft;
	int found = read_item(operand, &was, &draft, e);

	if (found == 0)
		return store_absent(&from, operand, e);
	if (found < 0 || check_target(&was, draft, e) < 0)
		return -1;
	found = dry ? 0 : move_one(&from, &to, &was, &cli_arena, &r, e);
	if (found == 1)
		cli_note("'%s' exists already: removed it here", r.path);
	if (found >= 0)
		print_moved(&was, &r);
	return found < 0 ? -1 : 0;
}

/* Return true if an item can move to the target store, or if a read failed. */
static bool can_move_any(void)
{
	struct err e = {.code = ERR_NONE};
	struct record was;
	bool draft, can = false;

	for (size_t i = 0; i < items.n && !can; i++)
		can = (read_item(items.items[i], &was, &draft, &e) == 1 &&
		       check_target(&was, draft, &e) == 0) ||
		      e.code == ERR_SYSTEM;
	return can;
}

/* Move all items under both locks, taken after the input was read. */
static void move_all(void)
{
	struct err e;

	if (to.repo.root.fd < 0 && !(dry = dry || !can_move_any()))
		cli_make_store(&to);
	if ((dry ? move_check(&from, &to, &e) : move_begin(&from, &to, &e)) <
		    0 ||
	    move_find_references(&from, &all_references, &cli_arena, &e) < 0)
		cli_die(&e);
	for (size_t i = 0; i < items.n; i++) {
		if (move_item(items.items[i], &e) < 0)
			cli_complain(&e);
	}
	if (!dry)
		move_end(&from, &to);
}

/* Fail for a command line without --to. If the last of the N OPERANDS is the place, say
 * how to write it. */
static void refuse_without_target(char **operands, int n)
{
	const char *place = n > 1 ? operands[n - 1] : NULL;
	struct buf what = {0};
	struct err e;
	const bool found =
		place && !move_open_target(&to, place, NULL, &cli_arena, &e);

	for (int i = 0; i < n - found; i++)
		buf_addf(&what, " %s", operands[i]);
	if (found)
		cli_usage("the place follows --to: did you mean 'co move "
			  "--to=%s%s'?",
			  place, what.p);
	cli_usage("say where to: 'co move --to=global%s' moves it to the user "
		  "store, --to=PROJECT to a project",
		  n ? what.p : " ID");
}

int main(int argc, char **argv)
{
	struct err e;
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	if (!target)
		refuse_without_target(operands, n);
	cli_choose_several(&operands, n, global, CHOOSE_MEMORIES,
			   "Move which?");
	cli_list_items(operands, false, &items);
	cli_open_store(&from, global || cli_are_global(items.items, items.n,
						       AREA_MEMORIES));
	if (move_open_target(&to, target, cli_report(), &cli_arena, &e) < 0)
		cli_die(&e);
	if (dry && !json)
		cli_outf("Would move to %s:\n", to.repo.root.path);
	to.command = cli_name();
	store_allow_secret(&to, allow_secret);
	move_all();
	store_close(&to);
	store_close(&from);
	free(items.items);
	free(all_references.items);
	return cli_finish(0);
}
