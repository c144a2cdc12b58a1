/* conflict.h: read a file with the conflict markers of git.
 *
 *	<<<<<<< HEAD
 *	ours
 *	||||||| base      (in some styles)
 *	common ancestor
 *	=======
 *	theirs
 *	>>>>>>> branch
 *
 * Until a person resolves the conflict, readers use our side and report it. The
 * keys `sensitive`, `archive`, `trust` and `expires`, which restrict visibility
 * and lifetime, are taken from the stricter side. Nothing here writes a file.
 */
#ifndef CO_TEXT_CONFLICT_H
#define CO_TEXT_CONFLICT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

/* Return TEXT of *LEN bytes; or, if it has complete markers, our side, in A,
 * with its length in *LEN. *LINE is the line of the first marker, or 0. Cannot
 * fail. */
const char *conflict_ours(const char *text, size_t *len, struct arena *a,
			  size_t *line);

/* Append each side of TEXT to OURS and THEIRS. Text outside the markers belongs
 * to both. Returns 1, 0 if there are no markers, or -1 if they are incomplete:
 * then the contents of OURS and THEIRS are undefined. */
int conflict_sides(const char *text, size_t len, struct buf *ours,
		   struct buf *theirs);

/* Set E to the warning that the file PATH has a conflict at LINE. OPTION is
 * appended to the command in the hint: "", or " --global" for the user's store. Returns
 * -1. */
int conflict_err(struct err *e, const char *path, size_t line,
		 const char *option);

#endif
