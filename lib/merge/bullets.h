/* bullets.h: merging lists of bullets as sets.
 *
 * A bullet is a line that begins with `- `, `* ` or `+ `, and the indented lines
 * behind it.  Blank lines and headings may stand between bullets, if they are
 * the same on each side.  What was there and nobody took away stays, in its
 * order; what either added follows, sorted by its bytes, so that it does not
 * matter who merges first.
 */
#ifndef CO_MERGE_BULLETS_H
#define CO_MERGE_BULLETS_H

#include "base/buf.h"
#include "merge/version.h"

/* True if the line of LEN bytes at P begins a bullet, or goes on with one. */
bool bullets_begins(const char *p, size_t len);
bool bullets_continues(const char *p, size_t len);

/* Append to OUT what comes of the lines of BASE, OURS and THEIRS.  False, and
 * nothing appended, where they are other things than bullets, or both sides
 * changed the same one. */
bool bullets_merge(struct merge_text base, struct merge_text ours,
		   struct merge_text theirs, struct buf *out);

#endif
