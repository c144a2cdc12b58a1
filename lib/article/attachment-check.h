/* attachment-check.h: whether articles and their attachments belong together. */
#ifndef CO_ARTICLE_ATTACHMENT_CHECK_H
#define CO_ARTICLE_ATTACHMENT_CHECK_H

#include "store/store.h"

/* KIND is a word; PATH, absolute, and TEXT, a sentence that begins with it, stay
 * ours; REMEDY is a literal. */
typedef void attachment_fault_fn(void *ctx, const char *kind, const char *path,
				 const char *text, const char *remedy);

/* Call FN for what is in attachments/ and is no file that an article names, one in
 * the trash too, or has not the sum that it is called by; then for each article
 * whose attachment is not there.  An article that cannot be read may
 * name any file.  0, or -1: a folder cannot be read. */
int attachment_check(struct store *s, attachment_fault_fn *fn, void *ctx,
		     struct err *e);

#endif
