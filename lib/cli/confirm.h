/* confirm.h: ask a person before saving a text that is probably a mistake: similar
 * memories exist, the text is the name of a file, or an edit is invalid.
 */
#ifndef CO_CLI_CONFIRM_H
#define CO_CLI_CONFIRM_H

#include "store/save.h"
#include "sys/editor.h"

enum confirm { CONFIRM_SAVE, CONFIRM_DECLINED, CONFIRM_REPLACE };

/* Print on standard error the memories of S that are similar to NEW. On a
 * terminal, ask whether to save it, and return the answer. For CONFIRM_REPLACE,
 * set *IDS, allocated in A, to the memories to replace, separated by commas; otherwise to
 * NULL.
 *
 * A memory with identical text is not similar. With --quiet and no terminal,
 * nothing is searched.
 */
enum confirm confirm_save(struct store *s, const struct store_new *new,
			  struct arena *a, const char **ids);

/* Print on standard error the memories of S that the saved memory R
 * contradicts, and set R's list of them, allocated in A. */
void confirm_saved(struct store *s, struct record *r, struct arena *a);

/* Print the memories of S that the saved memory R replaced, a line for each. */
void confirm_replaced(struct store *s, const struct record *r, struct arena *a);

/* Check that OPERANDS are a text, since a person may mean the contents of what they
 * name. End the process with 2 if each is an address or the name of a file, a directory, a
 * FIFO and so on, or with 4 if that cannot be read. If each looks like a path but no such
 * file exists, ask on a terminal whether it is a text, and end the process with 1 if it is
 * not; elsewhere print a hint. */
void confirm_is_text(char **operands);

/* Call editor_edit() for ED. If the result is invalid, print why, and on a terminal ask
 * whether to edit it again. Print errors, that nothing was changed, and for a kept edit
 * that the command RESUME opens it. Return 1 if the edit was used, 0 if nothing was
 * changed. End the process after an error. */
int confirm_edit(struct editor ed, const char *resume);

#endif
