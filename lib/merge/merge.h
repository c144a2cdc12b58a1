/* merge.h: three versions of a document become one.
 *
 * A document is a memory, an article, a context or a category file: Markdown,
 * with frontmatter or without.  Two sides, OURS and THEIRS, come from BASE.
 * What one of them alone changed is taken; what both changed is settled by what
 * it means where that can be told, and is a conflict where it cannot.
 *
 *	field			where both changed it
 *	lists, replaces,
 *	supersedes, formerly,
 *	cites, paths,
 *	languages, branches	as sets: what both left, what either added
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
 * What one changed and the other took away stays.  Where one side changed nothing,
 * the other's bytes are taken, of the whole and of the header.  Else keys keep
 * ours' order, and all bytes that nothing changes are ours'; a comment of theirs
 * stands behind the key at which it stood.  The body is merged by
 * git merge-file, and a conflict of bullets as a set (see bullets.h); where one side
 * says all lines of the other, one of the two is taken (see order.h).
 *
 * The frontmatter of the result can always be read: a memory in conflict is
 * still found.  Merging from the other side gives the same, but for the order of
 * keys and which side a conflict calls ours.
 */
#ifndef CO_MERGE_MERGE_H
#define CO_MERGE_MERGE_H

#include "base/buf.h"
#include "base/err.h"
#include "merge/version.h"

struct merge {
	struct merge_text base; /* empty: there was none */
	struct merge_text ours, theirs;
	const char *name; /* of the file, for sentences */
};

/* Append to OUT what comes of M, with the line ends of ours.  Returns 0; 1 where
 * a conflict is left, which R is told in one sentence each; or -1: ERR_DATA,
 * where both changed it and one side's frontmatter cannot be read; ERR_HELPER,
 * where git cannot be run.  OUT then has what comes of them as plain text, or both
 * sides whole between conflict markers, so that nothing is lost. */
int merge_documents(const struct merge *m, struct buf *out,
		    const struct report *r, struct err *e);

#endif
