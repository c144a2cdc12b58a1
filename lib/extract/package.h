/* package.h: read the files in a ZIP archive, the package of a document.
 *
 * Everything is read in memory; nothing is written. An archive in an archive
 * stays one file. libarchive gets bytes, never a file name; only package.c uses
 * it.
 */
#ifndef CO_EXTRACT_PACKAGE_H
#define CO_EXTRACT_PACKAGE_H

#include "base/arena.h"
#include "base/err.h"

#define PACKAGE_MAX ((size_t)64 * 1024 * 1024) /* unpacked, in total */
#define PACKAGE_RATIO 200 /* most unpacked bytes per packed byte */
#define PACKAGE_FILES 10000

struct package_file {
	const char *name; /* as in the archive */
	const char *p;	  /* NUL-terminated */
	size_t len;
};

/* In the order of the archive. Allocated in the caller's arena. */
struct package {
	struct package_file *files;
	size_t n;
};

/* Read the archive in the LEN bytes of P, but only files whose names end in one
 * of ENDINGS (NULL-terminated). Returns 0 or -1: ERR_DATA if it is not an
 * archive; ERR_SYSTEM if it exceeds a limit. */
int package_read(struct package *k, const char *p, size_t len,
		 const char *const *endings, struct arena *a, struct err *e);

/* Return the file NAME of K, or NULL. */
const struct package_file *package_find(const struct package *k,
					const char *name);

#endif
