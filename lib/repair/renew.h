/* renew.h: update the citations of a memory to the current text.
 *
 * Lines that moved are found by their hash (evidence/evidence.h). Lines that
 * changed are followed: git has the version of the file that was cited, and its
 * differences from the current one tell where the lines are now. Without that
 * version nobody knows, and only a person can accept the same line numbers.
 */
#ifndef CO_REPAIR_RENEW_H
#define CO_REPAIR_RENEW_H

#include "evidence/cites.h"
#include "store/store.h"

/* Cited lines whose text changed. */
struct renew_change {
	struct citation was, now;
	bool followed;	 /* else `now` has the line numbers of `was` */
	struct buf diff; /* from the cited lines to the new ones, as by
			  * diff_lines(); without the cited ones if git does not
			  * have them */
};

struct renew {
	struct store *store;
	struct evidence *evidence;
	struct arena *arena; /* for the new citations */
	/* Return 0 if C may be cited, or -1 with E. */
	int (*accept)(const struct renew_change *c, struct err *e);
	void (*say)(
		const struct citation *c); /* called for each new citation */
	const struct report *report;	   /* receives malformed citations */
};

/* Append the lines of C for a person. */
void renew_show(struct buf *out, const struct renew_change *c);

/* Replace the citations in LIST, the value of `cites` of the memory at PATH, by
 * current ones. Return 0; or -1, and the caller discards LIST: ERR_NO, it is
 * empty; ERR_DATA, one is malformed; or as accept() and evidence_cite(). */
int renew_citations(const struct renew *r, struct value *list, const char *path,
		    struct err *e);

#endif
