/* filestat.h: detect a changed file by its stat.
 *
 * A file whose stat is the one at its last reading has not changed: ctime shows
 * writes whose mtime was set back, and files put in its place. But two writes
 * within one tick of the clock may have one time. So a change that was less
 * than a tick before the reading, or in the future, is unsure, and the file is
 * read again the next time.
 */
#ifndef CO_CACHE_FILESTAT_H
#define CO_CACHE_FILESTAT_H

#include "base/base.h"

#include <sys/stat.h>

struct filestat {
	uint64_t ino, size;
	int64_t mtime, ctime; /* ns since 1970, clamped */
};

struct filestat filestat_of(const struct stat *st);
bool filestat_same(const struct filestat *a, const struct filestat *b);

/* Return the time in ns, by the clock that stamps files. */
int64_t filestat_now(void);

/* Return the time in ns from which on a change in the directory DIR is unsure:
 * now less one tick. A tick is 10 ms, or 2 s unless the file system is known to
 * keep exact time. Call this before looking at any file. */
int64_t filestat_sure(int dir);

/* Return true if the last change shown by A was before SURE. */
bool filestat_is_sure(const struct filestat *a, int64_t sure);

#endif
