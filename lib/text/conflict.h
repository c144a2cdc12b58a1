/* conflict.h: reading a file that git could not merge, and left its marks in.
 *
 *	<<<<<<< HEAD
 *	ours
 *	||||||| base      (in some styles)
 *	what both came from
 *	=======
 *	theirs
 *	>>>>>>> branch
 *
 * Until a person has settled it, readers take our side and say so; but of who may be
 * shown a memory and how long (`sensitive`, `archive`, `trust`, `expires`) what the
 * more careful side says.  Nothing is written by this.
 */
#ifndef CO_TEXT_CONFLICT_H
#define CO_TEXT_CONFLICT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

/* TEXT of *LEN bytes; or, where all its markers are whole, what our side has,
 * in A, its length in *LEN.  *LINE gets that of the first marker, 0 for none.
 * Cannot fail. */
const char *conflict_ours(const char *text, size_t *len, struct arena *a,
			  size_t *line);

/* Append to OURS and THEIRS what each side has of TEXT, LEN bytes: what stands outside
 * of the markers is in both.  1; 0 where there are no markers; -1 where they are not
 * whole, and what was appended means nothing. */
int conflict_sides(const char *text, size_t len, struct buf *ours,
		   struct buf *theirs);

/* Fill E with what is said of the file at PATH; always -1. */
int conflict_err(struct err *e, const char *path, size_t line);

#endif
