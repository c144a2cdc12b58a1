/* attachment.h: the original files of articles, in attachments/.
 *
 * A file is stored before an article names it, and never changes. A check finds files
 * that no article names, and articles whose file is missing or differs.
 */
#ifndef CO_ARTICLE_ATTACHMENT_H
#define CO_ARTICLE_ATTACHMENT_H

#include "store/store.h"

#define ATTACHMENTS "attachments"

/* Store BYTES, from the file or URL CALLED, durably. *KEPT, allocated in A, is
 * the path below knowledge/. The caller must hold the lock. ERR_DATA if
 * another file has the name. */
int attachment_keep(struct store *s, const struct buf *bytes,
		    const char *called, struct arena *a, const char **kept,
		    struct err *e);

/* Called with a fault. KIND is one word. PATH is absolute. TEXT begins with
 * it. Both are borrowed until the check ends. REMEDY is static. */
typedef void attachment_fault_fn(void *ctx, const char *kind, const char *path,
				 const char *text, const char *remedy);

/* Report to FN each entry of attachments/ that no article names (deleted
 * articles count) or whose content does not match the sum in its name. Then
 * report each article whose attachment is missing. If an article cannot be
 * read, unnamed files are not reported. Returns 0, or -1 if a directory cannot
 * be read. */
int attachment_check(struct store *s, attachment_fault_fn *fn, void *ctx,
		     struct err *e);

#endif
