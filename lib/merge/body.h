/* body.h: merge the text below the frontmatter with git merge-file. */
#ifndef CO_MERGE_BODY_H
#define CO_MERGE_BODY_H

#include "base/buf.h"
#include "base/err.h"
#include "merge/merge-version.h"

/* Append to OUT the merge of OURS and THEIRS, which both come from BASE. In a conflict,
 * append the lines of the side FAVOUR, or both between markers. Return 0, 1 if OUT has
 * conflict markers, or -1: ERR_HELPER, ERR_SYSTEM. */
int body_merge(struct merge_text base, struct merge_text ours,
	       struct merge_text theirs, enum merge_favour favour,
	       struct buf *out, struct err *e);

/* Append both sides as one conflict between markers. */
void body_both(struct merge_text ours, struct merge_text theirs,
	       struct buf *out);

#endif
