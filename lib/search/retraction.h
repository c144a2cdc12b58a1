/* retraction.h: find earlier texts that a later one takes back in other words.
 *
 * It does if
 *
 *	the later text reports a change (X was removed, is no longer Y, Z instead of
 *	X), and the earlier one neither reports a change nor denies anything; and
 *	the earlier text has all words that name what has changed, and lacks the new
 *	value; and
 *	the encoder of sentences finds that both say things that are close.
 *
 * All three are needed: notes about one project are close, and share its names. Texts
 * that are mostly in other than Latin letters are not compared, see embed_reads(). A
 * false alarm costs trust, so precision comes before recall: `t/contradiction/measure`
 * counts both.
 */
#ifndef CO_SEARCH_RETRACTION_H
#define CO_SEARCH_RETRACTION_H

#include "embed/vectors.h"
#include "rank/alike.h"

/* Bytes. A longer text says more than one thing: it takes nothing back, and is not
 * taken back. */
#define RETRACTION_TEXT_MAX ((size_t)300)

/* An earlier text. All is borrowed. */
struct retraction_text {
	struct embed_text text;
	const struct alike
		*words; /* of the text; NULL: it is not asked about */
	int percent;	/* how alike it is to the later one */
	bool found;	/* result: it is taken back */
};

/* Set `found` in those of the N TEXTS that LATER takes back. The encoder is that of the
 * user's settings, and it is opened only if the words say that it is worth it. Nothing
 * is found if it is another one than that of sentences. */
void retraction_find(struct terms *t, const struct embed_text *later,
		     struct retraction_text *texts, size_t n);

#endif
