/* attachment.h: the original files of articles, in attachments/.
 *
 * A file is stored before an article names it, and never changes.
 */
#ifndef CO_ARTICLE_ATTACHMENT_H
#define CO_ARTICLE_ATTACHMENT_H

#include "store/store.h"

#define ATTACHMENTS "attachments"
#define ATTACHMENT_SUM_DIGITS 12 /* of its SHA-256, before a hyphen */

/* Return true if NAME, a file name in attachments/, begins with a sum. */
bool attachment_has_sum(const char *name);

/* Store BYTES, from the file or URL CALLED, durably.  *KEPT, allocated in A, is
 * the path below knowledge/.  The caller must hold the lock.  ERR_DATA if
 * another file has the name. */
int attachment_keep(struct store *s, const struct buf *bytes,
		    const char *called, struct arena *a, const char **kept,
		    struct err *e);

#endif
