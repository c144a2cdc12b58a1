/* editor.h: a text in the user's editor.
 *
 * The editor is the user's own: $VISUAL, else $EDITOR, else vi.  It never gets
 * the real file, but a copy in a folder that only the user can look into, so
 * that what it writes can be checked before it counts.
 */
#ifndef CO_SYS_EDITOR_H
#define CO_SYS_EDITOR_H

#include "base/buf.h"
#include "base/err.h"

/* What becomes of the edited TEXT: 0, or -1 where it cannot be used.  PATH is
 * the copy, so that a complaint names a file that the user can look at. */
typedef int editor_fn(void *ctx, const struct buf *text, const char *path,
		      struct err *e);

/* Let the user edit WAS in a copy called NAME, and hand what it then holds, at
 * most MAX bytes, to USE.  Returns 1; 0 when nothing was changed; or -1: what
 * USE says, ERR_HELPER when there is no editor or it failed, ERR_SYSTEM.  An
 * edit that could not be used is kept: *KEPT is its path, yours, else NULL. */
int editor_edit(const char *name, const struct buf *was, size_t max,
		editor_fn *use, void *ctx, char **kept, struct err *e);

#endif
