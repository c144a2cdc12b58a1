/* contradiction.h: whether a later text contradicts an earlier one.
 *
 * The two are alike (see alike.h), and laid side by side they differ
 *
 *	in one place alone, where each has a number, a day or a value of its own
 *	behind the same words: `listens on port 80` and `port 81`, `is written
 *	in C` and `in Go`; or
 *	by a negation, or a word for its opposite (always, never), of something
 *	that both say; or
 *	since the later one says that what both name was dropped or has moved.
 *
 * Where more differs, they are about two things, and so they are where the one
 * place names what they are about: team A and team B, a number each for two
 * things side by side, the language or folder in which something is used.  What
 * is missed costs little, a false alarm trust: so it is precise before it is
 * complete.  Of the pairs in t/contradiction, which `t/contradiction/measure` counts,
 * precision and recall are 1.00 and .93 in the half by which this was made, .98
 * and .88 in the other.
 */
#ifndef CO_RANK_OTHERWISE_H
#define CO_RANK_OTHERWISE_H

#include "base/arena.h"
#include "rank/terms.h"

/* Bytes: a longer text says more than one thing. */
#define CONTRADICTION_TEXT_MAX ((size_t)1000)

/* A text, to be compared as often as is wanted: its words are read by T once there
 * is one that may be alike.  It points into P and lives in A. */
struct contradiction_text;
struct contradiction_text *contradiction_read(struct terms *t, const char *p,
					      size_t len, struct arena *a);

/* True if LATER is alike to EARLIER, another one, and contradicts it. */
bool contradiction_holds(struct contradiction_text *later,
			 struct contradiction_text *earlier);

#endif
