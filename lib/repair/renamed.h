/* renamed.h: find where git renamed a cited file that is gone.
 *
 * Two places tell: the index, which has a rename that is not committed, and the newest
 * commit that removed the file. Only what git itself calls a rename counts. Git is not
 * run before the first question, and the answers are kept.
 */
#ifndef CO_REPAIR_RENAMED_H
#define CO_REPAIR_RENAMED_H

#include "evidence/cites.h"
#include "store/store.h"

/* files that git is asked about, and the newest commits that it looks at */
#define RENAMED_FILES 20
#define RENAMED_COMMITS "10000"

/* Set `store`; the rest is zero. Release with renamed_release(). */
struct renamed {
	struct store *store;
	struct arena arena;
	bool begun;
	const char *oldest; /* "^COMMIT", before which git does not look; NULL:
			     * there are not so many commits */
	struct buf staged;  /* the renames of the index */
	size_t n;
	struct renamed_file {
		const char *path, *to; /* NULL: git tells no other path */
	} files[RENAMED_FILES];
};

/* Set TO to the citation C, whose file is gone, in the file that it was renamed to.
 * Its lines are those of C, or their new place if they moved. Return the state of TO,
 * as evidence_check(): EVIDENCE_GONE if git tells of no file that is there. The path is
 * allocated in R. */
enum evidence_state renamed_find(struct renamed *r, struct evidence *ev,
				 const struct citation *c, struct citation *to);

void renamed_release(struct renamed *r);

#endif
