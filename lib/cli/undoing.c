/* undoing.c: see undoing.h. */
#include "cli/undoing.h"

#include "cli/out.h"
#include "history/operation-text.h"
#include "history/undo-move.h"
#include "text/sanitize.h"

#include <unistd.h>

static const char *verb_of(const struct undoing *u)
{
	if (u->dry)
		return u->redo ? "Would redo" : "Would undo";
	return u->redo ? "Redid" : "Undid";
}

static void note_skipped(const struct undo *u)
{
	if (u->passed == 1)
		cli_note("skipped operation %lld, which changes nothing here",
			 (long long)u->last);
	else if (u->passed)
		cli_note("skipped %zu operations, which change nothing here",
			 u->passed);
}

/* Print what U did, which DONE collected. */
static void print_done(const struct undoing *u, struct operation_text *done)
{
	const struct oplog_op *op = u->redo ? u->undo.origin : u->op;
	struct buf text = {0};

	note_skipped(&u->undo);
	operation_text_undone(done, verb_of(u), op, u->dry,
			      isatty(STDOUT_FILENO), &text);
	out_buf(&text);
}

/* Print what was done in the store with the root ROOT. */
static void print_there(const struct undoing *u, struct operation_text *done,
			const char *root)
{
	const bool global = done->store->repo.root.scope == SCOPE_GLOBAL;
	struct buf text = {0}, verb = {0};

	buf_addf(&verb, "%s the other half in ", verb_of(u));
	if (global)
		buf_adds(&verb, "the user store");
	else
		sanitize_line(&verb, root, strlen(root));
	operation_text_undone(done, verb.p, NULL, u->dry, false, &text);
	out_buf(&text);
	buf_release(&verb);
}

/* Hint at the command for the half of OP in the other store. */
static void hint_half(const struct oplog_op *op)
{
	struct buf other = {0};

	if (undo_other_half(op, &other))
		cli_hint("it was half of a move; to %s the other half: %s",
			 op->other_number ? "take back" : "see", other.p);
	buf_release(&other);
}

/* Undo u->op, half of a move, in both stores, or only here if the other half
 * cannot be undone. DONE collects the files here. Returns as undo_number(). */
static int run_move(struct undoing *u, struct operation_text *done,
		    struct err *e)
{
	struct operation_text there = {0};
	struct undo_move m = {.fn = operation_text_add, .ctx = &there};
	bool half;
	int r;

	there.store = &m.store;
	u->undo.whole = false;
	r = undo_move(&u->undo, u->op, &m, &half, e);
	if (r == 0) {
		r = undo_number(&u->undo, u->op->number, &u->op, e);
		if (r > 0)
			print_done(u, done);
		if (r > 0 && !u->dry)
			hint_half(u->op);
	} else if (r > 0) {
		print_done(u, done);
		print_there(u, &there, u->op->other);
	}
	if (r < 0 && half)
		hint_half(u->op);
	operation_text_release(&there);
	undo_move_close(&m);
	return r;
}

int undoing_run(struct undoing *u, int64_t number, struct err *e)
{
	struct operation_text done = {.store = u->store};
	int r;

	u->undo = (struct undo){.store = u->store,
				.dry = u->dry,
				.whole = true,
				.fn = operation_text_add,
				.ctx = &done};
	r = number ? undo_number(&u->undo, number, &u->op, e)
		   : undo_newest(&u->undo, u->redo, &u->op, e);
	if (r == 2)
		r = run_move(u, &done, e);
	else if (r == 1)
		print_done(u, &done);
	if (r < 0)
		cli_complain(e);
	operation_text_release(&done);
	return r;
}

void undoing_release(struct undoing *u)
{
	arena_release(&u->undo.arena);
}
