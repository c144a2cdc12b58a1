/* evidence.h: whether what a memory was taken from still stands there.
 *
 * Files are read below the folder that holds `.co-cli`, component by component,
 * never through a link; what is no regular file is never waited for.  A URL is
 * compared with the text of the article in the store that has it as `source`,
 * blanks at its ends stripped; nothing is fetched.  Several citations of one
 * file read it once.
 *
 * To find lines that have moved costs as many hashes as the file has lines; so
 * all that is hashed is counted, and once it is more than the limit the answer
 * is unchecked, never a guess.
 */
#ifndef CO_EVIDENCE_EVIDENCE_H
#define CO_EVIDENCE_EVIDENCE_H

#include "evidence/citation.h"
#include "repo/layout.h"

#define EVIDENCE_FILE_MAX ((size_t)4 * 1024 * 1024) /* bytes of one file */

enum evidence_state {
	EVIDENCE_SAME,
	EVIDENCE_MOVED,	    /* its lines stand once, elsewhere in the file */
	EVIDENCE_CHANGED,   /* they stand nowhere in it, or more than once */
	EVIDENCE_GONE,	    /* there is no such file, or it is a file no more */
	EVIDENCE_UNCHECKED, /* no article, not to be read, too large, or beyond
                       * a limit */
	EVIDENCE_STATES
};

/* What may be done for all citations together; 0: what nobody waits long for.
 */
struct evidence_limits {
	size_t hashed; /* bytes, moved lines counted as often as looked at */
	size_t files;  /* that are opened */
};

/* "same", "moved", "changed", "gone" or "unchecked". */
const char *evidence_name(enum evidence_state s);

/* Ready to check what memories of REPO, borrowed, cite.  Yours, release with
 * evidence_free().  Cannot fail. */
struct evidence *evidence_new(struct repo *repo, struct evidence_limits limits);
void evidence_free(struct evidence *ev);

/* The state of C; of lines that have moved, *FIRST is where they begin. */
enum evidence_state evidence_check(struct evidence *ev,
				   const struct citation *c, size_t *first);

/* Give C, a place, the hash of what stands there now.  ERR_DATA: there are not so
 * many lines, it is no regular file or not to be read, there is no such article,
 * or a memory of the user's store cites a file. */
int evidence_cite(struct evidence *ev, struct citation *c, struct err *e);

/* The same where C is a citation already: of lines that have moved, it gets
 * their place; of those that have changed, their hash. */
int evidence_renew(struct evidence *ev, struct citation *c, struct err *e);

#endif
