/* filestat.h: what the system tells of a file, and how far it is to be believed.
 *
 * A file whose stat is what it was when it was read is what it was: ctime
 * tells of writes whose mtime was set back, and of files put in its place.
 * But clocks tick: what is written twice within one tick may bear one time.
 * So what was changed less than a tick before it was read, or later than the
 * clock says, is unsure, and is read again the next time.
 */
#ifndef CO_CACHE_FILESTAT_H
#define CO_CACHE_FILESTAT_H

#include "base/base.h"

#include <sys/stat.h>

struct filestat {
	uint64_t ino, size;
	int64_t mtime, ctime; /* ns since 1970; what does not fit is clamped */
};

struct filestat filestat_of(const struct stat *st);
bool filestat_same(const struct filestat *a, const struct filestat *b);

/* The clock, in ns, as files are stamped by it. */
int64_t filestat_now(void);

/* From when on a change is unsure for what is read from now on in the folder
 * DIR, in ns: the clock less a tick, of 10 ms, or of 2 s where the file system
 * is not known to keep time as well.  Ask before anything is looked at. */
int64_t filestat_sure(int dir);

/* True if the file that A is the stat of was surely read since its last
 * change, when SURE was asked for before. */
bool filestat_is_sure(const struct filestat *a, int64_t sure);

#endif
