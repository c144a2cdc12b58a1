/* browse.h: the contents of stores as an HTML page.
 *
 * The page is one file that needs no other file and no network. The data is
 * JSON in a script element whose type no browser executes, with each `<`
 * written as \u003c. The frame, style and program are browse.html, browse.css
 * and browse.js in this directory; the Makefile turns them into C strings.
 *
 * Texts may be hostile. They occur only in the JSON, where nothing can end the
 * element, and hidden characters are made visible (see text/sanitize.h). The
 * program inserts them into the page as text, never as markup. As a second
 * defence, the content security policy allows only this program, named by its
 * SHA-256, and loads nothing.
 *
 * A page has at most BROWSE_MAX bytes if possible. To achieve that, the longest
 * texts are cut to a common length and marked as cut, but never below
 * BROWSE_LEAST bytes.
 */
#ifndef CO_OVERVIEW_BROWSE_H
#define CO_OVERVIEW_BROWSE_H

#include "store/store.h"

#define BROWSE_MAX 8000000
#define BROWSE_LEAST 160

struct browse {
	struct store *const *stores; /* the project's store first */
	size_t n;
	bool sensitive; /* include the texts of sensitive memories */
};

/* Write the page to OUT, which must be empty. Broken memories are reported to
 * the report of their store, errors of a context to R. Return 0, or -1 if a
 * directory cannot be read. */
int browse_page(struct buf *out, const struct browse *b, const struct report *r,
		struct err *e);

/* The file of the page.
 *
 * A page holds the memories of the project and the user, so only the user may
 * read it: mode 0600, in $XDG_CACHE_HOME/co-cli/browse/ with mode 0700. There
 * is one file per project, rewritten each time. A purge removes all of them. */

/* Append the path of the page of S. Return 0, or -1 if the cache directory is
 * unknown. */
int browse_file_path(struct buf *path, const struct store *s, struct err *e);

/* Write the LEN bytes of PAGE to PATH; the directory is created if
 * necessary. */
int browse_file_keep(const char *path, const char *page, size_t len,
		     struct err *e);

/* Write PAGE to the file NAME, which the user chose. An existing file keeps its
 * mode. Set *PATH to its absolute path, allocated in A. */
int browse_file_write(const char *name, const char *page, size_t len,
		      struct arena *a, const char **path, struct err *e);

/* Remove all pages that browse_file_keep() wrote. Return 0, or -1 if some may
 * remain. */
int browse_file_forget(struct err *e);

/* Append the path of the program that opens files for the user. Return false if
 * nothing can be shown: standard output is not a terminal, there is no display,
 * or the program is not installed. */
bool browse_file_viewer(struct buf *program, const char *argv0);

#endif
