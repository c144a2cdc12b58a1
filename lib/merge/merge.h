/* merge.h: merge three versions of a document.
 *
 * A document is a memory, an article, a context or a category file: Markdown,
 * with or without frontmatter. Two sides, OURS and THEIRS, come from BASE. A
 * change made by one side only is taken. If both sides changed something, the
 * rule of the field decides; without a rule it is a conflict.
 *
 *	field			if both sides changed it
 *	lists, replaces,
 *	supersedes, formerly,
 *	cites, paths,
 *	languages, branches	as sets: items that both kept or one added
 *	updated, verified,
 *	fetched			the later
 *	created, expires,
 *	review-after		the earlier
 *	sensitive, always,
 *	archive			true
 *	trust			the lower: external, agent, user
 *	confidence		the lower: low, medium, high
 *	superseded		the lower id: each new one says supersedes
 *	anything else		ours, and a comment with theirs: a conflict
 *
 * If one side changed a field and the other removed it, the field stays. If
 * one side changed nothing, the bytes of the other are taken; this holds for
 * the whole document and for its header. Otherwise keys keep the order of
 * OURS, as do all bytes that no rule changes. A comment of THEIRS goes after
 * the key that it followed. The body is merged by git merge-file. A conflict
 * of bullets is merged as a set (see bullets.h); if one side has all lines of
 * the other, one of the two is taken (see order.h).
 *
 * The frontmatter of the result is always valid, so a memory in conflict is
 * still found. Merging from the other side gives the same result, except for
 * the order of keys and which side a conflict calls ours.
 *
 * With a favour, each conflict gets the value of that side, and counts as merged. If the
 * sides are two different memories, this is still a conflict.
 */
#ifndef CO_MERGE_MERGE_H
#define CO_MERGE_MERGE_H

#include "base/buf.h"
#include "base/err.h"
#include "merge/merge-version.h"

struct merge {
	struct merge_text base; /* empty if there is none */
	struct merge_text ours, theirs;
	const char *name; /* file name in messages */
	enum merge_favour favour;
	bool quiet_lines; /* do not report that both changed the same lines */
};

/* Append the merge of M to OUT, with the line ends of OURS. Returns 0, 1 if
 * conflicts are left, each reported to R, or -1: ERR_DATA if both sides changed
 * it and the frontmatter of one is unreadable; ERR_HELPER if git cannot run.
 * With -1, OUT has the plain text merged, or both sides between conflict
 * markers, so nothing is lost. */
int merge_documents(const struct merge *m, struct buf *out,
		    const struct report *r, struct err *e);

#endif
