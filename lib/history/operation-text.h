/* operation-text.h: operations, and what undoing them did, as text.
 *
 * Text about a sensitive memory has its id but not its words.
 */
#ifndef CO_HISTORY_OPERATION_TEXT_H
#define CO_HISTORY_OPERATION_TEXT_H

#include "history/undo.h"

enum operation_form {
	OPERATION_LINES, /* a line per operation, with the names of its files */
	OPERATION_JSON,	 /* an object per operation; see co-json(5) */
	OPERATION_TEXT,	 /* for people: with the first line of the memory */
};

/* Append the newest MOST operations of S to OUT. LOCAL: OPERATION_TEXT has local
 * times, as date_clock() writes them. Returns 0 or -1. */
int operation_list(struct store *s, size_t most, enum operation_form form,
		   bool local, struct buf *out, struct err *e);

/* Collects what undoing one operation did. The caller sets the first two members,
 * the others are zero; release it with operation_text_release(). */
struct operation_text {
	struct store *store;
	bool redo; /* it undid an undo */

	struct touched_file *files;
	size_t n, cap;
	struct arena arena;
};

/* Add the file F to CTX, a struct operation_text: an undo_fn. */
void operation_text_add(void *ctx, const struct undo_file *f);

/* Append OP as "'co forget' of TIME"; LOCAL as for operation_list(). */
void operation_text_name(struct buf *out, const struct oplog_op *op,
			 bool local);

/* Append to OUT what was done, as "✓ VERB 'co forget' of TIME: memory 9 is back
 * (its first line)"; for several files, a line for each. Without OP, an operation,
 * the text begins with VERB alone. DRY: "would be" for "is". */
void operation_text_undone(struct operation_text *u, const char *verb,
			   const struct oplog_op *op, bool dry, bool local,
			   struct buf *out);

void operation_text_release(struct operation_text *u);

#endif
