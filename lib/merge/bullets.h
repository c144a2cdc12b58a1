/* bullets.h: merge lists of bullets as sets.
 *
 * A bullet is a line that begins with `- `, `* ` or `+ `, and the indented
 * lines below it. Blank lines and headings may separate bullets if they are
 * equal on both sides. Bullets of the base that no side removed keep their
 * order. Added bullets follow, sorted by their bytes, so the result does not
 * depend on which side is ours.
 */
#ifndef CO_MERGE_BULLETS_H
#define CO_MERGE_BULLETS_H

#include "base/buf.h"
#include "merge/merge-version.h"

/* Return true if the line of LEN bytes at P begins, or continues, a bullet. */
bool bullets_begins(const char *p, size_t len);
bool bullets_continues(const char *p, size_t len);

/* Append the merge of the three texts to OUT. Returns false and appends
 * nothing if a text has other lines than these, or both sides changed one
 * bullet. */
bool bullets_merge(struct merge_text base, struct merge_text ours,
		   struct merge_text theirs, struct buf *out);

#endif
