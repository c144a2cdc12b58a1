/* body.h: merging what stands below the frontmatter, by git merge-file. */
#ifndef CO_MERGE_BODY_H
#define CO_MERGE_BODY_H

#include "base/buf.h"
#include "base/err.h"
#include "merge/version.h"

/* Append to OUT what comes of OURS and THEIRS, which come from BASE.  Returns 0,
 * 1 where conflict markers are in it, or -1: ERR_HELPER, ERR_SYSTEM. */
int body_merge(struct merge_text base, struct merge_text ours,
	       struct merge_text theirs, struct buf *out, struct err *e);

/* Append both sides whole, between conflict markers. */
void body_both(struct merge_text ours, struct merge_text theirs,
	       struct buf *out);

#endif
