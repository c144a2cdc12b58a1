/* undo.h: undo operations, even if files have changed since.
 *
 * For each file of an operation: if it is still as the operation left it, its
 * old content is restored. If it has changed since, the operation's change is
 * removed by a merge (see merge/merge.h): base is what the operation left, ours
 * the current file, theirs the old content. If any file conflicts, nothing is
 * undone.
 */
#ifndef CO_HISTORY_UNDO_H
#define CO_HISTORY_UNDO_H

#include "oplog/oplog.h"
#include "store/store.h"

enum undo_effect { UNDO_REMOVED, UNDO_RESTORED, UNDO_REVERTED };

/* A file that was or, with DRY, would be undone. */
struct undo_file {
	const char *path; /* below the root */
	enum undo_effect effect;
	const struct buf *was;	/* its contents before, NULL if absent */
	const struct buf *text; /* its contents after, NULL if absent */
};

/* Called with each file of an operation once it is undone. F is borrowed. */
typedef void undo_fn(void *ctx, const struct undo_file *f);

struct undo {
	struct store *store; /* its report gets each conflict */
	bool dry;	     /* change nothing */
	bool defer_moves; /* change nothing if the operation is half of a move,
			   * which undo_move() undoes */
	undo_fn *fn;
	void *ctx;
	/* For undo_move(): what the journal awaits (see store/journal.h), and a function
	 * that is called between its parts, or NULL. It returns 0 or -1. */
	const char *awaits;
	int (*between)(void *ctx, struct err *e);
	void *between_ctx;

	struct arena arena;   /* release with arena_release() */
	size_t skipped;	      /* operations that undo_newest() skipped */
	int64_t last_skipped; /* number of the last one */
	int64_t number; /* of the operation that undid, 0 if there is none */
	/* If undo_newest() redid nothing: the newest undo, which it may not
	 * redo since the operation LATER came after it; else 0. */
	int64_t blocked, later;

	/* The operation that was undone or, through undos of undos, redone.
	 * NULL if the log no longer has it. */
	const struct oplog_op *origin;
	bool back; /* it was undone, not redone */
};

/* Undo the operation NUMBER. Sets *OP, allocated in U's arena. Returns 1; 2 if it
 * can be undone but is half of a move that U defers; 0 if all files already are as
 * before it; or -1: ERR_NO if there is no such operation or it is undone already;
 * ERR_BUSY if later changes conflict. */
int undo_number(struct undo *u, int64_t number, const struct oplog_op **op,
		struct err *e);

/* Undo the newest operation that is not undone: a command, or what REDO did;
 * with REDO, the newest undo, unless a command came after it. Operations that
 * leave nothing to undo are skipped. Returns as undo_number(), 0 if there is
 * none. */
int undo_newest(struct undo *u, bool redo, const struct oplog_op **op,
		struct err *e);

/* Return true if U undid, rather than redid, an operation of the command
 * NAME. */
bool undo_took_back(const struct undo *u, const char *name);

/* The end of the log of a store. */
struct undo_last {
	const struct oplog_op *newest; /* of any kind, or NULL */
	const struct oplog_op *next;   /* that undo_newest() would try first, or
					* NULL */
	struct timespec written;       /* when the log was last written */
};

/* Set L, allocated in A, for S. REDO as for undo_newest(). Return 0 or -1. The
 * caller holds no lock. */
int undo_last(struct undo_last *l, struct store *s, bool redo, struct arena *a);

/* Return true if L->next was done after everything in OTHER. */
bool undo_is_later(const struct undo_last *l, const struct undo_last *other);

/* If OP is half of a move, append the command that undoes the other half (or
 * lists it, if its number is unknown) and return true. */
bool undo_other_half(const struct oplog_op *op, struct buf *out);

/* Read the newest WANT operations of S into H, in A, after moving a log at the
 * old path to the new one. The caller holds no lock. Returns 0 or -1. */
int undo_log(struct store *s, size_t want, struct arena *a,
	     struct operations *h, struct err *e);

/* Return true if undo_newest() may undo OP, an operation of H. */
bool undo_is_next(const struct operations *h, const struct oplog_op *op,
		  bool redo);

/* Undo or redo a move in both stores.
 *
 * A move is an operation in each of two stores. Each names the other store, and
 * at least one names the number of the other operation. */

/* The half of a move in another store. The caller sets FN and CTX, which THERE
 * gets, and zeroes the rest; release it with undo_move_close(). */
struct undo_move {
	undo_fn *fn;
	void *ctx;

	struct store store;
	bool open;	   /* STORE is */
	struct undo there; /* of STORE */
};

enum undo_move_result {
	UNDO_MOVE_DONE,
	UNDO_MOVE_STORE_GONE, /* the other store does not exist */
	UNDO_MOVE_HALF_GONE,  /* the other half is undone, or not in its log */
	UNDO_MOVE_FAILED,     /* neither half is undone */
	UNDO_MOVE_TORN	      /* one half is, and could not be redone: see E */
};

/* Undo OP, half of a move in the store of HERE, and the other half in M. First the
 * memory comes back where it was, then the copy is removed; if this process is killed in
 * between, the next writer of that store removes it. If the second half fails, the first
 * is redone. E is filled for the last two results. If the other half is gone, nothing is
 * changed. */
enum undo_move_result undo_move(struct undo *here, const struct oplog_op *op,
				struct undo_move *m, struct err *e);

void undo_move_close(struct undo_move *m);

/* The forms of a list of operations. Text about a sensitive memory has its id but not its
 * words. */
enum operation_form {
	OPERATION_LINES, /* a line per operation, with the names of its files */
	OPERATION_JSON,	 /* an object per operation; see co-json(5) */
	OPERATION_TEXT,	 /* for people: with the first line of the memory */
};

/* Append the newest MOST operations of S to OUT. LOCAL: OPERATION_TEXT has local
 * times, as date_clock() writes them. Returns 0 or -1. */
int undo_list(struct store *s, size_t most, enum operation_form form,
	      bool local, struct buf *out, struct err *e);

/* Collects what undoing one operation did. The caller sets the first three members,
 * the others are zero; release it with undo_text_release(). */
struct undo_text {
	struct store *store;
	bool redo; /* it undid an undo */
	bool ids;  /* the operands of the command can be ids */

	struct touched_file *files;
	size_t n, cap;
	struct arena arena;
};

/* Add the file F to CTX, a struct undo_text: an undo_fn. */
void undo_text_add(void *ctx, const struct undo_file *f);

/* Append OP, of U's store, as "'co forget 9' of TIME", with the ids of the memories or
 * drafts that it changed, if U has IDS. LOCAL as for undo_list(). */
void undo_text_name(const struct undo_text *u, const struct oplog_op *op,
		    bool local, struct buf *out);

/* Append to OUT what was done, as "✓ VERB 'co forget 9' of TIME: memory 9 is back
 * (its first line)"; for several files, a line for each. Without OP, an operation,
 * the text begins with VERB only. DRY: "would be" for "is". */
void undo_text_undone(struct undo_text *u, const char *verb,
		      const struct oplog_op *op, bool dry, bool local,
		      struct buf *out);

void undo_text_release(struct undo_text *u);

#endif
