/* page-checksums.h: a checksum at the end of each page of a database.
 *
 * Who writes a page through here leaves its sum in it, who reads it compares.
 * So a damaged page is noticed when it is read, and neither before nor after a
 * change must the whole file be read.  The total of all sums tells one state
 * of the file from others.
 */
#ifndef CO_SEARCH_PAGE_CHECKSUMS_H
#define CO_SEARCH_PAGE_CHECKSUMS_H

#include "base/base.h"

#define PAGE_CHECKSUMS_SIZE 4096
#define PAGE_CHECKSUMS_RESERVED 8 /* bytes at the end of each */

/* Watch the file at PATH, which is there, under SEED, until
 * page_checksums_leave(): a number for it, -1: it is not there. */
int page_checksums_watch(const char *path, uint64_t seed);
void page_checksums_leave(int watch);

/* By how much the total has changed by what was written since. */
uint64_t page_checksums_change(int watch);

/* What takes the place of the system's calls, for any file: of one that is
 * watched, a page whose sum is wrong cannot be read (EIO). */
#define PAGE_CHECKSUMS_CALLS 6
struct page_checksums_call {
	const char *name;
	void (*call)(void); /* of the type of the system's */
};
extern const struct page_checksums_call
	page_checksums_calls[PAGE_CHECKSUMS_CALLS];

/* Compare all pages of the file NAME in the folder DIR.  True, and *TOTAL is
 * that of their sums; false if one is wrong, or it cannot be read. */
bool page_checksums_check(int dir, const char *name, uint64_t seed,
			  uint64_t *total);

#endif
