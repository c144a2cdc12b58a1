/* attachment.h: the files that articles were taken from, in attachments/.
 *
 * One stands there before an article names it, and is never changed.
 */
#ifndef CO_ARTICLE_ATTACHMENT_H
#define CO_ARTICLE_ATTACHMENT_H

#include "store/store.h"

#define ATTACHMENTS "attachments"
#define ATTACHMENT_SUM_DIGITS 12 /* of its SHA-256, before a hyphen */

/* True if NAME, of a file there, begins with a sum. */
bool attachment_has_sum(const char *name);

/* Keep BYTES, of the file or URL CALLED, durably; *KEPT, in A, is their place below
 * knowledge/.  The lock is ours.  ERR_DATA: another file has its name. */
int attachment_keep(struct store *s, const struct buf *bytes,
		    const char *called, struct arena *a, const char **kept,
		    struct err *e);

#endif
