/* alike.h: the similarity of two texts: the share of their words, stemmed (see
 * terms.h) and counted once, that both have; and whether one contradicts the other.
 */
#ifndef CO_RANK_ALIKE_H
#define CO_RANK_ALIKE_H

#include "base/arena.h"
#include "rank/terms.h"

#define ALIKE_LEAST 40 /* per cent; lower similarity is not reported */

/* The words of a text, as sorted distinct hashes. A zeroed one is empty. */
struct alike {
	uint32_t *items;
	size_t n, cap;
};

/* Sort the hashes of W and remove duplicates. */
void alike_sort(struct alike *w);

/* Replace W by the words of the LEN bytes of P. */
void alike_read(struct alike *w, struct terms *t, const char *p, size_t len);

/* Return the similarity of A and B, in per cent. */
int alike_compare(const struct alike *a, const struct alike *b);

/* Call alike_compare(), but stop early, with 0, if the similarity is below LEAST. It
 * stops earliest if the first items of A and B are rarely shared. */
int alike_compare_least(const struct alike *a, const struct alike *b,
			int least);

void alike_release(struct alike *w);

/* Whether a later text contradicts an earlier one.
 *
 * It does if the two are alike and differ in one of these ways:
 *
 *	in one place only, where each has a number, a day or a value of its own
 *	after the same words: `listens on port 80` and `port 81`, `is written
 *	in C` and `in Go`; or
 *	by a negation of something that both say, or by opposites (always,
 *	never); or
 *	the later one says that something that both name was dropped or moved.
 *
 * If more differs, the texts are about two things. They also are if the place names
 * their subjects: team A and team B, the numbers of two things side by side, the
 * language or directory in which something is used. A missed contradiction costs
 * little, and a false alarm costs trust, so precision comes before recall. Of the
 * pairs in t/contradiction, which `t/contradiction/measure` counts, precision and
 * recall are 1.00 and .93 in the half that this was made with, and .98 and .90 in
 * the other. search/retraction.h finds some that are not alike.
 */
/* Bytes. A longer text contradicts nothing, since it says more than one thing. */
#define ALIKE_TEXT_MAX ((size_t)1000)

/* A text to be compared, any number of times. Its words are read with T when it is
 * first compared with a text that may be alike. It lives in A, and borrows P and
 * T. */
struct alike_text;
struct alike_text *alike_text_read(struct terms *t, const char *p, size_t len,
				   struct arena *a);

/* Return true if LATER and EARLIER are alike: few words differ. This costs much less
 * than alike_text_contradicts(). */
bool alike_text_is_near(struct alike_text *later, struct alike_text *earlier);

/* Return true if LATER is alike to EARLIER, another text, and contradicts it. */
bool alike_text_contradicts(struct alike_text *later,
			    struct alike_text *earlier);

#endif
