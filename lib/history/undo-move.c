/* undo-move.c: as in a move, both stores are locked, and the journal of the store that
 * loses the memory awaits the file that comes back in the other. The journal of the
 * other awaits the note of the first: if that is dropped, so is this one. */
#include "history/undo.h"

#include "move/move.h"
#include "store/journal.h"

/* Open the store with the root ROOT, the path of a .co-cli or of the user store.
 * Returns 1, 0 if it does not exist, or -1. */
static int open_root(struct store *s, const char *root,
		     const struct report *report, struct err *e)
{
	const size_t project = root_project_length(root);
	struct arena a = {0};
	int r;

	if (project) {
		r = store_open_at(s, arena_copy(&a, root, project), report, e);
	} else {
		r = store_open(s, SCOPE_GLOBAL, report, e);
		if (r == 0)
			r = s->repo.fd >= 0 && !strcmp(s->repo.root.path, root);
		if (r == 0)
			store_close(s);
	}
	arena_release(&a);
	return r;
}

/* Return true if OP, of the store with the root ROOT, is a half of the move whose
 * other half is MATE in the store with the root MATE_ROOT. */
static bool is_half(const struct oplog_op *op, const char *root,
		    const struct oplog_op *mate, const char *mate_root)
{
	return op->other && mate->other && !strcmp(op->other, mate_root) &&
	       !strcmp(mate->other, root) &&
	       (op->number == mate->other_number ||
		mate->number == op->other_number);
}

/* Find the operation in the store of M that is the other half of OP. Returns 1
 * and sets *FOUND, 0 if there is none or it is undone, or -1. */
static int find_half(struct undo_move *m, const struct undo *here,
		     const struct oplog_op *op, const struct oplog_op **found,
		     struct err *e)
{
	struct operations h = {0};
	size_t seen = 0, want;

	do {
		want = 2 * h.n + 1;
		if (undo_log(&m->store, want, &m->there.arena, &h, e) < 0)
			return -1;
		for (; seen < h.n; seen++) {
			*found = &h.ops[seen];
			if (is_half(*found, m->store.repo.root.path, op,
				    here->store->repo.root.path))
				return !(*found)->undone;
		}
	} while (h.n >= want);
	return 0;
}

/* Return true if undoing OP brings a file back. */
static bool restores_file(const struct oplog_op *op)
{
	for (size_t i = 0; i < op->n; i++) {
		if (op->changes[i].before && !op->changes[i].after)
			return true;
	}
	return false;
}

static void ignore_file(void *ctx, const struct undo_file *f)
{
	(void)ctx;
	(void)f;
}

/* Check that U can undo OP, changing nothing. Returns 0 or -1. */
static int check_half(const struct undo *u, const struct oplog_op *op,
		      struct err *e)
{
	struct undo trial = {.store = u->store, .dry = true, .fn = ignore_file};
	const int r = undo_number(&trial, op->number, &op, e);

	arena_release(&trial.arena);
	return r < 0 ? -1 : 0;
}

/* The two halves of a move that is undone. */
struct halves {
	struct undo *u, *v;
	const struct oplog_op *one, *two;
	bool begun; /* the first is undone, or failed */
};

/* Undo the first of two halves, as the log of the other names it. CTX is a struct
 * halves. Return 0 or -1. */
static int undo_first(void *ctx, struct err *e)
{
	struct halves *h = ctx;
	struct undo *u = h->u;
	struct store *other = h->v->store;
	int r;

	h->begun = true;
	if (journal_is_pending(other))
		u->awaits = journal_note_path(other, &u->arena);
	operation_other(u->store, other->repo.root.path, h->v->number);
	r = undo_number(u, h->one->number, &h->one, e);
	u->awaits = NULL;
	return r < 0 ? -1 : 0;
}

/* Return the path of a file that undoing OP by U brings back, or NULL. */
static const char *restored_path(struct undo *u, const struct oplog_op *op)
{
	for (size_t i = 0; i < op->n; i++) {
		if (op->changes[i].before && !op->changes[i].after)
			return arena_printf(&u->arena, "%s/%s",
					    u->store->repo.root.path,
					    op->changes[i].path);
	}
	return NULL;
}

/* Undo the two halves of H. The caller holds both locks. Return 0 or -1. */
static int undo_locked(struct halves *h, struct err *e)
{
	struct undo *v = h->v;
	int r = v->dry ? undo_first(h, e) : 0;

	if (r < 0)
		return -1;
	v->awaits = restored_path(h->u, h->one);
	v->between = undo_first;
	v->between_ctx = h;
	operation_other(v->store, h->u->store->repo.root.path, 0);
	r = undo_number(v, h->two->number, &h->two, e);
	v->between = NULL;
	v->awaits = NULL;
	if (r < 0)
		return -1;
	return h->begun ? 0 : undo_first(h, e);
}

/* Redo the first of two halves, which is undone, as half of the same move. Return 0 or
 * -1. */
static int redo_first(const struct halves *h, struct err *e)
{
	struct undo again = {.store = h->u->store, .fn = ignore_file};
	const struct oplog_op *op;
	int r;

	operation_other(again.store, h->v->store->repo.root.path,
			h->two->number);
	r = undo_number(&again, h->u->number, &op, e);
	arena_release(&again.arena);
	return r < 0 ? -1 : 0;
}

/* Undo ONE by U, then TWO by V; if that fails, redo ONE. */
static enum undo_move_result
undo_both(struct undo *u, const struct oplog_op *one, struct undo *v,
	  const struct oplog_op *two, struct err *e)
{
	struct halves h = {.u = u, .v = v, .one = one, .two = two};
	struct err why, again;
	enum undo_move_result result = UNDO_MOVE_DONE;

	if (move_lock(u->store, v->store, e) < 0)
		return UNDO_MOVE_FAILED;
	if (undo_locked(&h, &why) < 0) {
		*e = why;
		result = UNDO_MOVE_FAILED;
		if (u->number && redo_first(&h, &again) < 0) {
			err_set(e, why.code,
				"%s; the half in '%s' is undone, and stays so: "
				"%s",
				why.text, u->store->repo.root.path, again.text);
			result = UNDO_MOVE_TORN;
		}
	}
	move_end(u->store, v->store);
	return result;
}

enum undo_move_result undo_move(struct undo *here, const struct oplog_op *op,
				struct undo_move *m, struct err *e)
{
	const struct oplog_op *other;
	int r = open_root(&m->store, op->other, here->store->report, e);

	if (r <= 0)
		return r < 0 ? UNDO_MOVE_FAILED : UNDO_MOVE_STORE_GONE;
	m->open = true;
	m->store.command = here->store->command;
	m->there = (struct undo){.store = &m->store,
				 .dry = here->dry,
				 .fn = m->fn,
				 .ctx = m->ctx};
	r = find_half(m, here, op, &other, e);
	if (r <= 0)
		return r < 0 ? UNDO_MOVE_FAILED : UNDO_MOVE_HALF_GONE;
	if (check_half(here, op, e) < 0 || check_half(&m->there, other, e) < 0)
		return UNDO_MOVE_FAILED;
	return restores_file(op) ? undo_both(here, op, &m->there, other, e)
				 : undo_both(&m->there, other, here, op, e);
}

void undo_move_close(struct undo_move *m)
{
	if (m->open)
		store_close(&m->store);
	arena_release(&m->there.arena);
}
