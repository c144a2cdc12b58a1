/* contradiction.h: whether a later text contradicts an earlier one.
 *
 * It does if the two are alike (see alike.h) and differ in one of these ways:
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
 * the other. embed/retraction.h finds some that are not alike.
 */
#ifndef CO_RANK_CONTRADICTION_H
#define CO_RANK_CONTRADICTION_H

#include "base/arena.h"
#include "rank/terms.h"

/* Bytes. A longer text contradicts nothing, since it says more than one thing. */
#define CONTRADICTION_TEXT_MAX ((size_t)1000)

/* A text to be compared, any number of times. Its words are read with T when it is
 * first compared with a text that may be alike. It lives in A, and borrows P and
 * T. */
struct contradiction_text;
struct contradiction_text *contradiction_read(struct terms *t, const char *p,
					      size_t len, struct arena *a);

/* Return true if LATER and EARLIER are alike: few words differ. This costs much less
 * than contradiction_holds(). */
bool contradiction_alike(struct contradiction_text *later,
			 struct contradiction_text *earlier);

/* Return true if LATER is alike to EARLIER, another text, and contradicts it. */
bool contradiction_holds(struct contradiction_text *later,
			 struct contradiction_text *earlier);

#endif
