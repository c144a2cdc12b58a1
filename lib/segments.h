/* segments.h: the pieces that FTS5 keeps its terms in, see postings.h. */
#ifndef CO_SEGMENTS_H
#define CO_SEGMENTS_H

#include "buf.h"

struct segment {
	uint64_t id, first, last; /* leaves */
};

/* Zero is valid, and empty. */
struct segments {
	struct segment *items; /* oldest first */
	size_t n;
};

/* Fill the empty S from the LEN bytes of BLOCK, which FTS5 keeps about them.
 * False: they are not what is known here; release S all the same. */
bool segments_read(struct segments *s, const void *block, size_t len);
void segments_release(struct segments *s);

/* Append to OUT what FTS5 shall know in place of BLOCK, so that the segments
 * that are there are on the highest level; nothing where they are, or where the
 * format is another. */
void segments_settle(const void *block, size_t len, struct buf *out);

#endif
