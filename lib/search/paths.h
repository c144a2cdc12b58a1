/* paths.h: the files that a memory is about: `paths: [src, **.sql]`, relative
 * to the directory that has `.co-cli`.
 *
 * `*` and `?` match within a name, and the name `**` matches any number of
 * directories. A path of a directory means everything below it. A person in a
 * directory is at all files below it.
 */
#ifndef CO_SEARCH_PATHS_H
#define CO_SEARCH_PATHS_H

#include "repo/root.h"

/* Return 1 if one of the paths of the memory with the keys K matches PATH, a
 * file or directory relative to the top; -1 if none does; 0 if the memory has
 * no paths. */
int paths_compare(const struct record_keys *k, const char *path);

/* Return true if GLOB, one of a memory's `paths`, matches PATH, a file or
 * directory relative to the top; a directory above it; or files that may be below
 * it. */
bool paths_match(const char *glob, const char *path);

/* Return the path of GIVEN relative to the top of PROJECT, allocated in A.
 * GIVEN is relative to the working directory or absolute; NULL is the working
 * directory itself. It need not exist. Return NULL if it is the top, is
 * outside, or cannot be found. */
const char *paths_at(const struct root *project, const char *given,
		     struct arena *a);

#endif
