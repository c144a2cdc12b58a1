/* stat-check.h: which files are surely what they were when they were read.
 *
 * Most are, and to ask the system about each is most of what a refresh does, so
 * it is done by threads.  What is left out, whatever the reason, is looked at by
 * the refresh, in order.
 */
#ifndef CO_CACHE_STAT_CHECK_H
#define CO_CACHE_STAT_CHECK_H

#include "base/parallel.h"
#include "cache/catalog.h"

enum stat_check_state {
	STAT_CHECK_NONE, /* nothing is known */
	STAT_CHECK_IDLE, /* the entry is whole, and no file is to be looked at */
	STAT_CHECK_SAME, /* it is whole, and its file is what it was */
	STAT_CHECK_OTHER /* it is whole, and its file a regular one that is not
			  * what it was */
};

struct stat_check {
	const struct catalog *catalog;
	const int *dirs; /* see stat_check_begin() */
	size_t nfolders;
	int *own;	      /* DIRS once more, for each but the caller */
	unsigned char *state; /* enum stat_check_state, of each entry */
	bool naming;	      /* names are wanted */
	atomic_uint_least64_t *names; /* of each folder */
	struct parallel threads;
};

/* Begin to check the files of CATALOG, which stays as it is until
 * stat_check_end(), as DIRS does, which has an open descriptor for each of its
 * folders, or one of these.  NAMING: stat_check_names() will be asked. */
#define STAT_CHECK_SKIP (-1)   /* nothing is known of its files then */
#define STAT_CHECK_NOBODY (-2) /* nobody asks about them */
/* It has none of its own, and stands in the folder with that INDEX, under a name
 * of STAT_CHECK_NAME bytes with its slash. */
#define STAT_CHECK_BELOW(index) (-3 - (int)(index))
#define STAT_CHECK_NAME 3
void stat_check_begin(struct stat_check *g, const struct catalog *catalog,
		      const int *dirs, bool naming);
void stat_check_end(struct stat_check *g);

/* After stat_check_end(): what was found of entry I. */
static inline enum stat_check_state stat_check_state(const struct stat_check *g,
						     size_t i)
{
	return (enum stat_check_state)g->state[i];
}

/* After stat_check_end(): the sum of the hashes of the names that are known in
 * FOLDER, under CATALOG's identity; of some of them, where an entry is
 * damaged. */
uint64_t stat_check_names(const struct stat_check *g, size_t folder);

void stat_check_release(struct stat_check *g);

#endif
