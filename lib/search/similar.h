/* similar.h: find texts of a store that say nearly the same.
 *
 * Two texts are alike by their words (see rank/alike.h). That is only a hint
 * for a person: "user prefers tabs" and "user prefers spaces" are alike. If the
 * new one contradicts the other (see search/contradicted.h), that is reported
 * too. similar_find() also finds memories that the text retracts in other words
 * (see embed/retraction.h); these need not be alike.
 */
#ifndef CO_SEARCH_SIMILAR_H
#define CO_SEARCH_SIMILAR_H

#include "store/store.h"
#include "text/color.h"

#define SIMILAR_SHOWN 3

/* The words of the texts of a store, as they were when they were read. */
struct similar;

/* Read the memories, drafts, trash and archive of S. Sensitive memories and
 * broken files are left out, without a report. Return NULL with E set if a
 * directory cannot be read. The caller frees the result with similar_free(). */
struct similar *similar_new(struct store *s, struct err *e);
/* Like similar_new(), but only for comparison with the LEN bytes of P, so that
 * few texts are read of a large store. Of more than 500 memories, the 50 that a
 * search for the words of P finds first are read; of the drafts and of the
 * archive, the 500 with the highest ids; of the trash, the 500 removed last. In
 * a large store of a team, all replaced memories are read, too. */
struct similar *similar_to(struct store *s, const char *p, size_t len,
			   struct err *e);
/* Like similar_to(), but read only memories that were not replaced. */
struct similar *similar_to_memories(struct store *s, const char *p, size_t len,
				    struct err *e);
void similar_free(struct similar *sim);

struct similar_hit {
	const struct record *record; /* borrowed; long texts without content */
	enum area area;
	int percent;
	bool contradicted; /* the new text contradicts this memory */
};

/* Set HITS to at most MAX texts that are most alike to ASKED: an equal one
 * first, then those that it contradicts, then by similarity. Of ASKED, the
 * content, the path ("" for none), the time and the marks are used. The text at
 * its path is left out. Return their number. */
size_t similar_find(struct similar *sim, const struct record *asked,
		    struct similar_hit *hits, size_t max);

#define SIMILAR_SAME 85 /* per cent; from here on, texts are nearly the same */
#define SIMILAR_SAME_MAX 4096 /* bytes; longer texts are not compared */

/* Set FIRST[I] for each of the N RECORDS: to the number of the first record of
 * the same store and with the same marks that says nearly the same, or to I.
 * Records that contradict each other do not say the same. */
void similar_first(const struct record *records, size_t n, size_t *first);

/* Append a line for each of the N HITS, as review shows them, coloured by C. */
void similar_show(struct buf *out, const struct similar_hit *hits, size_t n,
		  const struct coloring *c);

/* Record that the text at PATH is now in AREA and, unless R is NULL, has become
 * R. */
void similar_move(struct similar *sim, const char *path, const struct record *r,
		  enum area area);

#endif
