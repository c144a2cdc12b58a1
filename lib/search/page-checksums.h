/* page-checksums.h: a checksum at the end of each page of a database.
 *
 * Writing a page through these functions stores its checksum, reading verifies
 * it. So a damaged page is detected when it is read, and the whole file need
 * not be read before or after a change. The total of all checksums identifies
 * one state of the file.
 */
#ifndef CO_SEARCH_PAGE_CHECKSUMS_H
#define CO_SEARCH_PAGE_CHECKSUMS_H

#include "base/base.h"

#define PAGE_CHECKSUMS_SIZE 4096
#define PAGE_CHECKSUMS_RESERVED 8 /* bytes at the end of each page */

/* Watch the file at PATH, with SEED in all checksums, until
 * page_checksums_leave(). Return a number for it, or -1 if it does not
 * exist. */
int page_checksums_watch(const char *path, uint64_t seed);
void page_checksums_leave(int watch);

/* Return the change of the total by writes since then. */
uint64_t page_checksums_change(int watch);

/* Replacements for the system's calls, for any file. Reading a page of a
 * watched file with a wrong checksum fails with EIO. */
#define PAGE_CHECKSUMS_CALLS 6
struct page_checksums_call {
	const char *name;
	void (*call)(void); /* has the type of the system's */
};
extern const struct page_checksums_call
	page_checksums_calls[PAGE_CHECKSUMS_CALLS];

/* Check all pages of the file NAME in the directory DIR. Return true with
 * *TOTAL set to the total of the checksums; false if one is wrong or the file
 * cannot be read. */
bool page_checksums_check(int dir, const char *name, uint64_t seed,
			  uint64_t *total);

#endif
