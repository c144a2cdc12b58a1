/* branch.h: which lines of a record were taken back.
 *
 * Where a person goes back to an earlier prompt and asks anew, what came after
 * it stays in the record.  Two agents link each line to the one before it; one
 * writes how many turns were taken back.  The record is looked through from its
 * end, where it is known what counts, so a bit a line is all that is kept.
 */
#ifndef CO_TRANSCRIPT_BRANCH_H
#define CO_TRANSCRIPT_BRANCH_H

#include "base/err.h"

/* Begins as zeros. */
struct branch {
	uint8_t *bits; /* of the lines from the last on */
	size_t n, cap; /* lines, bytes */
};

/* How lines are linked. */
struct branch_links {
	const char *id, *parent; /* members of a line that hold its id, and
				  * that of the one before it; null: a first */
	const char *instead;	 /* of a first: what goes on there; or NULL */
	/* True if a person says something in the line. */
	bool (*person)(const char *p, size_t len);
};

/* Find what was taken back in the record FD, which sentences call PATH.  A line
 * without links stays; so does all before a link that leads nowhere. */
int branch_find(struct branch *b, int fd, const char *path,
		const struct branch_links *links, struct err *e);

/* The same where a line says how many turns are taken back: TURNS gives their
 * number for a line, and PERSON tells where one begins. */
int branch_find_counted(struct branch *b, int fd, const char *path,
			size_t (*turns)(const char *p, size_t len),
			bool (*person)(const char *p, size_t len),
			struct err *e);

/* True if the line, counted from 0, was taken back. */
bool branch_drops(const struct branch *b, size_t line);

void branch_release(struct branch *b);

#endif
