/* branch.h: find the lines of a record that were taken back.
 *
 * If a user goes back to an earlier prompt, what followed it stays in the
 * record. Two agents link each line to the one before; one writes how many
 * turns were taken back. The record is read from its end, where it is known
 * what counts, so one bit per line is stored.
 */
#ifndef CO_TURNS_BRANCH_H
#define CO_TURNS_BRANCH_H

#include "base/err.h"
#include "turns/turn.h"

/* A zeroed one is valid. */
struct branch {
	uint8_t *bits; /* by line, from the last one */
	size_t n, cap; /* N: lines; CAP: bytes */
};

/* How lines are linked. */
struct branch_links {
	const char *id, *parent; /* members with a line's id and its parent's; a
				  * null parent: a first line */
	const char *instead;	 /* of a first line: the line that it continues;
				  * or NULL */
	/* Return true if a user says something in the line. */
	bool (*person)(const char *p, size_t len);
};

/* Find the lines of the record FD, called PATH in messages, that were taken
 * back. A line without links stays, and so do all before a link that leads
 * nowhere. If PLACE is not NULL, only lines after it are read, and its state
 * becomes the id of the last line. Return 0, -1, or 1 if the lines after PLACE
 * do not continue it, so that earlier ones may have been taken back. */
int branch_find(struct branch *b, int fd, const char *path,
		const struct branch_links *links,
		struct transcript_place *place, struct err *e);

/* Like branch_find() of the whole record, for records that count: TURNS returns how many
 * turns a line takes back, PERSON whether a turn begins there. */
int branch_find_counted(struct branch *b, int fd, const char *path,
			size_t (*turns)(const char *p, size_t len),
			bool (*person)(const char *p, size_t len),
			struct err *e);

/* Return true if the line, counted from 0, was taken back. */
bool branch_drops(const struct branch *b, size_t line);

void branch_release(struct branch *b);

#endif
