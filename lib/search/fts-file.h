/* fts-file.h: the file of a database (see fts.h) in a cache directory.
 *
 * A new database is made under another name and renamed when it is complete, so
 * readers of the old one are not disturbed.
 *
 * The caller keeps a stamp, which says whether the file is as its last writer left
 * it. It has the file's stat, and a total of its contents. After a crash of the
 * system, a file that was not synced may have the right stat and wrong bytes, so a
 * stamp also has the boot time.
 */
#ifndef CO_SEARCH_FTS_FILE_H
#define CO_SEARCH_FTS_FILE_H

#include "cache/cache.h"
#include "search/fts.h"

/* Where a database is. All members are borrowed. */
struct fts_file {
	int dir;	    /* the directory */
	const char *folder; /* its path */
	const char *name;   /* of the file, without ".db" */
	uint64_t store;	    /* as in fts_open() */
};

/* Zeros: no stamp. */
struct fts_stamp {
	struct filestat st;
	int64_t boot;	/* boot time of the system, in s */
	uint64_t total; /* of the page checksums */
};

/* Open the database as fts_open() does. MODE is FTS_OPEN or FTS_LOOK. */
int fts_file_open(const struct fts_file *f, enum fts_mode mode,
		  struct fts **out, struct err *e);

/* Return true if the database exists and has no journal of a writer. */
bool fts_file_is_quiet(const struct fts_file *f);

/* Make SQLite roll back the changes of a killed writer. The caller must hold the
 * lock of the directory. */
void fts_file_roll_back(const struct fts_file *f);

enum fts_file_state {
	FTS_FILE_ABSENT,  /* there is none, or no stamp, or pages are lost */
	FTS_FILE_DAMAGED, /* a page has a wrong checksum */
	FTS_FILE_SOUND,	  /* the stamp is wrong, but all pages are right */
	FTS_FILE_AS_LEFT  /* as the stamp says */
};

/* Compare the database with the stamp LEFT, and check all pages if it has changed
 * since. With GLANCE, a change counts as FTS_FILE_AS_LEFT: a writer may be at work,
 * and each page is checked when it is read. Set *TOTAL to the total of the page
 * checksums. */
enum fts_file_state fts_file_check(const struct fts_file *f,
				   const struct fts_stamp *left, bool glance,
				   uint64_t *total);

/* Set STAMP to the present stamp of the database, whose total is TOTAL. Return 0,
 * or -1 with errno set. */
int fts_file_stamp(const struct fts_file *f, uint64_t total,
		   struct fts_stamp *stamp);

/* Return true if the database is certainly as STAMP says. */
bool fts_file_is_same(const struct fts_file *f, const struct fts_stamp *stamp);

/* Make the database anew with what FILL adds to DB, in place of an old one. The
 * caller must hold the lock of the directory. Set *STAMP, to zeros if the pages
 * cannot be read back. Return 0 or -1. */
typedef int fts_file_fn(void *ctx, struct fts *db, struct err *e);
int fts_file_make(const struct fts_file *f, fts_file_fn *fill, void *ctx,
		  struct fts_stamp *stamp, struct err *e);

void fts_file_remove(const struct fts_file *f);

/* Return the size of the database in bytes; 0 if there is none. */
uint64_t fts_file_size(const struct fts_file *f);

#endif
