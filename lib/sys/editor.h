/* editor.h: let a person edit a text.
 *
 * The editor is $VISUAL, else $EDITOR, else vi. It never gets the real file but
 * a copy in a private directory, so that the caller can check the result before
 * it uses it.
 */
#ifndef CO_SYS_EDITOR_H
#define CO_SYS_EDITOR_H

#include "base/buf.h"
#include "base/err.h"

/* Use the edited TEXT. Returns 0, or -1 if it is not usable. PATH is the copy,
 * for error messages: the user can open it. */
typedef int editor_fn(void *ctx, const struct buf *text, const char *path,
		      struct err *e);

/* An edit to make. */
struct editor {
	const char *path;      /* the real file; the copy has the same name */
	const struct buf *was; /* its current content */
	size_t max;	       /* longest edited text, in bytes */
	enum {
		EDITOR_NEW,  /* start with WAS */
		EDITOR_KEPT, /* resume the newest kept edit of PATH */
		EDITOR_ANY   /* resume a kept edit, else start with WAS */
	} from;
	editor_fn *use;
	void *ctx;
	/* Shows the user a one-line note before the editor starts. */
	void (*note)(const char *fmt, ...) PRINTF(1, 2);
};

/* Return true if VISUAL or EDITOR is set; on a terminal there is always vi. */
bool editor_is_set(void);

/* Let the user edit a copy and pass the result to USE. Returns 1 if USE
 * accepted it; 0 if nothing was changed; -1: the error of USE, ERR_HELPER if
 * there is no editor or it failed, ERR_NO if no edit is kept, ERR_BUSY if the
 * kept edit is open in another editor, or ERR_SYSTEM. After -1, the edit is
 * kept and *KEPT is its path, which the caller frees. *KEPT is NULL if there is
 * no edit, or if the editor of a new edit exited with a failure. */
int editor_edit(const struct editor *ed, char **kept, struct err *e);

/* List the kept edits, newest first. The caller frees them with
 * editor_list_free(). Unreadable ones are left out. */
struct editor_kept {
	char *dir;    /* directory of the copy */
	char *of;     /* absolute path of the real file */
	uint64_t was; /* hash of its content at that time */
	int64_t at;   /* time of the edit, in ns */
};
void editor_list(struct editor_kept **kept, size_t *n);
void editor_list_free(struct editor_kept *kept, size_t n);

/* Delete the edit KEPT durably. Returns 0, or -1 with ERR_SYSTEM: it still
 * exists. */
int editor_discard(const struct editor_kept *kept, struct err *e);

#endif
