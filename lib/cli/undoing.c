/* undoing.c: see undoing.h. */
#include "cli/undoing.h"

#include "cli/command.h"
#include "cli/out.h"
#include "history/undo.h"
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
	if (u->skipped == 1)
		cli_note("skipped operation %lld, which changes nothing here",
			 (long long)u->last_skipped);
	else if (u->skipped)
		cli_note("skipped %zu operations, which change nothing here",
			 u->skipped);
}

/* Print what U did, which DONE collected. */
static void print_done(const struct undoing *u, struct undo_text *done)
{
	const struct oplog_op *op = u->redo ? u->undo.origin : u->op;
	struct buf text = {0};

	note_skipped(&u->undo);
	done->ids = op && command_takes_ids(op->command);
	undo_text_undone(done, verb_of(u), op, u->dry, isatty(STDOUT_FILENO),
			 &text);
	out_buf(&text);
}

/* Print what was done in the store with the root ROOT. */
static void print_there(const struct undoing *u, struct undo_text *done,
			const char *root)
{
	const bool global = done->store->repo.root.scope == SCOPE_GLOBAL;
	struct buf text = {0}, where = {0};

	if (global)
		buf_adds(&where, "the user store");
	else
		sanitize_line(&where, root, strlen(root));
	if (!done->n) {
		cli_note("the other half in %s was undone before", where.p);
	} else {
		struct buf verb = {0};

		buf_addf(&verb, "%s the other half in %s", verb_of(u), where.p);
		undo_text_undone(done, verb.p, NULL, u->dry, false, &text);
		buf_release(&verb);
	}
	out_buf(&text);
	buf_release(&where);
}

/* Undo only the half in this store of u->op, a move. Returns as undo_number(). */
static int run_half(struct undoing *u, struct undo_text *done, struct err *e)
{
	const int r = undo_number(&u->undo, u->op->number, &u->op, e);

	if (r > 0)
		print_done(u, done);
	return r;
}

/* Undo u->op, half of a move, in both stores, or only here if the other half is
 * gone. DONE collects the files here. Returns as undo_number(). */
static int run_move(struct undoing *u, struct undo_text *done, struct err *e)
{
	struct undo_text there = {.redo = u->redo};
	struct undo_move m = {.fn = undo_text_add, .ctx = &there};
	int r = 1;

	there.store = &m.store;
	u->undo.defer_moves = false;
	switch (undo_move(&u->undo, u->op, &m, e)) {
	case UNDO_MOVE_DONE:
		print_done(u, done);
		print_there(u, &there, u->op->other);
		break;
	case UNDO_MOVE_STORE_GONE:
		r = run_half(u, done, e);
		if (r > 0)
			cli_note("the other half was not: the store '%s' is "
				 "gone",
				 u->op->other);
		break;
	case UNDO_MOVE_HALF_GONE:
		r = run_half(u, done, e);
		break;
	case UNDO_MOVE_FAILED:
	case UNDO_MOVE_TORN:
		r = -1;
	}
	undo_text_release(&there);
	undo_move_close(&m);
	return r;
}

/* Find out whether the last operation was one in the user store, not in the
 * project of U. Neither store is changed then: an older operation of the project
 * is not what the person means, and a session in another project may have
 * changed the user store. Return 0, or -1 with ERR_NO if it is so. If nothing
 * can be undone in the project, return 0 and set u->elsewhere. */
static int check_elsewhere(struct undoing *u, struct err *e)
{
	const char *what = u->redo ? "redo" : "undo";
	struct undo_last here, there;
	struct arena a = {0};
	struct store user;
	struct undo_text name = {.store = &user};
	struct buf text = {0};
	int r = 0;

	if (u->store->repo.root.scope != SCOPE_PROJECT ||
	    store_open(&user, SCOPE_GLOBAL, NULL, NULL) < 0)
		return 0;
	/* What cannot be read is reported by the command for that store. */
	if (undo_last(&there, &user, u->redo, &a) < 0 ||
	    undo_last(&here, u->store, u->redo, &a) < 0 ||
	    !undo_is_later(&there, &here) ||
	    (there.next->other &&
	     !strcmp(there.next->other, u->store->repo.root.path)))
		goto out;
	u->elsewhere = true;
	if (!here.next)
		goto out;
	name.ids = command_takes_ids(there.next->command);
	undo_text_name(&name, there.next, isatty(STDERR_FILENO), &text);
	r = err_set(e, ERR_NO, "the last operation was %s in the user store",
		    text.p);
	cli_complain(e);
	cli_hint("'co %s --global' is for the user store", what);
	cli_hint("'co undo %lld' undoes the last one of the project",
		 (long long)here.next->number);
out:
	buf_release(&text);
	arena_release(&a);
	store_close(&user);
	return r;
}

int undoing_run(struct undoing *u, int64_t number, struct err *e)
{
	struct undo_text done = {.store = u->store, .redo = u->redo};
	int r;

	if (!number && check_elsewhere(u, e) < 0)
		return -1;
	u->undo = (struct undo){.store = u->store,
				.dry = u->dry,
				.defer_moves = true,
				.fn = undo_text_add,
				.ctx = &done};
	r = number ? undo_number(&u->undo, number, &u->op, e)
		   : undo_newest(&u->undo, u->redo, &u->op, e);
	if (r == 2)
		r = run_move(u, &done, e);
	else if (r == 1)
		print_done(u, &done);
	if (r < 0)
		cli_complain(e);
	undo_text_release(&done);
	return r;
}

void undoing_release(struct undoing *u)
{
	arena_release(&u->undo.arena);
}
