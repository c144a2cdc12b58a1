/* evidence.h: check whether the text that a memory cites is still in its place.
 *
 * Files are read below the directory that contains `.co-cli`, component by
 * component and never through a link; a file that is not regular never blocks.
 * A URL is compared with the text, without blanks at its ends, of the article
 * in the store that has it as `source`; nothing is fetched. A commit is always the
 * same, since its name is the hash of its text; git is not run, so a clone may lack
 * it. A file with several citations is read once.
 *
 * Finding moved lines takes as many hashes as the file has lines. The hashed
 * bytes are therefore counted; beyond the limit the result is "unchecked",
 * never a guess.
 */
#ifndef CO_EVIDENCE_EVIDENCE_H
#define CO_EVIDENCE_EVIDENCE_H

#include "evidence/citation.h"
#include "repo/layout.h"

#define EVIDENCE_FILE_MAX ((size_t)4 * 1024 * 1024) /* largest file, in bytes */

enum evidence_state {
	EVIDENCE_SAME,
	EVIDENCE_MOVED,	  /* the lines occur once, elsewhere in the file */
	EVIDENCE_CHANGED, /* they do not occur, or more than once */
	EVIDENCE_GONE,	  /* no such file, or not a regular file */
	/* No such article, unreadable, larger than EVIDENCE_FILE_MAX, over a
	 * limit, or a file cited by a memory of the user's store. */
	EVIDENCE_UNCHECKED,
	EVIDENCE_STATES
};

/* Limits for all citations together. A single citation may also hash at most
 * 64 MiB. */
struct evidence_limits {
	/* Bytes, counted each time they are hashed. 0: 2 GiB, which takes
	 * seconds. */
	size_t hashed;
	size_t files; /* files opened; 0: no limit */
};

/* Return "same", "moved", "changed", "gone" or "unchecked". */
const char *evidence_name(enum evidence_state s);

/* Return a checker for the citations of memories of REPO, which is borrowed.
 * The caller frees it with evidence_free(). Cannot fail. */
struct evidence *evidence_new(struct repo *repo, struct evidence_limits limits);
void evidence_free(struct evidence *ev);

/* Return the state of C, which has a hash. For EVIDENCE_MOVED, *FIRST is the
 * first line of the new place; otherwise it is undefined. */
enum evidence_state evidence_check(struct evidence *ev,
				   const struct citation *c, size_t *first);

/* Use the LEN bytes of P as the text of the file PATH, relative to the
 * directory that contains `.co-cli`, instead of its content on disk: the text
 * before an edit that was just made. Call this before the first check. */
void evidence_put(struct evidence *ev, const char *path, const char *p,
		  size_t len);

/* Set the hash of C, which may have none yet, to that of its current text.
 * Returns 0, or -1: ERR_NO, there is no such file; ERR_DATA, it has too few lines, is
 * not regular or not readable; there is no such article; a memory of the user's store
 * cites a file; or a limit is reached. */
int evidence_cite(struct evidence *ev, struct citation *c, struct err *e);

/* Return the text of the source of C in the form that is hashed: lines without
 * blanks at their end, each with an LF. Borrowed until the next call. Returns
 * NULL if it cannot be read. */
const struct buf *evidence_text(struct evidence *ev, const struct citation *c);

#endif
