/* editor.h: having a person edit a text.
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

/* What is to be edited. */
struct editor {
	const char *path;      /* its file, by whose name the copy is called */
	const struct buf *was; /* what it holds */
	size_t max;	       /* bytes that an edit may have */
	enum {
		EDITOR_NEW, /* begin with WAS */
		EDITOR_KEPT, /* go on with the newest edit of PATH that was kept */
		EDITOR_ANY /* the same where there is one */
	} from;
	editor_fn *use;
	void *ctx;
	/* Says in one line what the user should know before they edit. */
	void (*note)(const char *fmt, ...) PRINTF(1, 2);
};

/* Let the user edit a copy, and hand what it then holds to USE.  Returns 1; 0
 * when nothing was changed; or -1: what USE says, ERR_HELPER when there is no
 * editor or it failed, ERR_NO when no edit is kept, ERR_BUSY when that is being
 * edited, ERR_SYSTEM.  An edit that could not be used is kept: *KEPT is its
 * path, yours, else NULL. */
int editor_edit(const struct editor *ed, char **kept, struct err *e);

/* The edits that are kept, the newest first; release with editor_list_free().
 * What cannot be read is none. */
struct editor_kept {
	char *dir;    /* holds the copy */
	char *of;     /* the path of what was edited, absolute */
	uint64_t was; /* a hash of what it held */
	int64_t at;   /* ns */
};
void editor_list(struct editor_kept **kept, size_t *n);
void editor_list_free(struct editor_kept *kept, size_t n);

/* Delete the edit KEPT, durably: 0, or -1: ERR_SYSTEM, it is still there. */
int editor_discard(const struct editor_kept *kept, struct err *e);

#endif
