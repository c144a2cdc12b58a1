/* package.h: the files in a ZIP archive, as documents are packed.
 *
 * All is read in memory, nothing is written, and an archive in an archive stays
 * one file.  libarchive, which only package.c knows, gets the bytes and no name.
 */
#ifndef CO_EXTRACT_PACKAGE_H
#define CO_EXTRACT_PACKAGE_H

#include "base/arena.h"
#include "base/err.h"

#define PACKAGE_MAX ((size_t)64 * 1024 * 1024) /* unpacked, in all */
#define PACKAGE_RATIO 200 /* unpacked bytes a packed one, at most */
#define PACKAGE_FILES 10000

struct package_file {
	const char *name; /* as the archive has it */
	const char *p;	  /* NUL-terminated */
	size_t len;
};

/* In the archive's order; in the arena that was given. */
struct package {
	struct package_file *files;
	size_t n;
};

/* Read the archive that the LEN bytes of P are; of its files, those alone whose
 * names end in one of ENDINGS, NULL-terminated.  ERR_DATA: it is none.
 * ERR_SYSTEM: a limit struck. */
int package_read(struct package *k, const char *p, size_t len,
		 const char *const *endings, struct arena *a, struct err *e);

/* The file NAME of K, or NULL. */
const struct package_file *package_find(const struct package *k,
					const char *name);

#endif
