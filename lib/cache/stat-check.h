/* stat-check.h: which files are surely what they were when they were read.
 *
 * Most are, and to ask the system about each is most of what a sweep does, so
 * it is done by a crew.  It only says yes: what is left out, whatever the
 * reason, is looked at by the sweep, in order.
 */
#ifndef CO_GLANCE_H
#define CO_GLANCE_H

#include "base/parallel.h"
#include "cache/catalog.h"

enum glance_sight {
	GLANCE_NONE, /* nothing is known */
	GLANCE_IDLE, /* the entry is whole, and no file is to be looked at */
	GLANCE_SAME  /* it is whole, and its file is what it was */
};

struct glance {
	const struct catalog *side;
	const int *dirs; /* see glance_begin() */
	size_t nfolders;
	int *own;	      /* DIRS once more, for each but the caller */
	unsigned char *sight; /* enum glance_sight, of each entry */
	bool naming;	      /* names are wanted */
	atomic_uint_least64_t *names; /* of each folder */
	struct parallel crew;
};

/* Begin to glance at the files of SIDE, which stays as it is until
 * glance_end(), as DIRS does, which has an open descriptor for each of its
 * folders, or one of these.  NAMING: glance_names() will be asked. */
#define GLANCE_SKIP (-1)   /* nothing is known of its files then */
#define GLANCE_NOBODY (-2) /* nobody asks about them */
void glance_begin(struct glance *g, const struct catalog *side, const int *dirs,
		  bool naming);
void glance_end(struct glance *g);

/* After glance_end(): what was found of entry I. */
static inline enum glance_sight glance_sight(const struct glance *g, size_t i)
{
	return (enum glance_sight)g->sight[i];
}

/* After glance_end(): the sum of the hashes of the names that are known in
 * FOLDER, under SIDE's identity; of some of them, where an entry is damaged. */
uint64_t glance_names(const struct glance *g, size_t folder);

void glance_release(struct glance *g);

#endif
