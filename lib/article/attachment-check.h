/* attachment-check.h: check that articles and attachments match. */
#ifndef CO_ARTICLE_ATTACHMENT_CHECK_H
#define CO_ARTICLE_ATTACHMENT_CHECK_H

#include "store/store.h"

/* Called with a fault.  KIND is one word.  PATH is absolute.  TEXT begins with
 * it.  Both are borrowed until the check ends.  REMEDY is static. */
typedef void attachment_fault_fn(void *ctx, const char *kind, const char *path,
				 const char *text, const char *remedy);

/* Report to FN each entry of attachments/ that no article names (deleted
 * articles count) or whose content does not match the sum in its name.  Then
 * report each article whose attachment is missing.  If an article cannot be
 * read, unnamed files are not reported.  Returns 0, or -1 if a directory cannot
 * be read. */
int attachment_check(struct store *s, attachment_fault_fn *fn, void *ctx,
		     struct err *e);

#endif
