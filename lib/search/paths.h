/* paths.h: which files a memory is about: `paths: [src, **.sql]`, from the folder that
 * holds `.co-cli`.
 *
 * `*` and `?` stand for what is within a name, `**` alone for folders as well, any
 * number of them.  What names a folder means all below it, and who is in a folder
 * is at its files.
 */
#ifndef CO_SEARCH_PATHS_H
#define CO_SEARCH_PATHS_H

#include "repo/root.h"

/* How the memory with the keys K stands to PATH, a file or a folder below the top:
 * 1, one of its paths matches; -1, none; 0, it has none. */
int paths_stand(const struct record_keys *k, const char *path);

/* Return true if GLOB, one of a memory's `paths`, matches PATH, a file below the
 * top. */
bool paths_match(const char *glob, const char *path);

/* The path below the top of PROJECT of GIVEN, as somebody in the working directory
 * names it, or for NULL of that directory; it need not exist.  In A; NULL at the
 * top, outside, and where that cannot be told. */
const char *paths_at(const struct root *project, const char *given,
		     struct arena *a);

#endif
