/* stat-check.h: find the files that have not changed since they were read.
 *
 * Most have not, and asking the system for each stat is most of the work of a
 * refresh, so threads do it. The refresh checks all other files itself, in
 * order.
 */
#ifndef CO_CACHE_STAT_CHECK_H
#define CO_CACHE_STAT_CHECK_H

#include "base/parallel.h"
#include "cache/catalog.h"

enum stat_check_state {
	STAT_CHECK_NONE, /* not known */
	STAT_CHECK_IDLE, /* entry valid; there is no file to check */
	STAT_CHECK_SAME, /* entry valid, file unchanged */
	STAT_CHECK_OTHER /* entry valid, file a regular one that changed */
};

struct stat_check {
	const struct catalog *catalog;
	const int *dirs; /* see stat_check_begin() */
	size_t nfolders;
	int *own;	      /* DIRS again for each additional thread */
	unsigned char *state; /* enum stat_check_state of each entry */
	bool naming;	      /* names are summed */
	atomic_uint_least64_t *names; /* by folder */
	struct parallel threads;
};

/* Begin to check the files of CATALOG, which must not change before
 * stat_check_end(). DIRS has, for each directory, an open descriptor or one of
 * the values below; it is borrowed until then. NAMING: also compute
 * stat_check_names(). */
#define STAT_CHECK_SKIP (-1)   /* leave its files unchecked */
#define STAT_CHECK_NOBODY (-2) /* its files are not wanted */
/* The directory has no descriptor: it lies in the directory INDEX, and its name
 * with a slash has STAT_CHECK_NAME bytes. */
#define STAT_CHECK_BELOW(index) (-3 - (int)(index))
#define STAT_CHECK_NAME 3
void stat_check_begin(struct stat_check *g, const struct catalog *catalog,
		      const int *dirs, bool naming);
void stat_check_end(struct stat_check *g);

/* Return the state of entry I, after stat_check_end(). */
static inline enum stat_check_state stat_check_state(const struct stat_check *g,
						     size_t i)
{
	return (enum stat_check_state)g->state[i];
}

/* Return the sum of the hashes of the known names in FOLDER, after
 * stat_check_end(). Damaged entries are left out. */
uint64_t stat_check_names(const struct stat_check *g, size_t folder);

void stat_check_release(struct stat_check *g);

#endif
